/// Lines of other servers than nginx. None of them has a body.
extension LineSpeller {
    /// The LogFormat that `apache` lines follow, as the pipeline file has it.
    static let apacheFormat = #"%h - %{%Y-%m-%dT%H:%M:%S%z}t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#

    mutating func writeApache(_ line: WebLine, into buffer: inout ByteBuffer) {
        buffer.append(text: "\(line.address) - ")
        write(line.timeSpelling, of: line.time, into: &buffer)
        buffer.append(" \"")
        if case .cut = line.shape {
            line.request.prefix(line.request.count / 2).withUnsafeBytes { buffer.appendApacheEscaped($0) }
            return
        }
        line.request.withUnsafeBytes { buffer.appendApacheEscaped($0) }
        buffer.append(text: "\" \(line.status) \(line.size) \"\(line.referer)\" \"")
        line.agent.withUnsafeBytes { buffer.appendApacheEscaped($0) }
        if case .open = line.shape { return }
        buffer.append("\"")
        if case .longer = line.shape { buffer.append(" \"-\" 3021") }
    }

    /// Values of w3c and cloudfront.
    mutating func writeColumns(_ line: WebLine, into buffer: inout ByteBuffer) {
        let request = RequestParts(line.request)
        let isEncoded = layout == .cloudfront
        write(line.timeSpelling, of: line.time, into: &buffer)
        func add(_ text: String) {
            buffer.append(isEncoded ? "\t" : " ")
            buffer.append(text: text)
        }
        func add(bytes: [UInt8]) {
            buffer.append(isEncoded ? "\t" : " ")
            if bytes.isEmpty || bytes == [0x2D] {
                buffer.append("-")
            } else if isEncoded {
                bytes.withUnsafeBytes { buffer.appendCloudFrontEncoded($0) }
            } else {
                buffer.append(bytes)
            }
        }
        if isEncoded { add("MAD53-P2\t\(line.size)\t\(line.address)") } else { add("192.0.2.80") }
        add(bytes: request.method.isPrintable ? request.method : [])
        if isEncoded { add("d111111abcdef8.cloudfront.net") }
        if case .cut = line.shape {
            add(bytes: Array(request.path.prefix(request.path.count / 2)))
            return
        }
        add(bytes: request.path)
        // A quote without an end makes a line that does not fit.
        let quote: [UInt8] = if case .open = line.shape { [0x22] } else { [] }
        if isEncoded {
            add("\(line.status)\t\(line.referer)\t")
            buffer.append(quote)
            line.agent.withUnsafeBytes { buffer.appendCloudFrontEncoded($0, spaces: "%2520") }
            add(bytes: request.query)
            add("-\tMiss\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\ttrack.example.com\thttps\t421")
            add("0.002\t-\tTLSv1.3\tTLS_AES_128_GCM_SHA256\tMiss\tHTTP/2.0\t-\t-\t40000\t0.002\tMiss\t-\t0\t-\t-")
        } else {
            add(bytes: request.query)
            add("443 - \(line.address) ")
            buffer.append(quote)
            buffer.append(line.agent.map { $0 == 0x20 ? 0x2B : $0 })
            add("\(line.referer) \(line.status) 0 0 3")
        }
        if case .longer = line.shape { add("more") }
    }

    mutating func writeALB(_ line: WebLine, into buffer: inout ByteBuffer) {
        buffer.append("https ")
        write(line.timeSpelling, of: line.time, into: &buffer)
        buffer.append(text: " app/push/50dc6c495c0c9188 \(line.address):40000 10.0.0.66:80 0.000 0.001 0.000 ")
        buffer.append(text: "\(line.status) \(line.status) 421 \(line.size) \"")
        let request = RequestParts(line.request)
        var whole = request.method.isPrintable ? request.method : [0x2D]
        if request.target.isEmpty {
            // So a balancer logs what is no request.
            whole += Array(" http://track.example.com:80- ".utf8)
        } else {
            whole += Array(" https://track.example.com:443".utf8) + request.target + request.version
        }
        if case .cut = line.shape { whole = Array(whole.prefix(whole.count / 2)) }
        whole.withUnsafeBytes { buffer.appendNginxEscaped($0) }
        if case .cut = line.shape { return }
        buffer.append("\" \"")
        line.agent.withUnsafeBytes { buffer.appendNginxEscaped($0) }
        if case .open = line.shape { return }
        buffer.append("\" TLS_AES_128_GCM_SHA256 TLSv1.3 ")
        buffer.append("arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/push/73e2d6bc24d8a067 ")
        buffer.append("\"Root=1-58337262-36d228ad5d99923122bbe354\" \"track.example.com\" \"-\" 0 ")
        write(.usual, of: line.time, into: &buffer)
        buffer.append(" \"forward\" \"-\" \"-\" \"10.0.0.66:80\" \"-\" \"-\" \"-\"")
        if case .longer = line.shape { buffer.append(" TID_1") }
    }

    mutating func writeGCP(_ line: WebLine, into buffer: inout ByteBuffer) {
        let request = RequestParts(line.request)
        buffer.append("{\"httpRequest\":{\"requestMethod\":\"")
        request.method.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        buffer.append("\",\"requestUrl\":\"")
        if !request.target.isEmpty { buffer.append("https://track.example.com") }
        request.target.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        if case .cut = line.shape { return }
        buffer.append("\",\"status\":")
        writeStatus(line.status, into: &buffer)
        buffer.append(",\"userAgent\":\"")
        line.agent.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        if case .open = line.shape { return }
        buffer.append(text: "\",\"remoteIp\":\"\(line.address)\",\"responseSize\":\"\(line.size)\"},\"timestamp\":\"")
        write(line.timeSpelling, of: line.time, into: &buffer)
        buffer.append("\",\"severity\":\"INFO\",\"resource\":{\"type\":\"http_load_balancer\"}}")
    }

    mutating func writeCaddy(_ line: WebLine, into buffer: inout ByteBuffer) {
        let request = RequestParts(line.request)
        buffer.append("{\"level\":\"info\",\"ts\":")
        write(line.timeSpelling, of: line.time, into: &buffer)
        buffer.append(",\"logger\":\"http.log.access\",\"request\":{\"remote_ip\":\"")
        buffer.append(text: "\(line.address)\",\"method\":\"")
        request.method.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        buffer.append("\",\"host\":\"track.example.com\",\"uri\":\"")
        request.target.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        if case .cut = line.shape { return }
        buffer.append("\",\"headers\":{\"User-Agent\":[\"")
        line.agent.withUnsafeBytes { buffer.appendJSONEscaped($0) }
        if case .open = line.shape { return }
        buffer.append("\"]}},\"duration\":0.003,\"size\":0,\"status\":")
        writeStatus(line.status, into: &buffer)
        buffer.append("}")
    }

    private func writeStatus(_ status: String, into buffer: inout ByteBuffer) {
        buffer.append(text: Int(status) == nil ? "\"\(status)\"" : status)
    }
}

extension [UInt8] {
    fileprivate var isPrintable: Bool {
        !isEmpty && allSatisfy { (0x21...0x7E).contains($0) }
    }
}
