#!/usr/bin/env python3
"""Writes a corpus for each fuzzer, taken from sample logs: python3 Tests/Fuzz/seeds.py SampleLogs FOLDER"""
import glob
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import urllib.parse
import zlib

LINES = 150


def content(path):
    """The file's text, as far as it can be unpacked."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpacked = b""
    while data:
        inflater = zlib.decompressobj(31)
        try:
            unpacked += inflater.decompress(data)
        except zlib.error:
            break
        data = inflater.unused_data
    return unpacked


def lines(samples, kind):
    """Some lines of each file, from its beginning, its middle and its end."""
    for path in sorted(glob.glob(os.path.join(samples, kind, "*", "*"))):
        found = [line for line in content(path).split(b"\n") if 0 < len(line) < 2000]
        step = max(1, len(found) // LINES)
        yield from found[::step]


class Corpus:
    def __init__(self, folder, target):
        self.folder = os.path.join(folder, target)
        os.makedirs(self.folder, exist_ok=True)

    def add(self, data):
        with open(os.path.join(self.folder, hashlib.sha1(data).hexdigest()), "wb") as file:
            file.write(data[:4096])


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


def main():
    samples, folder = sys.argv[1:]
    blocks, layouts, bodies, texts, ids = [
        Corpus(folder, target) for target in ["Blocks", "Layouts", "Bodies", "JSON", "TimesAndIDs"]]
    plain = b"first\nsecond\r\n\n\xef\xbb\xbfthird"
    for data in [plain, b"\xef\xbb\xbf" + plain, gzip.compress(plain), gzip.compress(plain) * 2 + b"\0\0",
                 gzip.compress(plain)[:-3], gzip.compress(plain) + b"junk", gzip.compress(plain * 50, 1)]:
        blocks.add(b"\0" + data)
        blocks.add(b"\1\5" + data)
        blocks.add(b"\3\7\x20\1" + data)
    skippable = b"\x50\x2a\x4d\x18\3\0\0\0abc"
    for frame in [zstd(plain), zstd(plain, "--no-check"), zstd(plain * 50, "-19", "--long=27")]:
        for data in [frame, frame * 2, skippable + frame, frame + gzip.compress(plain), frame[:-3], frame + b"junk"]:
            blocks.add(b"\0" + data)
    for path in filter(os.path.isfile, glob.glob(os.path.join(samples, "**"), recursive=True)):
        with open(path, "rb") as file:
            data = file.read(4000)
        if len(content(path)) < 1 << 16 or len(data) == 4000:
            blocks.add(b"\0" + data)
    for line in lines(samples, "collector"):
        layouts.add(b"\0" + line)
        layouts.add(b"\1" + line)
        for found in re.findall(rb"id=([^ ,&]+),([^ ,&]+),", line):
            time = re.search(rb"\[([^\]]*)\]", line)
            ids.add(b"\0" + (time[1] if time else b"") + b"\n" + found[0] + b"\n" + found[1])
    for choice, kind in [(2, "campaign-classic"), (3, "json-access-log"), (4, "nginx-request-body")]:
        for line in lines(samples, kind):
            layouts.add(bytes([choice]) + line)
    layouts.add(b'\xff$remote_addr [$time_local] "$request" ${status}\n1.2.3.4 [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1,2,7" 200')
    for line in lines(samples, "mzip"):
        bodies.add(b"\0" + line)
        bodies.add(b"\2" + b'1.2.3.4 [19/Nov/2026:10:00:00 +0100] "POST /push/log/iosarrive HTTP/1.1" 200 "x" "' + line + b'"')
        value = urllib.parse.unquote_to_bytes(line.split(b"mzip=")[-1].replace(b"+", b" "))
        texts.add(value)
        add_payload(ids, value, lambda tree: (tree["log_content"]["time"], tree["log_content"]["data"]["_mId"],
                                              tree["log_content"]["data"]["_dId"]))
    for line in lines(samples, "users_track"):
        for choice in [6, 7, 100]:
            bodies.add(bytes([choice]) + line)
        bodies.add(b"\4" + b'1.2.3.4 [19/Nov/2026:10:00:00 +0100] "POST /users/track HTTP/1.1" 200 "x" "'
                   + line.replace(b'"', b"\\x22") + b'"')
        texts.add(line)
        add_payload(ids, line, lambda tree: (tree["events"][0]["time"], tree["events"][0]["properties"]["broadlogId"],
                                             tree["events"][0]["properties"]["deliveryId"]))
    for kind in ["nginx-request-body", "json-access-log"]:
        for line in lines(samples, kind):
            bodies.add(b"\3" + line)
            bodies.add(b"\5" + line)
    texts.add(b'{"a":{"b":1,"b":"\\u00e9\\ud83d\\ude00"},"c":[true,false,null,-1.5e+3],"a":{"b":{}}}')
    for text in [b"1795078800.5\n12345\n99", b"1.7950788e9\n18446744073709551615\n-0",
                 b"2026-11-19T10:00:00:123+01:00\n6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6\nD1",
                 b"19/Nov/2026:10:00:00\nffffffffd7e15e5c\n e "]:
        ids.add(b"\0" + text)
        ids.add(b"\7" + text)


def add_payload(corpus, text, values):
    """The time and the ids of a payload, where it is one."""
    try:
        found = [value if isinstance(value, str) else json.dumps(value) for value in values(json.loads(text))]
        corpus.add(b"\0" + "\n".join(found).encode())
    except (ValueError, KeyError, TypeError, IndexError):
        pass


if __name__ == "__main__":
    main()
