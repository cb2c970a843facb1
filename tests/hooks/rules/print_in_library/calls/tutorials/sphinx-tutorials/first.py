"""
First
=====
"""
import torch

x = torch.zeros(3)
print("Now we add one.")  # expect: print-in-library warning
print(x + 1)
print("result:", x)
