"""Says what it is for."""  # expect: future-annotations
# A comment.
import torch


class Env(torch.nn.Module):
    pass
