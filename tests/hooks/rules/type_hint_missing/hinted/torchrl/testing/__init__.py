from torchrl.testing.mocks import mock_env

__all__ = ["mock_env"]
