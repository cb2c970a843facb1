pip install genesis
python -m pytest test/test_libs.py -k TestGenesis
