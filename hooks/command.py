"""What the three commands have in common: their argument parser, and how they end."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import NoReturn

from .report import printable

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_REPORT = "please report it with the command and the traceback that TORCHRL_PREFLIGHT_DEBUG=1 prints"


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and ends with status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {printable(message)} (see {self.prog} --help)\n")


def guarded(program: str, body: Callable[[], int], refusals: Mapping[type[Exception], int], passing: str = "") -> int:
    """Runs a command so that it ends with one line and a status, never with a traceback.

    Args:
        program: the command's name.
        body: does the work and returns the exit status.
        refusals: exceptions whose message is for the user -> exit status.
        passing: what to say of an internal error that must not stop anybody; the status is then 0.

    Returns:
        The exit status; 1 when nobody reads the output any more, 70 for an internal error, 130, 143 and 129
        when interrupted, ended, or left by its terminal.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    # An exception, so that child processes are ended, too. What is ignored stays so, as nohup wants it.
    heard = [number for number in _ENDING if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, lambda number, _: sys.exit(128 + number)) for number in heard}
    try:
        return body()
    except tuple(refusals) as error:
        print(f"{program}: {printable(str(error))}", file=sys.stderr)
        return next(status for kind, status in refusals.items() if isinstance(error, kind))
    except BrokenPipeError:
        # The reader has seen enough; nothing is left to say to it, at exit neither.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("TORCHRL_PREFLIGHT_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            print(
                f"{program}: {error.strerror}: make room and run it again{passing and f'; {passing}'}", file=sys.stderr
            )
            return 0 if passing else 2
        what = f"internal error ({type(error).__name__}: {printable(str(error))})"
        print(f"{program}: {what}; {passing}{'; ' if passing else ''}{_REPORT}", file=sys.stderr)
        return 0 if passing else 70
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
