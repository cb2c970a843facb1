from elsewhere import EnvTests, test_seed


class TestEnv(EnvTests):
    pass
