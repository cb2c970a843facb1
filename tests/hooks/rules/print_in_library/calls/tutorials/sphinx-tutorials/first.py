"""
First
=====
"""
import torch

x = torch.zeros(3)
print("Now we add one.")  # expect: print-in-library warning
print(x + 1)
print("result:", x)

print("Selected:")
print(x[:1])
print("=" * 3)
print("-----")


def show(y):
    print("The values are shown now.")
    print(y)


try:
    import gymnasium

    print("Now gymnasium is there.")  # expect: print-in-library warning
except ImportError:
    print("gymnasium is missing, so this example is left out")

with torch.no_grad():
    print("Saving the video...")  # expect: print-in-library warning

for step in range(3):
    print("One more step")
