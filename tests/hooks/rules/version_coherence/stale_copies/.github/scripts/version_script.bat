rem set TORCHRL_BUILD_VERSION=0.9.0
    set TORCHRL_BUILD_VERSION=0.13.0  # expect: version-coherence error
