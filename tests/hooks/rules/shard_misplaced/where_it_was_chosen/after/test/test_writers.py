import multiprocessing as mp


def test_writer():
    mp.Process(target=print).start()


def test_writers():
    mp.Process(target=print, args=(1,)).start()
