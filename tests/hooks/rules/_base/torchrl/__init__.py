from torchrl._utils import logger

__all__ = ["logger"]
