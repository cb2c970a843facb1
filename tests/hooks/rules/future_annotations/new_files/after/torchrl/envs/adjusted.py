from torchrl.envs.plain import reset  # expect: future-annotations error

ENV = reset("cpu")
