"""  # expect: tutorial-sections advisory
Learning to record
==================

Words.
"""
import torch

##############
# Steps
# -----

x = torch.zeros(1)
