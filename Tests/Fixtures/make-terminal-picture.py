#!/usr/bin/env python3
"""Makes the picture of a terminal: a backfill, its progress and summary, and the calendar of log dates after it.

    Tests/Fixtures/make-terminal-picture.py .build/release/pushetl .build/release/loggen
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from xml.sax.saxutils import escape

PICTURE = Path(__file__).resolve().parents[2] / "Sources/pushetl/pushetl.docc/terminal.svg"
COLUMNS, ROWS, WIDTH, HEIGHT, MARGIN = 96, 24, 7.83, 18, 16
PAPER, INK = "#1f2328", "#e6edf3"
# What pushetl paints red and yellow, and the green prompt.
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341"}
DATES = ("2026-11-12", "2026-11-19")


def printed(command, folder):
    """What a command writes on a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.execv(command[0], command)
    parts = []
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # The end of a terminal.
            part = b""
        if not part:
            break
        parts.append(part)
    os.waitpid(pid, 0)
    return b"".join(parts).decode()


def lines(text):
    """The lines that stay, and in front of them the progress at about two thirds."""
    progress = [part for part in re.split(r"\r\x1b\[K", text) if re.match(r"6\d % of ", part)]
    stay = [line.split("\x1b[K")[-1] for line in text.replace("\r\n", "\n").rstrip("\n").split("\n")]
    return progress[len(progress) // 2:][:1] + stay


def spans(line):
    """A line as SVG, with its colours."""
    colour, found = INK, ""
    for number, part in enumerate(re.split(r"\x1b\[([0-9;]*)m", line)):
        if number % 2:
            colour = COLOURS.get(part, INK)
        elif part:
            found += f'<tspan fill="{colour}">{escape(part)}</tspan>'
    return found


def main():
    program, loggen = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([loggen, "--preset", "easy", "--records", "900000", "--from", DATES[0], "--to", DATES[1], "--out", name],
                       stdout=subprocess.DEVNULL, check=True)
        # One log date without files, and one with a file that was cut off.
        for path in (folder / "collector/2026-11-14").iterdir():
            path.unlink()
        cut = sorted((folder / "collector/2026-11-17").iterdir())[0]
        os.truncate(cut, cut.stat().st_size // 2)
        shown = []
        for command in (f"backfill -p push.yaml --from {DATES[0]} --to {DATES[1]}", "status -p push.yaml"):
            shown += [f"\x1b[32m$\x1b[0m pushetl {command}", *lines(printed([program, *command.split()], folder)), ""]
    width, height = round(COLUMNS * WIDTH) + 2 * MARGIN, (len(shown) - 1) * HEIGHT + 2 * MARGIN
    texts = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + HEIGHT * number + 13}" xml:space="preserve">{spans(line)}</text>'
        for number, line in enumerate(shown) if line)
    PICTURE.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-size="13"\n'
        """     font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace">\n"""
        "<title>A backfill of eight log dates, and the calendar after it</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>\n{texts}\n</svg>\n')


main()
