import Foundation
import Reference

@testable import Records

// The first byte picks a layout; lines follow. Of an unknown log_format the first line is the format.

private let formats = [
    "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" \"$http_user_agent\"",
    "$time_iso8601 $status $request_method $request_uri \"$http_user_agent\"",
    "$msec|$status|$request_method|$request_uri|$http_user_agent",
    "\"$time_iso8601\" \"$request\" \"$status\" \"$http_user_agent\" rt=$request_time",
    "<$remote_addr> time=$time_local; req=\"$request\"; it's $status",
    "$status $msec $request",
]

private let twins =
    [
        Twin(.collector, .combined), Twin(.collector, .combined) { $0.requiresMcid = true },
        Twin(.collector, .combined) { $0.actions = Pipeline.Source.campaignClassic }, Twin(.collector, .json),
        Twin(.collector, .combined) { $0.unwrap = "log" }, Twin(.collector, .json) { $0.unwrap = "log" },
        Twin(.collector, .combined) { ($0.otherLayouts, $0.skip) = ([.alb, .json], ["err", "{"]) },
        Twin(.collector, .caddy) { ($0.otherLayouts, $0.unwrap) = ([.nginx(formats[0]), .combined], "log") },
    ] + formats.map { Twin(.collector, .nginx($0)) }

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    var input = Input(data, size)
    let choice = Int(input.byte())
    // Gzipped lines are another target's.
    guard !input.bytes.starts(with: [0x1F, 0x8B]) else { return -1 }
    guard choice == 255 else {
        twins[choice % twins.count].compareLines(input.bytes)
        return 0
    }
    guard let format = try? LineFormat(nginx: String(decoding: input.line(), as: UTF8.self)) else { return 0 }
    var rules = twins[0].rules
    rules.layouts = [.nginx(format)]
    var parser = LineParser(rules)
    var sink = Twin.Lines(rules)
    for line in Unpacked(input.bytes).lines { parser.parse(line.bytes.span, number: line.number, into: &sink) }
    return 0
}
