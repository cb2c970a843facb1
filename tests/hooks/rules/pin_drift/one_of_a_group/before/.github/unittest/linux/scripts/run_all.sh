uv_pip_install() {
  uv pip install --no-progress "$@"
}

uv pip install \
  "mujoco>=3.8.1,<3.9.0" \
  "numpy<2.0.0"
