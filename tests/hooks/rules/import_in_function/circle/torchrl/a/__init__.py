from torchrl.a.first import First
