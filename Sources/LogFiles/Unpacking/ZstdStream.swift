import Foundation

/// Unpacks zstd frames with libzstd. One stream serves for one frame after another.
package struct ZstdStream: ~Copyable {
    private var context: OpaquePointer?

    /// The name and version of the library; nil if it is not installed.
    package static var library: String? { ZstdLibrary.loaded.map { "zstd \(String(cString: $0.version()))" } }

    deinit {
        if let context { _ = ZstdLibrary.loaded?.free(context) }
    }

    /// Prepares for a frame. The path is for error messages.
    mutating func begin(_ path: String) throws(LogFileError) {
        guard let library = ZstdLibrary.loaded else {
            throw LogFileError(step: .open, path: path, code: LogFileError.noLibzstd)
        }
        if let context {
            _ = library.reset(context, ZstdLibrary.sessionOnly)
            return
        }
        guard let context = library.create() else { throw LogFileError(step: .inflate, path: path, code: ENOMEM) }
        self.context = context
        _ = library.setParameter(context, ZstdLibrary.windowLogMax, ZstdHeader.windowLog)
    }

    /// Frees the memory.
    mutating func end() {
        if let context { _ = ZstdLibrary.loaded?.free(context) }
        context = nil
    }

    /// Unpacks from `input` into `output` until the input is empty, the output is full, or the frame ends. libzstd
    /// verifies the frame's checksum, if it has one.
    mutating func inflate(
        _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> InflateProgress {
        guard let library = ZstdLibrary.loaded, let context else {
            return InflateProgress(taken: 0, filled: 0, step: .memberDamaged)
        }
        var source = ZstdLibrary.Buffer(input)
        var target = ZstdLibrary.Buffer(output)
        let code = library.decompress(context, &target, &source)
        let step: InflateProgress.Step =
            library.isError(code) != 0 ? .memberDamaged : code == 0 ? .memberEnded : .moreToCome
        return InflateProgress(taken: source.position, filled: target.position, step: step)
    }
}

/// The functions of libzstd. The library is loaded when the first zstd file is met, so neither a build nor a run
/// without such files needs it.
private struct ZstdLibrary: Sendable {
    /// `ZSTD_inBuffer` and `ZSTD_outBuffer`.
    struct Buffer {
        let bytes: UnsafeMutablePointer<UInt8>?
        let count: Int
        var position = 0

        init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
            bytes = buffer.baseAddress
            count = buffer.count
        }
    }

    /// `ZSTD_reset_session_only` and `ZSTD_d_windowLogMax`.
    static let (sessionOnly, windowLogMax): (Int32, Int32) = (1, 100)
    /// Nil if libzstd is not installed.
    static let loaded = ZstdLibrary()

    let create: @convention(c) @Sendable () -> OpaquePointer?
    let free: @convention(c) @Sendable (OpaquePointer) -> Int
    let reset: @convention(c) @Sendable (OpaquePointer, Int32) -> Int
    let setParameter: @convention(c) @Sendable (OpaquePointer, Int32, Int32) -> Int
    let decompress: @convention(c) @Sendable (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
    let isError: @convention(c) @Sendable (Int) -> UInt32
    let version: @convention(c) @Sendable () -> UnsafePointer<CChar>

    private init?() {
        guard let library = dlopen("libzstd.so.1", RTLD_NOW), let create = dlsym(library, "ZSTD_createDCtx"),
            let free = dlsym(library, "ZSTD_freeDCtx"), let reset = dlsym(library, "ZSTD_DCtx_reset"),
            let setParameter = dlsym(library, "ZSTD_DCtx_setParameter"),
            let decompress = dlsym(library, "ZSTD_decompressStream"), let isError = dlsym(library, "ZSTD_isError"),
            let version = dlsym(library, "ZSTD_versionString")
        else { return nil }
        self.create = unsafeBitCast(create, to: type(of: self.create))
        self.free = unsafeBitCast(free, to: type(of: self.free))
        self.reset = unsafeBitCast(reset, to: type(of: self.reset))
        self.setParameter = unsafeBitCast(setParameter, to: type(of: self.setParameter))
        self.decompress = unsafeBitCast(decompress, to: type(of: self.decompress))
        self.isError = unsafeBitCast(isError, to: type(of: self.isError))
        self.version = unsafeBitCast(version, to: type(of: self.version))
    }
}
