import ArgumentParser

/// The options of commands that count: threads, memory and the longest wait.
struct WorkOptions: ParsableArguments {
    @OptionGroup var threads: JobsOptions

    @Option(
        help: ArgumentHelp(
            "Memory for events: bytes, or with K, M or G; at least 16M. (default: 1G)", valueName: "size"),
        transform: { try MemorySize(parsing: $0) })
    var memory: MemorySize = MemorySize(bytes: 1 << 30)

    @OptionGroup var patience: WaitOptions
}
