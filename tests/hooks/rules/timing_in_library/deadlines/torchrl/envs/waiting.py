from __future__ import annotations

import time

from torchrl._utils import logger


def wait(ready, timeout):
    deadline = time.time() + timeout
    t0 = time.time()
    while not ready() and time.time() < deadline:
        if time.time() - t0 > timeout:
            raise TimeoutError
        elapsed = time.time() - t0
        if elapsed > timeout:
            logger.info("late")
        remaining = timeout - (time.time() - t0)
        time.sleep(min(remaining, 0.1))
    return logger


class Timer:
    def reset(self):
        self.last = time.time()

    def step(self):
        return time.time() - self.last


def gather(queue, stop):
    start = time.time()
    while not stop():
        if queue.empty():
            elapsed = time.time() - start
            logger.debug(f"nothing for {elapsed:.1f}s")
    return queue
