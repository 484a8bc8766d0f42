"""How long the command line and the server take to start, beside a bare interpreter: best of several.

Processor time is printed too: on a busy machine it is what can be compared.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

RUNS = 7
PYTHON = sys.executable


class Taken(NamedTuple):
    seconds: float
    processor_seconds: float

    def __str__(self) -> str:
        return f"{self.seconds * 1000:7.0f} ms, {self.processor_seconds * 1000:6.0f} ms of processor"


def processor_seconds() -> float:
    """What all processes that were waited for have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(*command: str) -> Taken:
    begun, used = time.perf_counter(), processor_seconds()
    subprocess.run([PYTHON, *command], check=True, stdout=subprocess.DEVNULL)
    return Taken(time.perf_counter() - begun, processor_seconds() - used)


def serve() -> Taken:
    """From the command to the link; then the server is stopped, which its processor time includes."""
    used = processor_seconds()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "CROUPIER_DATA": folder}
        begun = time.perf_counter()
        with subprocess.Popen(
            [PYTHON, "-m", "croupier", "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            taken = time.perf_counter() - begun
            assert re.search(r"http://\S+", line), line
            process.terminate()
            process.communicate()
        return Taken(taken, processor_seconds() - used)


def main() -> None:
    bare = min(run("-c", "pass") for _ in range(RUNS))
    print(f"bare interpreter  {bare}")
    for name, command in (
        ("import croupier", ("-c", "import croupier")),
        ("croupier --help", ("-m", "croupier", "--help")),
    ):
        best = min(run(*command) for _ in range(RUNS))
        print(f"{name:16s}  {best}: {(best.seconds - bare.seconds) * 1000:+.0f} ms over a bare interpreter")
    print(f"croupier serve    {min(serve() for _ in range(RUNS))}: until the link is printed; the goal is 2000 ms")


if __name__ == "__main__":
    main()
