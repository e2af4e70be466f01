#!/usr/bin/env python3
"""Writes a corpus for each fuzzer, taken from sample logs: python3 Tests/Fuzz/seeds.py SampleLogs FOLDER"""
import glob
import gzip
import hashlib
import os
import re
import subprocess
import sys
import urllib.parse
import zlib

LINES = 150
# By target, the kinds of samples whose lines are its seeds, each after the bytes that say how the fuzzer reads it.
CHOICES = {
    "Layouts": {"collector": b"\0\1", "campaign-classic": b"\2", "json-access-log": b"\3", "nginx-request-body": b"\4"},
    "Bodies": {"mzip": b"\0\1", "users_track": b"\6\7\x08\x09\x13\x1f\x2b\x2d", "nginx-request-body": b"\2\4", "json-access-log": b"\3\5"},
}
# What finds the time, the message and the delivery of a hit or of a payload.
VALUES = [
    rb'\[(\d\d/[^\]]*)\]|"time": ?("[^"]*"|[^,}]*)', rb'id=([^ ,&]+),|"(?:_mId|broadlogId)": ?"([^"]*)"',
    rb'id=[^ ,&]+,([^ ,&]+),|"(?:_dId|deliveryId)": ?"([^"]*)"']


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


def files(samples):
    """Files as they lie on disk, whole, cut and followed by others."""
    plain = b"first\nsecond\r\n\n\xef\xbb\xbfthird"
    for data in [b"\n", b"x\n", plain, b"\xef\xbb\xbf" + plain, gzip.compress(plain), gzip.compress(plain) * 2 + b"\0\0",
                 gzip.compress(plain)[:-3], gzip.compress(plain) + b"junk", gzip.compress(plain * 50, 1)]:
        yield from (b"\0" + data, b"\1\5\0" + data, b"\1\5\6" + data, b"\3\7\x20\1" + data)
    skippable = b"\x50\x2a\x4d\x18\3\0\0\0abc"
    for frame in [zstd(plain), zstd(plain, "--no-check"), zstd(plain * 50, "-19", "--long=27")]:
        for data in [frame, frame * 2, skippable + frame, frame + gzip.compress(plain), frame[:-3], frame + b"junk"]:
            yield b"\0" + data
    for path in filter(os.path.isfile, glob.glob(os.path.join(samples, "**"), recursive=True)):
        with open(path, "rb") as file:
            data = file.read(4000)
        if len(content(path)) < 1 << 16 or len(data) == 4000:
            yield b"\0" + data


def main():
    samples, folder = sys.argv[1:]
    corpora = {target: Corpus(folder, target) for target in ["Blocks", "Layouts", "Bodies", "TimesAndIDs"]}
    for data in files(samples):
        corpora["Blocks"].add(data)
    for target, kinds in CHOICES.items():
        for kind, choices in kinds.items():
            for line in lines(samples, kind):
                for choice in choices:
                    corpora[target].add(bytes([choice]) + line)
    texts = [urllib.parse.unquote_to_bytes(line.split(b"mzip=")[-1].replace(b"+", b" ")) for line in lines(samples, "mzip")]
    texts += lines(samples, "users_track")
    for choice in CHOICES["Bodies"]["users_track"]:
        corpora["Bodies"].add(bytes([choice]) + b'{"events":[{"a":[true,false,null,-1.5e+3],"name":"\\u00e9\\ud83d\\ude00","name":{"b":{}}}]}')
    for data in [b"m,u,opened,2026-11-19 10:00:00 UTC,ios", b'"m\n""1""",u,7,20261119100000,,,web,x\n"m,u', b"m,u,7,1795078800,web,,,,,"]:
        for choice in [11, 23]:
            header = b'message.id,user,kind,time,platform,id,os,"""user.id"""\n'
            corpora["Bodies"].add(bytes([choice]) + header + data + b"\n" + header + data)
    for text in [*texts, *lines(samples, "collector")]:
        found = [re.search(value, text) for value in VALUES]
        if all(found):
            values = b"\n".join(match[match.lastindex] for match in found)
            # Also with another byte in the place of a colon.
            for choice in [b"\0", b"\x0e"]:
                corpora["TimesAndIDs"].add(choice + values)
    # The last log_format, whose request is not quoted.
    corpora["Layouts"].add(b'\x0d200 1795078800.123 GET /r/?id=h1,a"b,7 HTTP/1.1')
    corpora["Layouts"].add(
        b'\xff$remote_addr [$time_local] "$request" ${status}\n1.2.3.4 [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1,2,7" 200')
    for text in [b"1795078800.5\n12345\n99", b"1.7950788e9\n18446744073709551615\n-0",
                 b"2026-11-19T10:00:00:123+01:00\n6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6\nD1",
                 b"19/Nov/2026:10:00:00\nffffffffd7e15e5c\n e ", b"25/Oct/2026:01:30:00.12345\nh1\nd"]:
        # As they are, quoted, and at another hour of the same day.
        for choice in [b"\0", b"\7", b"\x4d"]:
            corpora["TimesAndIDs"].add(choice + text)


if __name__ == "__main__":
    main()
