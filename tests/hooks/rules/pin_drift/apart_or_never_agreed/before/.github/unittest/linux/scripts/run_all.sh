pip install "pyvers>=0.2.3" "gymnasium>=1.1" mujoco "jax>=0.7"
if [ "$1" == "numpy<2" ]; then echo "numpy<3"; fi
