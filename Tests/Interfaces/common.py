"""What the scripts beside it share: the exports, whose maker knows the sample logs and the questions, and web servers."""
import importlib
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATES = ["2026-11-17", "2026-11-18", "2026-11-19"]
sys.path.append(str(ROOT / "Tests/Fixtures"))
exports = importlib.import_module("make-exports")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Server:
    """A web server in a folder, by the words of its command, which takes a port after -p. `greet` is an OSError until it answers."""

    def __init__(self, folder, *words, environment=None):
        self.folder, self.words, self.environment, self.port = folder, words, environment, free_port()

    def __enter__(self):
        log = self.folder / "server.log"
        with open(log, "w") as file:
            self.process = subprocess.Popen(
                [*self.words, "-p", str(self.port)], cwd=self.folder, env=self.environment, stdout=file, stderr=file)
        for _ in range(600):
            try:
                self.greet()
                return self
            except OSError:
                time.sleep(0.2)
        raise AssertionError(log.read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
