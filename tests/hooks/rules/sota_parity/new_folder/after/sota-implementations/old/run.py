import torch

X = torch.zeros(2)
