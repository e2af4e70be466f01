#!/usr/bin/env python3
"""Sends a tracking host's traffic to the nginx of make-nginx-fixtures.sh, and answers behind it.

Usage: nginx-traffic.py NGINX_PORT UPSTREAM_PORT DAY
DAY (2026-11-19) is the day that the logs are dated to afterwards; the devices' clocks run on it.
"""
import calendar, json, socket, sys, threading, time

nginx_port, upstream_port, day = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]

IOS = "Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US)"
ANDROID = "Mozilla/5.0 (Linux; U; Android 14; en-US; Pixel 8 Build/UQ1A.240105.004)"
BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
MOMO = "Momo/9.15.2 CFNetwork/1410.0.3 Darwin/22.6.0"
SERVER = "python-requests/2.32.3"
ECID = "12345678901234567890123456789012345678"

midnight = calendar.timegm(time.strptime(day, "%Y-%m-%d"))
now = midnight + int(time.time()) % 86400


def upstream():
    """Answers with the status that the request asks for, after as many seconds as it asks for."""
    listener = socket.create_server(("127.0.0.1", upstream_port))

    def answer(connection):
        with connection:
            data = b""
            while b"\r\n\r\n" not in data:
                more = connection.recv(65536)
                if not more:
                    return
                data += more
            head, _, body = data.partition(b"\r\n\r\n")
            fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
            fields = {name.lower(): value for name, value in fields.items()}
            while len(body) < int(fields.get(b"content-length", b"0")):
                body += connection.recv(65536)
            time.sleep(float(fields.get(b"x-wait", b"0")))
            status = fields.get(b"x-status", b"200").decode()
            reply = f"HTTP/1.0 {status} X\r\nContent-Length: 0\r\n\r\n"
            try:
                connection.sendall(reply.encode())
            except OSError:
                pass

    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


def send(raw, wait=5.0):
    with socket.create_connection(("127.0.0.1", nginx_port)) as connection:
        connection.sendall(raw)
        connection.settimeout(wait)
        try:
            while connection.recv(65536):
                pass
        except TimeoutError:
            pass


count = 0


def request(method, target, agent, body=None, status=200, wait=None, patience=5.0):
    global count
    count += 1
    head = [f"{method} {target} HTTP/1.1", "Host: track.example.com", "Connection: close"]
    head.append(f"X-Forwarded-For: {['192.0.2', '198.51.100', '203.0.113'][count % 3]}.{count % 250 + 1}")
    if agent is not None:
        head.append(f"User-Agent: {agent}")
    if status != 200:
        head.append(f"X-Status: {status}")
    if wait:
        head.append(f"X-Wait: {wait}")
    data = b"" if body is None else body if isinstance(body, bytes) else body.encode()
    if body is not None:
        head.append(f"Content-Length: {len(data)}")
        head.append("Content-Type: application/json" if data[:1] in b"{[" else "Content-Type: application/x-www-form-urlencoded")
    send("\r\n".join(head).encode() + b"\r\n\r\n" + data, patience)
    time.sleep(0.05)


def form(document):
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False).replace("/", "\\/")
    plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return "mzip=" + "".join(chr(b) if b in plain else "+" if b == 32 else f"%{b:02X}" for b in text.encode())


def arrival(number, at=None, **more):
    content = {"time": int((now if at is None else at) * 1000) + number, "data": {"_mId": f"h{number:x}", "_dId": "b670ea", "title": "陌陌 a+b & c/d"}, "type": 1}
    content.update(more)
    return {"log_content": content, "security": "aGVsbG8+/w=="}


def event(name, number, at=None, **more):
    fields = {"external_id": "user-1", "name": name, "time": now if at is None else at, "properties": {"broadlogId": f"h{number:x}", "deliveryId": "b670ea", "platform": "iOS"}}
    fields.update(more)
    return fields


threading.Thread(target=upstream, daemon=True).start()
time.sleep(0.3)

# The collector.
for number in range(0x9100, 0x9140):
    agent = IOS if number % 2 else ANDROID
    request("GET", f"/r/?id=h{number:x},b670ea,7&mcId={ECID}", agent)
    if number % 3 == 2:
        request("GET", f"/r/?id=h{number:x},b670ea,2&mcId={ECID}", agent)
    if number % 6 == 2:
        request("GET", f"/r/?id=h{number:x},b670ea,1&mcId={ECID}", agent)
request("GET", f"/r/?id=h9100,b670ea,7&mcId={ECID}", ANDROID)
request("POST", f"/r/?id=h9010,b670ea,2&mcId={ECID}", ANDROID, "{ }")
request("POST", f"/r/?id=h9010,b670ea,1&mcId={ECID}", ANDROID, "")
request("GET", "/r/?id=h9011,b670ea,1", BROWSER)
request("GET", f"//r/?id=h9012,b670ea,7&mcid={ECID}", IOS)
request("GET", f"/r?mcId={ECID}&id=h9013%2Cb670ea%2C7", IOS)
request("GET", "/r/?id=h9014,oto\u00f1o,7", IOS)
request("GET", "/r/?id=h9015,b670ea,7", ANDROID + ' "beta" \\ ñ')
request("GET", "/r/?id=h9016,b670ea,7", None)
request("GET", "/r/?id=s9100,b670ea,b670f5", ANDROID, status=302)
request("HEAD", "/r/?id=h9017,b670ea,7", BROWSER)
request("GET", "/r/test", "HealthCheck/2.0")
request("GET", "/favicon.ico", BROWSER, status=404)
request("POST", "/nms/mobile/1/registerIOS.jssp", IOS, "registrationToken=none&mobileAppUuid=none")
request("GET", f"/r/?id=h9018,b670ea,7&mcId={ECID}", IOS, status=404)
request("GET", f"/r/?id=h9019,b670ea,7&mcId={ECID}", IOS, status=500)
# The client gives up, and tries again.
request("GET", f"/r/?id=h901a,b670ea,7&mcId={ECID}", ANDROID, wait=1.5, patience=0.3)
time.sleep(2)
request("GET", f"/r/?id=h901a,b670ea,7&mcId={ECID}", ANDROID)
request("GET", "/r/?id=,,&mcId=", IOS)
request("GET", "/r/?id=h26a4148c", IOS)
request("GET", "/r/?id=h901b,b670ea,9", IOS)

# What is no request at all.
send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x80\"\\\r\n\r\n")
send(b"\r\n\r\n", 3)
send(b"GET\r\n\r\n")
send(b"GET /r/?id=h901c,b670ea,7\r\n", 3)
send(b"GET /r/?id=h901d,b670ea,7 HTTP/1.1\r\nHost: track", 5)
send(b"", 3)

# Arrival reports.
path = "/push/log/iosarrive"
for number in range(0x9100, 0x9108):
    request("POST", path, MOMO, form(arrival(number)))
request("POST", path, MOMO, form(arrival(0x9100)))
request("POST", "//push/log/iosarrive?v=2", MOMO, form(arrival(0x9020, at=now - 86400)))
request("POST", path, MOMO, form(arrival(0x9021, time=2147483647)))
request("POST", path, MOMO, form(arrival(0x9022, time=None)))
request("POST", path, MOMO, "app_id=a1&" + form(arrival(0x9023)) + "&v=2")
request("POST", path, MOMO, form(arrival(0x9024, type=2)))
request("POST", path, MOMO, "mzip=q83vEjRWeJCrze8SNFZ4kA%3D%3D&msc=Zm9v")
request("POST", path, MOMO, form("{\"log_content\":{\"type\":1"))
request("POST", path, MOMO, "token=none")
request("POST", path, MOMO, "")
request("POST", path, MOMO)
request("GET", path + "?" + form(arrival(0x9025)), MOMO)
request("POST", path + "/", MOMO, form(arrival(0x9025)))
request("POST", path, MOMO, form(arrival(0x9026)), status=404)
request("POST", path, MOMO, form(arrival(0x9027)), status=502)

# /users/track.
path = "/users/track"
user = {"external_id": "user-1", "email": "user1@example.com", "home_city": "Málaga"}
purchase = {"external_id": "user-1", "product_id": "SKU-1", "currency": "EUR", "price": 9.5, "time": "2026-11-19T01:00:00Z"}
for number in range(0x9100, 0x9104):
    events = [event("push_open", number), event("push_click", number, at=f"{day}T00:30:00.123+01:00")]
    request("POST", path, SERVER, json.dumps({"events": events}))
request("POST", path, SERVER, json.dumps({"attributes": [user], "events": [event("push_impression", 0x9030)], "purchases": [purchase]}, ensure_ascii=False))
request("POST", path, SERVER, json.dumps({"events": [event("push_impression", 0x9031), event("session_start", 0x9031)]}, indent=2))
request("POST", path, SERVER, json.dumps({"events": [event("push_open", 0x9032, at="no time")]}))
request("POST", path, SERVER, json.dumps({"events": [event("push_open", 0x9033, at="2040-01-01T00:00:00Z")]}))
request("POST", path, SERVER, json.dumps({"events": [event("push_open", 0x9034, note='a "quoted" \\ word 😀\n')]}, ensure_ascii=False))
request("POST", path, SERVER, '{"events":[{"name":"push_open"},]}')
request("POST", path, SERVER, '{"braze_id":"5fbd99bac125ca40511f2cb1","custom_events":[]}')
request("POST", path, SERVER, b'{"events":[{"name":"push_\xff"}]}')
# Larger than client_body_buffer_size: nginx keeps it in a file, and logs no body.
request("POST", path, SERVER, json.dumps({"events": [event("push_open", 0x9035, note="x" * 40000)]}))
request("POST", path, SERVER)
request("PUT", path, SERVER, json.dumps({"events": [event("push_open", 0x9036)]}))
request("POST", path, SERVER, json.dumps({"events": [event("push_open", 0x9037)]}), status=429)
time.sleep(0.5)
