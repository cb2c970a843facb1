"""
Recording
=========

.. grid:: 2

    .. grid-item-card:: What you will learn

       * a lot
"""
import torch

x = torch.zeros(1)

##############
# Summary and next steps
# ----------------------
#
# Words.
