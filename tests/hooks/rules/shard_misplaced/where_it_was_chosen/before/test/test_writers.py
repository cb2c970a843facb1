import multiprocessing as mp


def test_writer():
    mp.Process(target=print).start()
