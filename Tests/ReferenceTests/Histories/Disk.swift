import Reference

/// Loses, damages and replaces files of the output, and brings back older ones.
struct Disk {
    let dates: [Day]

    private static let pushObstacle = HistoryStep.Obstacle(removal: "rm -rf out/push.db")

    /// All that follows, of partitions twice.
    func damages(_ random: inout SplitMix64) -> [HistoryStep] {
        pushDamages(&random) + partitionDamages(&random) + partitionDamages(&random) + cacheDamages(&random)
            + otherDamages(&random) + settledDamages(&random)
    }

    /// All ways to damage push.db, each once, at a place drawn by chance.
    func pushDamages(_ random: inout SplitMix64) -> [HistoryStep] {
        let file = "out/push.db"
        let place = random.below(1000)
        return [
            HistoryStep("rm -f \(file)", .push(nil)), HistoryStep("[ ! -p \(file) ] && : >\(file)", .push(nil)),
            HistoryStep("cut_to \(file) \(place)", .push(nil)),
            HistoryStep("flip \(file) \(place) \(1 << random.below(8))", .push(nil)),
            HistoryStep("flip \(file) \(random.below(20)) \(1 << random.below(8))", .push(nil)),
            HistoryStep("rm -rf \(file); echo 'notes of last week' >\(file)", .push(Disk.pushObstacle)),
            HistoryStep("[ -f \(file) ] && yes 'notes of last week' | head -n 300 >\(file)", .push(Disk.pushObstacle)),
            HistoryStep("[ -f \(file) ] && printf x >\(file)", .push(Disk.pushObstacle)),
            HistoryStep("zero \(file)", .push(Disk.pushObstacle)),
            // Of a link SQLite has it beside the target.
            HistoryStep("[ -f \(file) ] && hot_header >$(readlink -m \(file))-journal", .push(nil)),
            HistoryStep(
                "[ -f \(file) ] && dd if=/dev/zero of=\(file) bs=4096 count=1 seek=\(random.below(20)) conv=notrunc status=none",
                .push(nil)),
            HistoryStep("replace folder \(file)", .push(Disk.pushObstacle)),
            HistoryStep("replace fifo \(file)", .push(Disk.pushObstacle)),
            HistoryStep("replace nowhere \(file)", .push(Disk.pushObstacle)),
            HistoryStep("mv \(file) moved.db && ln -s ../moved.db \(file)", .push(nil)),
            HistoryStep("rm -f linked.db; ln \(file) linked.db", .push(nil)), restore(file, .push(nil), &random),
            restore(file, .push(nil), &random), HistoryStep("rm -f \(file)", .push(nil)),
        ]
    }

    /// The same of a partition.
    func partitionDamages(_ random: inout SplitMix64) -> [HistoryStep] {
        let (date, other) = (random.pick(dates), random.pick(dates))
        let file = "out/partitions/\(date).sqlite"
        func effect(_ obstacle: HistoryStep.Obstacle? = nil) -> HistoryStep.Effect { .partition(date, obstacle) }
        // A load may have taken its place, with the version of this program.
        let removable = effect(
            HistoryStep.Obstacle(removal: "[ \"$(sql 'pragma user_version' \(file))\" = 7 ] || rm -rf \(file)"))
        // A load may have taken its place.
        let replaceable = effect(
            HistoryStep.Obstacle(removal: "{ [ -f \(file) ] && [ ! -L \(file) ]; } || rm -rf \(file)"))
        let usual = [HistoryStep](repeating: HistoryStep("rm -f \(file)", effect()), count: 5)
        return usual + [
            HistoryStep("cut_to \(file) \(random.below(1000))", effect()),
            HistoryStep("flip \(file) \(random.below(1000)) \(1 << random.below(8))", effect()),
            HistoryStep("[ -f \(file) ] && : >\(file)", effect()),
            HistoryStep("[ -f out/partitions/\(other).sqlite ] && cp out/partitions/\(other).sqlite \(file)", effect()),
            HistoryStep("replace folder \(file)", replaceable), HistoryStep("replace fifo \(file)", replaceable),
            HistoryStep("replace nowhere \(file)", replaceable), restore(file, effect(), &random),
            HistoryStep("crashed_sql 'update files set bytes = bytes + 1;' \(file)", effect()),
            HistoryStep("sql 'update files set bytes = bytes + 1' \(file)", effect()),
            HistoryStep("sql 'pragma journal_mode = wal' \(file)", effect()),
            HistoryStep("sql 'vacuum' \(file)", effect()), HistoryStep("touch \(file)", effect()),
            HistoryStep("[ -f \(file) ] && echo x >\(file)\(random.pick(["-journal", "-wal", "-shm"]))", effect()),
            HistoryStep("[ -f \(file) ] && hot_header >\(file)-journal", effect()),
            HistoryStep("zero \(file)", effect()),
            // Fields of the header: the schema's version, perhaps a later one, and the application's id.
            HistoryStep("flip_at \(file) \(random.pick([60, 63])) \(1 << random.below(8))", removable),
            HistoryStep("flip_at \(file) 71 \(1 << random.below(8))", effect()),
            HistoryStep("sql 'pragma user_version = 6' \(file)", removable),
            HistoryStep("sql \"\(random.pick(Disk.partitionEdits))\" \(file)", effect()),
        ]
    }

    /// Changed content of a partition: other figures, and sizes and numbers that are absurd.
    private static let partitionEdits = [
        "update own_actions set events = events + 1", "delete from rejects", "update files set records = 99",
        "update events set block = zeroblob(20000000)", "update events set events = 4000000000",
        "update deliveries set delivery = delivery + 4000000000000", "drop table own_funnel",
    ]

    /// The same of a cache.
    func cacheDamages(_ random: inout SplitMix64) -> [HistoryStep] {
        let folder = "out/partitions/.kept"
        let (file, other) = ("\"$(nth \(random.below(12)) \(folder)/*)\"", "\"$(nth \(random.below(12)) \(folder)/*)\"")
        let shared = "\"$(nth \(random.below(12)) \(folder)/*.shared)\""
        // No older one is put in its place: it would say that somebody has changed push.db since.
        let digests = "\(folder)/left"
        let changes = [
            "rm -f \(file)", "replace folder \(digests)", ": >\(digests)", "rm -rf \(folder)", "rm -f \(folder)/*",
            "flip \(file) \(random.below(1000)) 4", "flip \(digests) \(random.below(1000)) 1",
            "cut_to \(file) \(random.below(1000))", "swap \(file) \(other)", "replace fifo \(file)",
            "replace nowhere \(file)", "zero \(file)", "[ -f \(file) ] && sed -i 1d \(file)",
            "[ -d \(folder) ] && replace folder \(folder)", "[ -d \(folder) ] && replace fifo \(folder)",
            "[ -d \(folder) ] && replace nowhere \(folder)",
            "[ -f older/\(file) ] && [ \(file) != \(digests) ] && cp older/\(file) \(file)",
            "rm -f \(folder)/*.shared", "flip \(shared) \(random.below(1000)) 4",
            "cut_to \(shared) \(random.below(1000))", "swap \(shared) \(file)",
            "[ -f older/\(shared) ] && cp older/\(shared) \(shared)",
            "[ -d older/\(folder) ] && rm -rf \(folder) && cp -a older/\(folder) \(folder) && rm -f \(digests)",
        ]
        // What is to be erased with its log date cannot be, if it is a folder.
        return changes.map { HistoryStep($0, .caches(nil)) } + [
            HistoryStep("replace folder \(file)", .caches(.init(removal: "rm -rf \(folder)/*/")))
        ]
    }

    /// The same of a list of held loads, or of the lock.
    func otherDamages(_ random: inout SplitMix64) -> [HistoryStep] {
        let partitions = "out/partitions"
        let (folder, name) = random.pick([
            ("\(partitions)/.held", "\(random.pick(dates)).jsonl"), (partitions, ".lock"),
        ])
        let file = "\(folder)/\(name)"
        let changes = [
            "rm -f \(file)", "[ -f \(file) ] && : >\(file)", "cut_to \(file) \(random.below(1000))",
            "flip \(file) \(random.below(1000)) 1", "zero \(file)", "[ -d \(folder) ] && echo 'not ours' >\(file)",
            "[ -d \(folder) ] && ln -f victim \(file)",
            "[ -f \(file) ] && sed -i 's/\"device\":[0-9]*/\"device\":7/' \(file)",
            "[ -d \(folder) ] && replace folder \(file)", "[ -d \(folder) ] && replace fifo \(file)",
            "[ -d \(folder) ] && replace nowhere \(file)", "[ -d \(folder) ] && replace \"$PWD/victim\" \(file)",
        ]
        // What is written over such a file must not go into the target of a link.
        return changes.map { change in
            HistoryStep(
                "is_no_link \(file) && { \(change); }", .otherFile(HistoryStep.Obstacle(removal: "rm -rf \(file)")))
        }
    }

    /// The same of the record of closed log dates and of the final rows of settled ones. They are nowhere else: their owner puts
    /// them back.
    func settledDamages(_ random: inout SplitMix64) -> [HistoryStep] {
        let record = "out/partitions/closed"
        let date = random.pick(dates)
        let settled = "out/partitions/\(date).sqlite"
        let file = random.pick([record, settled, settled])
        let isSettled = file == settled ? "grep -q '\"\(date)\":{\"settled\"' \(record) && " : ""
        let changes = [
            "rm \(file)", ": >\(file)", "cut_to \(file) \(random.below(1000))", "flip \(file) \(random.below(1000)) 1",
            "cp out/partitions/\(random.pick(dates)).sqlite \(file)", "replace folder \(file)",
        ]
        return changes.map { change in
            HistoryStep(
                "\(isSettled)[ -f \(file) ] && [ ! -e whole ] && cp -a \(file) whole && "
                    + "{ \(change) || { rm whole; false; }; }",
                .otherFile(HistoryStep.Obstacle(removal: "rm -rf \(file); mv whole \(file)")))
        }
    }

    func keep() -> HistoryStep { HistoryStep("[ -d out ] && rm -rf older && mkdir older && cp -a out older/out") }

    /// Puts an older copy in place of a file: over its bytes, or as a new file.
    private func restore(
        _ file: String, _ effect: HistoryStep.Effect, _ random: inout SplitMix64
    ) -> HistoryStep {
        let way = random.pick(["cp", "cp -a", "cp -a --remove-destination"])
        return HistoryStep("[ -f older/\(file) ] && \(way) older/\(file) \(file)", effect)
    }
}
