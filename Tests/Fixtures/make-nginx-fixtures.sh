#!/bin/sh
# Has a real nginx write the logs that SampleLogs keeps of it: one traffic, logged in the default format, as
# escape=json, and in a log_format with the request's body.
#   apt-get install -y nginx python3
#   sh Tests/Fixtures/make-nginx-fixtures.sh
# Every run writes other times, so the logs are kept in SampleLogs and this is run only to change them. The lines are
# dated to 2026-11-19 afterwards; nothing else in them is touched.
set -eu
cd "$(dirname "$0")/../.."
day=2026-11-19
port=18080
upstream=18081
root=$(mktemp -d)
trap 'test -f "$root/nginx.pid" && kill "$(cat "$root/nginx.pid")"; rm -rf "$root"' EXIT

cat > "$root/nginx.conf" <<CONF
user root;
pid $root/nginx.pid;
error_log $root/error.log;
events {}
http {
    client_body_temp_path $root/body;
    proxy_temp_path $root/proxy;
    fastcgi_temp_path $root/fastcgi;
    uwsgi_temp_path $root/uwsgi;
    scgi_temp_path $root/scgi;
    log_format body '\$remote_addr - [\$time_iso8601] "\$request" \$status "\$http_user_agent" "\$request_body"';
    log_format json escape=json '{"time_iso8601":"\$time_iso8601","remote_addr":"\$remote_addr",'
        '"request":"\$request","status":\$status,"body_bytes_sent":\$body_bytes_sent,'
        '"http_user_agent":"\$http_user_agent","request_body":"\$request_body"}';
    server {
        listen 127.0.0.1:$port;
        access_log $root/combined.log;
        access_log $root/body.log body;
        access_log $root/json.log json;
        client_header_timeout 1s;
        client_body_buffer_size 16k;
        merge_slashes off;
        set_real_ip_from 127.0.0.1;
        real_ip_header X-Forwarded-For;
        # Only a body that is handed on is known to the log.
        location / { proxy_pass http://127.0.0.1:$upstream; }
    }
}
CONF
mkdir "$root/body"
TZ=Europe/Madrid nginx -p "$root" -c "$root/nginx.conf"
python3 Tests/Fixtures/nginx-traffic.py $port $upstream $day
nginx -p "$root" -c "$root/nginx.conf" -s quit
sleep 1
rm -f "$root/nginx.pid"

today=$(TZ=Europe/Madrid date +%Y-%m-%d)
today_combined=$(TZ=Europe/Madrid LC_ALL=C date +%d/%b/%Y)
keep() { mkdir -p "SampleLogs/$1"; gzip -n -9 > "SampleLogs/$1/$2"; }
sed "s|\[$today_combined:|[19/Nov/2026:|" "$root/combined.log" | keep "collector/$day" nginx.log.gz
sed "s|\[${today}T|[${day}T|" "$root/body.log" | keep "nginx-request-body/$day" access.log.gz
sed "s|\"time_iso8601\":\"${today}T|\"time_iso8601\":\"${day}T|" "$root/json.log" \
    | keep "json-access-log/$day" access.log.gz
wc -l "$root"/*.log
