"""  # expect: future-annotations warning
First
=====
"""
import torch

x = torch.zeros(3)
