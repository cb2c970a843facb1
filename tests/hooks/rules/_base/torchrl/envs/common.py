from __future__ import annotations


class EnvBase:
    """An environment.

    Args:
        device (str): where its tensors live.

    Examples:
        >>> EnvBase(device="cpu").device
        'cpu'
    """

    def __init__(self, device: str = "cpu") -> None:
        self.device = device
