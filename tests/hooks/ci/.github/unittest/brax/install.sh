pip install brax
