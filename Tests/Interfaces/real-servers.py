#!/usr/bin/env python3
"""Has real servers write access logs, each one traffic in several formats at once, and loads them all: by their layouts,
and by the pipelines that `pushetl guess` makes from the logs alone.

    python3 Tests/Interfaces/real-servers.py .build/release/pushetl

nginx, Apache and Caddy as Debian has them (`apt-get install -y nginx apache2 caddy`). One that is missing is skipped.
The traffic has all that a client can do to a log: quotes, escapes, control bytes, no request at all.
"""

import collections
import datetime
import http.server
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zoneinfo
from pathlib import Path

from common import free_port

IOS = b"Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US)"
ANDROID = b"Mozilla/5.0 (Linux; U; Android 14; en-US; Pixel 8 Build/UQ1A.240105.004)"
BROWSER = b"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36"
APACHE_MODULES = Path("/usr/lib/apache2/modules")

# A log and the layout that reads it. Two layouts may read one log.
Log = collections.namedtuple("Log", "name file layout")

# The traffic has these, and nothing else may be rejected: each server writes a line only where there is a request, or
# puts something in its place that fits the layout.
REJECTS = {("empty_id", 1), ("malformed_id", 2), ("unknown_action", 1)}

# What is sent, under a name that is also the delivery id. A hit has a platform and an action.
Sent = collections.namedtuple("Sent", "name raw platform action patience", defaults=(None, None, 5))


def request(method, target, agent=IOS, body=None, more=()):
    head = [method + b" " + target + b" HTTP/1.1", b"Host: track.example.com", b"Connection: close", *more]
    if agent is not None:
        head.append(b"User-Agent: " + agent)
    if body is not None:
        head.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(head) + b"\r\n\r\n" + (body or b"")


def traffic():
    """Each hit has a broadlog id of its own."""
    number = 0x9000

    def target(form, name, code=b"7"):
        nonlocal number
        number += 1
        return form.replace(b"ID", b"h%x" % number).replace(b"NAME", name.encode()).replace(b"CODE", code)

    def hit(name, agent=IOS, platform="ios", form=b"/r/?id=ID,NAME,CODE", method=b"GET", code=b"7", **others):
        action = {b"7": "impression", b"2": "click", b"1": "open"}[code]
        return Sent(name, request(method, target(form, name, code), agent, **others), platform, action)

    def other(name, agent=IOS, form=b"/r/?id=ID,NAME,7", method=b"GET", **others):
        return Sent(name, request(method, target(form, name), agent, **others))

    yield hit("plain")
    yield hit("android", ANDROID, "android", code=b"2")
    yield hit("browser", BROWSER, "unknown", code=b"1")
    yield hit("with-mcid", form=b"/r/?id=ID,NAME,CODE&mcId=12345678901234567890123456789012345678")
    yield hit("encoded-commas", form=b"/r/?id=ID%2CNAME%2cCODE")
    yield hit("encoded-id", form=b"/r/?%69d=x&id=%20ID,NAME%09,CODE")
    yield other("commas-encoded-twice", form=b"/r/?id=ID%252CNAME%252C7")
    yield hit("escape-like", form=b"/r/?id=ID,NAME,CODE&x=\\x22\\")
    yield hit("no-slash", form=b"/r?id=ID,NAME,CODE")
    yield hit("slashes", form=b"//r///?id=ID,NAME,CODE")
    yield hit("absolute", form=b"http://track.example.com:8080/r/?id=ID,NAME,CODE")
    yield hit("quote-in-target", form=b'/r/?x="&id=ID,NAME,CODE')
    yield hit("utf-8-in-target", form="/r/?x=otoño陌".encode() + b"&id=ID,NAME,CODE")
    yield hit("latin-1-in-target", form=b"/r/?x=\xf1\xff&id=ID,NAME,CODE")
    yield hit("question-marks", form=b"/r/?x=?&id=ID,NAME,CODE&y=?")
    yield hit("percent", form=b"/r/?x=%zz%&id=ID,NAME,CODE")
    yield hit("long", form=b"/r/?x=" + b"y" * 4000 + b"&id=ID,NAME,CODE")
    old = b"GET " + target(b"/r/?id=ID,NAME,7", "http-1-0") + b" HTTP/1.0\r\nUser-Agent: " + IOS + b"\r\n\r\n"
    yield Sent("http-1-0", old, "ios", "impression")
    yield hit("post", method=b"POST", body=b'{ "a": "b\\n" }\n')
    yield hit("post-empty", method=b"POST", body=b"")
    yield other("head", method=b"HEAD")
    yield other("put", method=b"PUT", body=b"x")
    yield hit("redirected", more=[b"X-Status: 302"])
    yield other("status-404", more=[b"X-Status: 404"])
    yield other("status-500", more=[b"X-Status: 500"])
    yield other("other-path", form=b"/rr/?id=ID,NAME,7")
    yield other("path-behind", form=b"/x/r/?id=ID,NAME,7")
    yield other("spaces-in-path", form=b"/a%20b%22c%5cd%0Ae/r/?id=ID,NAME,7")
    yield other("no-id", form=b"/r/?ID=NAME")
    yield other("empty-id", form=b"/r/?id=,,&x=NAME")
    yield other("short-id", form=b"/r/?id=ID")
    yield other("unknown-code", form=b"/r/?id=ID,NAME,9")
    yield other("link", form=b"/r/?id=ID,NAME,b670f5")
    yield other("fragment-of-a-log", form=b'/r/"%20200%200%20"-"%20"Android"?id=ID,NAME,7')

    for name, agent in [
        ("quotes", b'a "quoted" " iPhone'), ("backslashes", b"\\ \\\\ \\n \\x22 \\u0041 iPhone\\"),
        ("tab", b"a\tb\tiPhone"), ("brackets", b'{"a":[1]} ] [ | iPhone'), ("utf-8", "ñ 陌 😀 iPhone".encode()),
        ("broken-utf-8", b"\xff\xc3\x28\xed\xa0\x80 iPhone"), ("c1-bytes", b"\x80\x9b31m iPhone"),
        ("control-bytes", b"\x01\x02\x1b[31m iPhone"), ("delete", b"\x7f iPhone"), ("spaces", b"a   iPhone"),
        ("long-agent", b"x" * 3000 + b" iPhone"), ("dollars", b"$request ${status} %h %{x}i iPhone"),
    ]:
        yield hit("agent-" + name, agent)
    yield hit("agent-missing", None, "unknown")
    yield hit("agent-hyphen", b"-", "unknown")
    yield hit("agent-empty", b"", "unknown")
    yield hit("agent-twice", IOS, more=[b"User-Agent: " + IOS])

    yield Sent("tls", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x80\"\\\x00\x00\r\n\r\n")
    yield Sent("garbage", b'\x80"\\ \x01\xff "x" 200\r\n\r\n')
    yield Sent("empty-lines", b"\r\n\r\n", patience=2)
    yield Sent("nothing", b"", patience=2)
    yield Sent("one-word", b"GET\r\n\r\n")
    yield Sent("no-protocol", b"GET " + target(b"/r/?id=ID,NAME,7", "no-protocol") + b"\r\n", patience=2)
    yield Sent("no-host", b"GET " + target(b"/r/?id=ID,NAME,7", "no-host") + b" HTTP/1.1\r\n\r\n")
    yield Sent("unfinished", request(b"GET", target(b"/r/?id=ID,NAME,7", "unfinished"))[:-2], patience=2)
    # The client goes before the answer comes. What the log says of it is the server's own affair.
    slow = request(b"GET", target(b"/r/?id=ID,NAME,7", "broken-off"), more=[b"X-Wait: 0.5"])
    yield Sent("broken-off", slow, patience=0.1)
    cut = request(b"POST", target(b"/r/?id=ID,NAME,7", "broken-body"), body=b"x" * 99)[:-9]
    yield Sent("broken-body", cut, patience=0.1)


def send(port, sent):
    """The status of the answer; None if there is none."""
    data = b""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(sent.patience)
        try:
            connection.sendall(sent.raw)
            while more := connection.recv(65536):
                data += more
        except OSError:
            pass
    match = re.match(rb"HTTP/1\.[01] (\d{3}) ", data)
    return int(match[1]) if match else None


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers behind all servers, with the status that the request asks for, after as many seconds as it asks for."""

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        time.sleep(float(self.headers.get("X-Wait", 0)))
        self.send_response_only(int(self.headers.get("X-Status", 200)))
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD = do_POST = do_PUT = answer

    @classmethod
    def begin(cls):
        """Its port."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), cls)
        # Some clients go before the answer comes.
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server.server_port


def nginx(root, port, upstream):
    (root / "nginx.conf").write_text(f"""
        {"user root;" if os.getuid() == 0 else ""}
        daemon off;
        pid {root}/nginx.pid;
        error_log {root}/error.log;
        events {{}}
        http {{
            client_body_temp_path {root}/body;
            proxy_temp_path {root}/proxy;
            fastcgi_temp_path {root}/fastcgi;
            uwsgi_temp_path {root}/uwsgi;
            scgi_temp_path {root}/scgi;
            log_format strings '$remote_addr - $remote_user [$time_iso8601] '
                               '"$request" $status $body_bytes_sent '
                               "\\"$http_user_agent\\" $request_time";
            log_format tabs '$msec\\t$status\\t$request_method\\t$request_uri\\t$http_user_agent';
            log_format json escape=json '{{"time_iso8601":"$time_iso8601","remote_addr":"$remote_addr",'
                                        '"request":"$request","status":$status,'
                                        '"http_user_agent":"$http_user_agent"}}';
            log_format apart escape=json '{{"msec":$msec,"request_method":"$request_method",'
                                         '"request_uri":"$request_uri","status":"$status",'
                                         '"http_user_agent":"$http_user_agent"}}';
            server {{
                listen 127.0.0.1:{port};
                access_log {root}/combined.log;
                access_log {root}/strings.log strings;
                access_log {root}/tabs.log tabs;
                access_log {root}/json.log json;
                access_log {root}/apart.log apart;
                client_header_timeout 1s;
                client_body_timeout 1s;
                large_client_header_buffers 4 16k;
                merge_slashes off;
                location / {{ proxy_pass http://127.0.0.1:{upstream}; }}
            }}
        }}
        """)
    text = (root / "nginx.conf").read_text()
    # As somebody would paste them: all between the name and the semicolon.
    formats = dict(re.findall(r"log_format (\w+) ([^;]*);", text))
    logs = [
        Log("combined", "combined.log", "combined"), Log("strings", "strings.log", formats["strings"]),
        Log("tabs", "tabs.log", formats["tabs"]), Log("json", "json.log", "json"), Log("apart", "apart.log", "json"),
    ]
    return ["nginx", "-p", root, "-e", root / "error.log", "-c", root / "nginx.conf"], signal.SIGQUIT, logs


def apache(root, port, upstream):
    configuration = Path("/etc/apache2/apache2.conf").read_text()
    debian = {name: text for text, name in re.findall(r'^LogFormat (".*") (\w+)$', configuration, flags=re.M)}
    formats = {
        "combined": debian["combined"],
        "hosts": debian["vhost_combined"],
        "parts": r'"%h [%{%d/%b/%Y:%H:%M:%S %z}t.%{msec_frac}t] \"%r\" %>s \"%{User-Agent}i\""',
        "seconds": r'"%{sec}t %m \"%U%q\" %>s \"%{User-Agent}i\""',
        "tabs": r'"%{begin:usec}t\t%>s\t%r\t%{user-agent}i"',
        "braces": r'"{ \"at\":\"%{%Y-%m-%dT%T%z}t\", \"request\":\"%r\", \"status\":%>s, \"ua\":\"%{User-Agent}i\" }"',
    }
    modules = ["mpm_event", "authz_core", "proxy", "proxy_http", "reqtimeout"]
    loads = "\n".join(f"LoadModule {name}_module {APACHE_MODULES}/mod_{name}.so" for name in modules)
    logs = "\n".join(f"LogFormat {text} {name}\nCustomLog {root}/{name}.log {name}" for name, text in formats.items())
    (root / "apache.conf").write_text(f"""
{loads}
ServerName localhost
ServerRoot {root}
DefaultRuntimeDir {root}
PidFile {root}/apache.pid
ErrorLog {root}/error.log
Listen 127.0.0.1:{port}
{"User www-data" if os.getuid() == 0 else ""}
RequestReadTimeout header=1 body=1
AllowEncodedSlashes NoDecode
ProxyPass / http://127.0.0.1:{upstream}/ nocanon disablereuse=on
{logs}
""")
    # Each format as it stands between the outer quotes; Debian's also with them, and by its name.
    sources = [Log(name, f"{name}.log", text[1:-1]) for name, text in formats.items()]
    sources += [Log("quoted", "combined.log", debian["combined"]), Log("named", "combined.log", "combined")]
    return ["apache2", "-d", root, "-f", root / "apache.conf", "-DFOREGROUND"], signal.SIGWINCH, sources


def caddy(root, port, upstream):
    forms = {"usual": "", "iso": "time_format iso8601", "milliseconds": "time_format unix_milli_float"}
    logs = "\n".join(
        f"log {name} {{\n output file {root}/{name}.log\n include http.log.access\n format json {{\n {form}\n }}\n}}"
        for name, form in forms.items())
    (root / "Caddyfile").write_text(f"""
{{
    admin off
    auto_https off
    grace_period 3s
    servers {{
        timeouts {{
            read_header 1s
            read_body 1s
        }}
    }}
    {logs}
}}
http://:{port} {{
    bind 127.0.0.1
    log
    reverse_proxy 127.0.0.1:{upstream}
}}
""")
    sources = [Log(name, f"{name}.log", "caddy") for name in forms]
    command = ["caddy", "run", "--config", root / "Caddyfile", "--adapter", "caddyfile"]
    return command, signal.SIGTERM, sources


def log(root, configure, upstream):
    """Has a server log the traffic. Gives the logs, and the status of each answer."""
    port = free_port()
    command, stop, logs = configure(root, port, upstream)
    environment = {**os.environ, "TZ": "Europe/Madrid", "HOME": str(root), "XDG_DATA_HOME": str(root),
                   "XDG_CONFIG_HOME": str(root)}
    with open(root / "output.txt", "wb") as output:
        server = subprocess.Popen(
            command, cwd=root, env=environment, stdout=output, stderr=output, start_new_session=True)
    try:
        for _ in range(200):
            if server.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise AssertionError(f"{command[0]} does not listen")
        assert server.poll() is None, (root / "output.txt").read_text()
        statuses = {sent.name: send(port, sent) for sent in traffic()}
        # What was broken off is logged when the server is done with it.
        time.sleep(1)
        server.send_signal(stop)
        server.wait(timeout=10)
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
    return logs, statuses


def run(program, root, *arguments):
    done = subprocess.run(
        [program, *arguments], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stdout}"


ZONE = zoneinfo.ZoneInfo("Europe/Madrid")


def event_times(program, root, *options):
    """By source: (delivery id, action, time) of each event. 'explain' has times in the pipeline's zone; these are in UTC."""
    times = collections.defaultdict(set)
    for number in sorted({number.decode() for sent in traffic() for number in re.findall(rb"h(9[0-9a-f]{3})", sent.raw)}):
        found = subprocess.run(
            [program, "explain", number, "--json", *options], cwd=root, stdout=subprocess.PIPE, check=True)
        for message in json.loads(found.stdout)["messages"]:
            for event in message["events"]:
                at = datetime.datetime.fromisoformat(event["time"]).replace(tzinfo=ZONE).astimezone(datetime.timezone.utc)
                times[event["source"]].add((event["delivery_id"], event["action"], f"{at:%Y-%m-%d %H:%M:%S}"))
    return times


def guessed(program, root, one):
    """The output database and the event times of a log by a guessed pipeline, and that pipeline. The log tells neither its
    zone nor how odd it is."""
    name = f"guess-{one.name}"
    run(program, root, "guess", one.file, "--out", f"{name}.yaml")
    draft = (root / f"{name}.yaml").read_text()
    known = draft.replace("timezone: UTC", "timezone: Europe/Madrid").replace(
        "sources:", "limits: {reject_ratio: 1}\nsources:")
    (root / f"{name}.yaml").write_text(known)
    run(program, root, "run", "--quiet", "--pipeline", f"{name}.yaml", "--date", "today", "--output", name)
    (times,) = event_times(program, root, "--pipeline", f"{name}.yaml", "--output", name).values()
    return sqlite3.connect(root / name / "push.db"), times, draft


def load(program, root, logs):
    """The output database of the logs, each a source with ids of its own."""
    pipeline = "version: 1\ntimezone: Europe/Madrid\noutput: out\nlimits: {reject_ratio: 1}\nsources:\n"
    for one in logs:
        layout = "\n".join(" " * 6 + line.strip() for line in one.layout.splitlines())
        pipeline += f"  - name: {one.name}\n    format: collector\n    id_space: {one.name}\n    files: {one.file}\n"
        pipeline += f"    layout: |-\n{layout}\n"
    (root / "push.yaml").write_text(pipeline)
    run(program, root, "run", "--quiet", "--pipeline", "push.yaml", "--date", "today")
    return sqlite3.connect(root / "out/push.db")


def same(what, one, other, rows, other_rows):
    """Whether two sets of rows are the same; prints those that only one of them has."""
    for name, only in ((one, rows - other_rows), (other, other_rows - rows)):
        for row in sorted(only, key=str):
            print(f"{what}: only {name}: {row}", file=sys.stderr)
    return rows == other_rows


def check(server, program, root, logs, statuses, times):
    """Checks what the logs of one server say. Gives the hits that count: (delivery id, platform, action, events,
    duplicates)."""
    database = load(program, root, logs)
    is_good = True
    columns = "day, delivery_id, platform, action, events, duplicates"
    times_of = event_times(program, root, "--pipeline", "push.yaml")
    first, counted = logs[0].name, None
    for one in logs:
        lines = (root / one.file).read_bytes().count(b"\n")
        (records,) = database.execute("SELECT records FROM files WHERE source = ?", [one.name]).fetchone()
        is_good &= same(f"{server}, {one.name}: lines", "the log", "push.db", {lines}, {records})
        rejects = set(database.execute(
            "SELECT reason, records FROM outcomes WHERE outcome = 'rejected' AND source = ?", [one.name]))
        if not same(f"{server}, {one.name}: rejects", "push.db", "expected", rejects, REJECTS):
            is_good = False
            command = [program, "rejects", "--source", one.name, "--limit", "20", "--pipeline", "push.yaml"]
            print(subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True).stdout, file=sys.stderr)
        outcomes = "SELECT outcome, reason, records FROM outcomes WHERE source = ?"
        is_good &= same(
            f"{server}: outcomes", first, one.name, set(database.execute(outcomes, [first])),
            set(database.execute(outcomes, [one.name])))
        actions = f"SELECT {columns} FROM daily_actions WHERE source = ?"
        rows = set(database.execute(actions, [one.name]))
        is_good &= same(f"{server}: daily_actions", first, one.name, set(database.execute(actions, [first])), rows)
        is_good &= same(f"{server}: times", first, one.name, times_of[first], times_of[one.name])
        outside = {event for event in times_of[one.name] if not times[0] <= event[2] <= times[1]}
        is_good &= same(f"{server}, {one.name}: outside of {times}", "push.db", "expected", outside, set())
        counted = counted or {row[1:6] for row in rows}
        guess, guessed_times, draft = guessed(program, root, one)
        found = set(guess.execute(f"SELECT {columns} FROM daily_actions"))
        what = f"{server}, {one.name}: guess"
        if not same(what, "push.db", "by the guess", rows | times_of[one.name], found | guessed_times):
            is_good = False
            print(draft, file=sys.stderr)

    # A request without an answer may be logged as anything.
    answered = {name for name, status in statuses.items() if status is not None}
    expected = {
        (sent.name, sent.platform, sent.action, 1, 0) for sent in traffic()
        if sent.platform and sent.name in answered and 200 <= statuses[sent.name] < 400}
    known = {row for row in counted if row[0] in answered}
    is_good &= same(f"{server}: hits", "push.db", "expected", known, expected)
    assert len(known) > 30, f"{server}: {len(known)} hits"
    verdict = "all say the same" if is_good else "not as expected"
    print(f"{server}: {len(logs)} layouts, {lines} lines, {len(counted)} hits, {verdict}")
    return is_good, known


def main():
    program = os.path.abspath(sys.argv[1])
    os.environ["PATH"] += ":/usr/sbin"
    # So that the servers end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    upstream = Upstream.begin()
    is_good, hits, refused = True, {}, set()
    for server, configure in (("nginx", nginx), ("apache2", apache), ("caddy", caddy)):
        if not shutil.which(server):
            print(f"{server}: skipped, it is not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="pushetl-servers-") as folder:
            begin = time.time()
            logs, statuses = log(Path(folder), configure, upstream)
            times = [time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at)) for at in (begin - 1, time.time() + 1)]
            are_same, hits[server] = check(server, program, Path(folder), logs, statuses, times)
            is_good &= are_same
            refused |= {name for name, status in statuses.items() if status is None or not 200 <= status < 400}
    for server, rows in hits.items():
        first = next(iter(hits))
        common = [{row for row in hits[name] if row[0] not in refused} for name in (first, server)]
        is_good &= same("hits that all servers accept", first, server, *common)
    sys.exit(0 if is_good else 1)


main()
