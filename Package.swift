// swift-tools-version: 6.1
import PackageDescription

/// Debug builds optimise the modules that only compute as well: the tests spend most of their time in them. Their
/// asserts and what `@testable` needs stay.
let isOptimised = SwiftSetting.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
/// Release builds do not optimise the modules that only steer and print: that would take an eighth of a first build,
/// and save a few hundredths of a second of a command.
let isNotOptimised = SwiftSetting.unsafeFlags(["-Onone", "-assert-config", "Release"], .when(configuration: .release))

let package = Package(
    name: "pushetl",
    products: [
        .executable(name: "pushetl", targets: ["pushetl"]),
        .executable(name: "loggen", targets: ["loggen"]),
        // For tests: the programs that they run see another time.
        .library(name: "Clock", type: .dynamic, targets: ["Clock"]),
    ],
    traits: [
        .trait(name: "ISAL", description: "Unpacks gzip files with ISA-L, several times as fast as with zlib.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CZlib", providers: [.apt(["libz-dev"])]),
        .systemLibrary(name: "CISAL", providers: [.apt(["libisal-dev"])]),

        // What all others share: days and times, the operating system's files, hashes, and the sentences of messages.
        .target(name: "Calendar", dependencies: ["Hashing", "Posix"], swiftSettings: [isOptimised]),
        .systemLibrary(name: "CXattr"),
        .target(name: "Posix", dependencies: ["CXattr"]),
        .target(name: "Messages", dependencies: ["Calendar", "Posix"]),
        .target(name: "Hashing", swiftSettings: [.enableExperimentalFeature("Lifetimes"), isOptimised]),

        // A module a stage: files → lines → records → events → partitions → push.db.
        .target(name: "CChecksum", dependencies: ["CZlib"]),
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "CVectors"),
        .target(
            name: "LogFiles",
            dependencies: [
                "Calendar", "CChecksum", "CZlib", "Hashing", "Messages", "Posix",
                .target(name: "CISAL", condition: .when(traits: ["ISAL"])),
            ],
            swiftSettings: [.enableExperimentalFeature("Lifetimes"), isOptimised]),
        .target(
            name: "Records", dependencies: ["Calendar", "CVectors", "Events", "Hashing", "Messages"],
            swiftSettings: [.enableExperimentalFeature("Lifetimes"), isOptimised]),
        .target(
            name: "Events", dependencies: ["Calendar", "Hashing", "Messages", "Posix"],
            swiftSettings: [.enableExperimentalFeature("Lifetimes"), isOptimised]),
        // The rules of counting, pure: no SQL, no files, no threads.
        .target(
            name: "Counting", dependencies: ["Calendar", "Events"], swiftSettings: [isOptimised]),
        // Each log date's file, and all else that an output has beside push.db.
        .target(
            name: "Partitions",
            dependencies: [
                "Calendar", "Counting", "Events", "Hashing", "Messages", "Posix", "SQLite",
            ]),
        // push.db: what each log date contributes, publishing, and what retention does to old log dates.
        .target(
            name: "Output",
            dependencies: [
                "Calendar", "Counting", "Events", "Hashing", "Messages", "Partitions", "Posix", "SQLite",
            ],
            resources: [.embedInCode("Publishing/publish.sql")]),
        .target(
            name: "Configuration",
            dependencies: [
                "Calendar", "Events", "Hashing", "LogFiles", "Messages", "Output", "Posix", "Records",
                .product(name: "Yams", package: "Yams"),
            ]),
        .target(
            name: "Pipelines",
            dependencies: [
                "Calendar", "Configuration", "Counting", "Events", "Hashing", "LogFiles", "Messages",
                "Output", "Partitions", "Posix", "Records",
            ]),
        // A load by the tasks of a cluster. No module below knows of it.
        .target(
            name: "Cluster",
            dependencies: [
                "Calendar", "Configuration", "Events", "Hashing", "LogFiles", "Messages", "Partitions", "Pipelines",
                "Posix", "SQLite",
            ]),
        // What `export` writes for other tools, as data.
        .target(name: "CExports", exclude: ["files"]),
        .target(
            name: "Reports",
            dependencies: [
                "Calendar", "CChecksum", "CExports", "Counting", "Messages", "Output", "Partitions", "Posix",
                "Records", "SQLite",
            ],
            // The usual questions with their queries, and the style sheet of the report.
            resources: [.embedInCode("Exports/Questions.sql"), .embedInCode("Report/page.css")],
            swiftSettings: [isOptimised]),
        .executableTarget(
            name: "pushetl",
            dependencies: [
                "Calendar", "Cluster", "Configuration", "Counting", "Events", "LogFiles", "Messages",
                "Output", "Partitions", "Pipelines", "Posix", "Records", "Reports",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [isNotOptimised]),
        .executableTarget(
            name: "loggen",
            dependencies: ["CZlib", "Reference", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: [isOptimised]),

        // The counting rules a second time, slow and obvious. It uses none of the modules above.
        .target(
            name: "Reference", dependencies: ["CZlib"], path: "Tests/Reference",
            swiftSettings: [isOptimised]),
        .testTarget(
            name: "ReferenceTests",
            dependencies: ["Hashing", "Reference", "SQLite", "Support"]),
        .target(
            name: "Clock", path: "Tests/Clock",
            // Without Swift's library, which each program that the tests start would load too.
            linkerSettings: [.unsafeFlags(["-enable-experimental-feature", "Embedded"])]),
        // What tests share: the built program, temporary folders, databases, tools of the system.
        .target(name: "Support", dependencies: ["SQLite"], path: "Tests/Support"),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Hashing", "Messages", "Partitions", "Reference", "SQLite", "Support", "pushetl", "loggen",
            ]),
        .testTarget(name: "CalendarTests", dependencies: ["Calendar", "Reference", "Support"]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "PosixTests", dependencies: ["Posix", "Support"]),
        .testTarget(
            name: "EventsTests", dependencies: ["Events", "Hashing", "Reference", "Support"],
            swiftSettings: [isOptimised]),
        .testTarget(
            name: "LogFilesTests",
            dependencies: [
                "Calendar", "CChecksum", "CZlib", "Hashing", "LogFiles", "Messages", "Reference", "Support",
            ],
            swiftSettings: [isOptimised]),
        .testTarget(name: "LoggenTests", dependencies: ["Reference", "Support", "loggen"]),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: ["Configuration", "Events", "Messages", "Records", "Support", "pushetl"]),
        .testTarget(
            name: "PipelinesTests",
            dependencies: [
                "Calendar", "Configuration", "Events", "LogFiles", "Messages", "Partitions", "Pipelines", "Records",
                "Reference", "Support",
            ]),
        .testTarget(
            name: "RecordsTests", dependencies: ["Calendar", "CVectors", "Events", "Records", "Reference", "Support"],
            swiftSettings: [isOptimised]),
        .testTarget(
            name: "OutputTests",
            dependencies: [
                "Calendar", "Counting", "Events", "Messages", "Output", "Partitions", "Reference", "SQLite", "Support",
            ]),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Calendar", "Counting", "Events", "Messages", "Output", "Partitions", "Reports", "SQLite", "Support",
            ]),
        .testTarget(name: "SQLiteTests", dependencies: ["CSQLite", "SQLite", "Support"]),
        .testTarget(name: "CountingTests", dependencies: ["Calendar", "Counting", "Events", "Reference"]),
    ],
    swiftLanguageModes: [.v6]
)
