"""
Recording
=========

Key learnings:

- a lot
"""
import torch

x = torch.zeros(1)

##############
# Conclusion
# ----------
# **Next steps**
#
# Words.
