import torch

X = torch.zeros(1)
