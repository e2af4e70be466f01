import ArgumentParser

enum Layout: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// NCSA combined, as nginx writes it.
    case combined
    /// All kinds as lines of an nginx `log_format` with the request body.
    case nginx
    /// An Apache `LogFormat`.
    case apache
    /// The W3C extended format, as IIS writes it.
    case w3c
    /// CloudFront's standard logs.
    case cloudfront
    /// Access logs of AWS application load balancers.
    case alb
    /// All kinds as nginx `escape=json` lines.
    case json
    /// Cloud Logging's export of Google's load balancers.
    case gcpLB = "gcp_lb"
    /// Caddy's JSON lines.
    case caddy

    /// Whether lines have a request's body. Otherwise mzip and users_track are written as bare bodies.
    var hasBodies: Bool { self == .nginx || self == .json }

    /// Whether a line is a JSON object.
    var isJSON: Bool { [.json, .gcpLB, .caddy].contains(self) }

    /// Whether a line has columns, which a header names.
    var hasColumns: Bool { self == .w3c || self == .cloudfront }

    /// The log_format and the LogFormat that lines follow, as the pipeline file has them.
    static let nginxFormat =
        #"$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body""#
    static let apacheFormat = #"%h - %{%Y-%m-%dT%H:%M:%S%z}t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#

    /// A line, its fields those of `LineSpeller.Field`.
    var line: String {
        switch self {
        case .combined: #"$address - $user [$time] "$request" $status $size "$referer" "$agent""#
        case .nginx: #"$address - [$time] "$request" $status "$agent" "$body""#
        case .apache: #"$address - $time "$request" $status $size "$referer" "$agent""#
        case .w3c: "$time 192.0.2.80 $method $path $query 443 - $address $agent $referer $status 0 0 3"
        case .cloudfront:
            """
            $time\tMAD53-P2\t$size\t$address\t$method\td111111abcdef8.cloudfront.net\t$path\t$status\t$referer\t$agent\t\
            $query\t-\tMiss\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\ttrack.example.com\thttps\t421\t\
            0.002\t-\tTLSv1.3\tTLS_AES_128_GCM_SHA256\tMiss\tHTTP/2.0\t-\t-\t40000\t0.002\tMiss\t-\t0\t-\t-
            """
        case .alb:
            #"""
            https $time app/push/50dc6c495c0c9188 $address:40000 10.0.0.66:80 0.000 0.001 0.000 $status $status 421 $size \#
            "$absolute" "$agent" TLS_AES_128_GCM_SHA256 TLSv1.3 \#
            arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/push/73e2d6bc24d8a067 \#
            "Root=1-58337262-36d228ad5d99923122bbe354" "track.example.com" "-" 0 $usual "forward" "-" "-" \#
            "10.0.0.66:80" "-" "-" "-"
            """#
        case .json:
            #"""
            {"remote_addr":"$address","time_iso8601":"$time","request":"$request","status":$status,\#
            "http_user_agent":"$agent","request_body":"$body"}
            """#
        case .gcpLB:
            #"""
            {"httpRequest":{"requestMethod":"$method","requestUrl":"$url","status":$status,"userAgent":"$agent",\#
            "remoteIp":"$address","responseSize":"$size"},"timestamp":"$time","severity":"INFO",\#
            "resource":{"type":"http_load_balancer"}}
            """#
        case .caddy:
            #"""
            {"level":"info","ts":$time,"logger":"http.log.access","request":{"remote_ip":"$address",\#
            "method":"$method","host":"track.example.com","uri":"$target","headers":{"User-Agent":["$agent"]}},\#
            "duration":0.003,"size":0,"status":$status}
            """#
        }
    }

    /// How a time is written, and what tells its offset, nil for a layout that knows UTC only; how bytes are escaped; what
    /// some lines have at their end besides.
    var format: (clock: String, zone: String?, escaping: Escaping, more: String) {
        switch self {
        case .combined: ("%d/%b/%Y:%H:%M:%S", " %z", .nginx, #" "-" rt=0.003 uct="0.001""#)
        case .nginx: ("%Y-%m-%dT%H:%M:%S", "%E", .nginx, " rt=0.003")
        case .apache: ("%Y-%m-%dT%H:%M:%S%z", "", .apache, #" "-" 3021"#)
        case .w3c: ("%Y-%m-%d %H:%M:%S", nil, .w3c, " more")
        case .cloudfront: ("%Y-%m-%d\t%H:%M:%S", nil, .cloudfront, "\tmore")
        case .alb: ("%Y-%m-%dT%H:%M:%S.000000Z", nil, .nginx, " TID_1")
        case .json: ("%Y-%m-%dT%H:%M:%S", "%E", .json, "")
        case .gcpLB: ("%Y-%m-%dT%H:%M:%S.000000Z", nil, .json, "")
        case .caddy: ("%s.000000", nil, .json, "")
        }
    }

    /// What a collector's file begins with.
    var header: String {
        switch self {
        case .w3c:
            """
            #Software: Microsoft Internet Information Services 10.0
            #Version: 1.0
            #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) \
            cs(Referer) sc-status sc-substatus sc-win32-status time-taken

            """
        case .cloudfront:
            """
            #Version: 1.0
            #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) \
            cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol \
            cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type \
            cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte \
            x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end

            """
        default: ""
        }
    }
}
