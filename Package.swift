// swift-tools-version: 6.1
import PackageDescription

/// Debug builds optimise the modules that only compute as well: the tests spend most of their time in them. Their asserts and
/// what `@testable` needs stay.
let isOptimised = SwiftSetting.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))

let package = Package(
    name: "pushetl",
    products: [
        .executable(name: "pushetl", targets: ["pushetl"]),
        .executable(name: "loggen", targets: ["loggen"]),
    ],
    traits: [
        .trait(name: "ISAL", description: "Unpacks gzip files with ISA-L, several times as fast as with zlib.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
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
                "Calendar", "CChecksum", "CVectors", "CZlib", "Hashing", "Messages", "Posix",
                .target(name: "CISAL", condition: .when(traits: ["ISAL"])),
            ],
            swiftSettings: [.enableExperimentalFeature("Lifetimes"), isOptimised]),
        .target(
            name: "Records", dependencies: ["Calendar", "CVectors", "Events", "Hashing"],
            swiftSettings: [.enableExperimentalFeature("Lifetimes"), isOptimised]),
        .target(
            name: "Events", dependencies: ["Hashing", "Messages", "Posix"],
            swiftSettings: [.enableExperimentalFeature("Lifetimes"), isOptimised]),
        // The rules of counting, pure: no SQL, no files, no threads.
        .target(
            name: "Counting", dependencies: ["Calendar", "Events"], swiftSettings: [isOptimised]),
        .target(
            name: "Warehouse",
            dependencies: ["Calendar", "Counting", "CSQLite", "Events", "Hashing", "Messages", "Posix", "SQLite"],
            resources: [.embedInCode("Ledger/ledger.sql"), .embedInCode("Ledger/publish.sql")]),
        .target(
            name: "Configuration",
            dependencies: [
                "Calendar", "Events", "Hashing", "LogFiles", "Messages", "Posix", "Records",
                .product(name: "Yams", package: "Yams"),
            ]),
        .target(
            name: "Pipelines",
            dependencies: [
                "Calendar", "Configuration", "Counting", "Events", "Hashing", "LogFiles", "Messages", "Posix",
                "Records",
                "Warehouse",
            ]),
        // A load by the tasks of a cluster. No module below knows of it.
        .target(
            name: "Cluster",
            dependencies: [
                "Calendar", "Configuration", "Counting", "Events", "Hashing", "LogFiles", "Messages", "Pipelines",
                "Posix",
                "SQLite", "Warehouse",
            ]),
        .target(
            name: "Reports",
            dependencies: [
                "Calendar", "CChecksum", "CSQLite", "Counting", "Hashing", "Messages", "Posix", "SQLite", "Warehouse",
            ],
            // The usual questions with their queries, and what `export` writes for Datasette and Superset.
            resources: [
                .embedInCode("Exports/Questions.sql"),
                .embedInCode("Exports/Templates/Datasette.templates"),
                .embedInCode("Exports/Templates/Superset.templates"),
            ]),
        .executableTarget(
            name: "pushetl",
            dependencies: [
                "Calendar", "Cluster", "Configuration", "Counting", "Events", "LogFiles", "Messages", "Pipelines",
                "Posix",
                "Records", "Reports", "Warehouse",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "loggen",
            dependencies: ["CZlib", "Reference", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            resources: [.embedInCode("Layouts.txt")], swiftSettings: [isOptimised]),

        // The counting rules a second time, slow and obvious. It uses none of the modules above.
        .target(
            name: "Reference", dependencies: ["CZlib"], path: "Tests/Reference",
            swiftSettings: [isOptimised]),
        .testTarget(
            name: "ReferenceTests",
            dependencies: ["Hashing", "Reference", "SQLite", "Support"]),
        // What tests share: the built program, temporary folders, databases, tools of the system.
        .target(name: "Support", dependencies: ["SQLite"], path: "Tests/Support"),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Hashing", "Messages", "Reference", "SQLite", "Support", "Warehouse", "pushetl", "loggen",
            ]),
        .testTarget(name: "CalendarTests", dependencies: ["Calendar", "Reference", "Support"]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "PosixTests", dependencies: ["Posix", "Support"]),
        .testTarget(
            name: "EventsTests", dependencies: ["Events", "Hashing", "Reference", "Support"],
            swiftSettings: [isOptimised]),
        .testTarget(
            name: "LogFilesTests",
            dependencies: ["Calendar", "CChecksum", "CZlib", "Hashing", "LogFiles", "Reference", "Support"]),
        .testTarget(name: "LoggenTests", dependencies: ["Reference", "Support", "loggen"]),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: ["Configuration", "Events", "Messages", "Records", "Support", "pushetl"]),
        .testTarget(
            name: "PipelinesTests",
            dependencies: [
                "Calendar", "Configuration", "Events", "Hashing", "LogFiles", "Messages", "Pipelines", "Posix",
                "Records",
                "Reference", "SQLite", "Support", "Warehouse",
            ]),
        .testTarget(
            name: "RecordsTests", dependencies: ["Calendar", "CVectors", "Events", "Records", "Reference", "Support"],
            swiftSettings: [isOptimised]),
        .testTarget(
            name: "WarehouseTests",
            dependencies: [
                "Calendar", "Counting", "Events", "Posix", "Reference", "SQLite", "Support", "Warehouse",
            ]),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Calendar", "Reports", "SQLite", "Support", "Warehouse",
            ]),
        .testTarget(name: "SQLiteTests", dependencies: ["CSQLite", "SQLite", "Support"]),
        .testTarget(name: "CountingTests", dependencies: ["Calendar", "Counting", "Events", "Reference"]),
    ],
    swiftLanguageModes: [.v6]
)
