EXTENSIONS = ["torchrl._torchrl"]
