from torchrl.data.old import Gone, Going, Unlisted, late

__all__ = ["Gone", "Going", "late"]
