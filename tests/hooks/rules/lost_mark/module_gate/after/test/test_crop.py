import torchvision


def test_corner():  # expect: lost-mark warning
    assert torchvision.ops.crop(1)
