from torchrl.sub.one import One  # expect: label-ci-optdeps advisory
