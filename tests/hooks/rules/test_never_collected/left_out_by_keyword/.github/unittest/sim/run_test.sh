pip install sim
pytest test/libs -k "TestSim and not test_replay"
