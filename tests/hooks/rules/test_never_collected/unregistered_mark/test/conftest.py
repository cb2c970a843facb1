def pytest_configure(config):
    config.addinivalue_line("markers", "from_conftest: registered here")
