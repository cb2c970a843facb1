from torchrl.testing.utils import get_available_devices, get_default_devices

__all__ = ["get_available_devices", "get_default_devices"]
