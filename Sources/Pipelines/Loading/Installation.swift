import Dispatch
import Warehouse

/// Finishes a concluded partition and puts it in its place, beside other work once it is begun: its daily rows and the
/// disk take as long as the computing of the figures.
///
/// `@unchecked Sendable`: the writer belongs to its maker until `begin`, and then to the one thread that installs it; those
/// who publish meanwhile have a copy of its content, and wait for its file. `result` is written by that thread before it
/// leaves `group`, or by its maker where it never began, and read after `group` was waited for.
final class Installation: @unchecked Sendable {
    private let writer: PartitionWriter
    private let remember: @Sendable () throws -> Void
    private let group = DispatchGroup()
    private var result: Result<Void, any Error> = .success(())

    /// `writer` must not be used by anybody else from now on. `remember` is called once the partition is in its place.
    init(_ writer: PartitionWriter, remember: @escaping @Sendable () throws -> Void) {
        self.writer = writer
        self.remember = remember
    }

    /// Begins; what is returned can be published meanwhile.
    func beginArriving() throws -> ArrivingPartition {
        do {
            let partition = try writer.arriving()
            begin()
            return partition
        } catch {
            result = .failure(error)
            throw error
        }
    }

    func begin() {
        DispatchQueue.global().async(group: group) { [self] in
            result = Result {
                try writer.install()
                try remember()
            }
        }
    }

    /// Returns once the partition is in its place, durably.
    func end() throws {
        group.wait()
        try result.get()
    }
}
