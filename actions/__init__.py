"""What a pull request goes through, here or on GitHub: ``torchrl-preflight`` and the composite actions."""
