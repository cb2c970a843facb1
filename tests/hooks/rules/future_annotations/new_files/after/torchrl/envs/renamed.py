import torch


def reset(device: torch.device):
    return torch.zeros(3, device=device)


def step():
    return 1
