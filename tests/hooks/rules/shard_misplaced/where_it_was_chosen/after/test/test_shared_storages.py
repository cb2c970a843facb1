import multiprocessing as mp


def test_shared():
    process = mp.Process(target=print)
    process.start()
