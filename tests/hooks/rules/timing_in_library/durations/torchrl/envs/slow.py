from __future__ import annotations

import time
from time import perf_counter

from torchrl._utils import logger as torchrl_logger


class Pusher:
    def push(self):
        t0 = time.time()
        self.work()
        t1 = time.time()
        torchrl_logger.debug(f"took {t1 - t0}s")  # expect: timing-in-library warning
        torchrl_logger.debug(f"and {time.time() - t1}s")  # expect: timing-in-library

    def measure(self):
        start = perf_counter()
        self.work()
        return perf_counter() - start  # expect: timing-in-library

    def each(self, items):
        for item in items:
            start = time.time()
            self.work(item)
            torchrl_logger.debug(f"took {time.time() - start}s")  # expect: timing-in-library
