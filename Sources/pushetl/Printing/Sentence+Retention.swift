import Calendar
import Foundation
import Messages
import Partitions
import Pipelines

extension Sentence {
    /// A log date in reach of which nothing settles.
    func message(hindrance: Int32, windowDays: Int) -> Message {
        let date = LogDate(dayNumber: Int(hindrance))
        return Message.told(
            "ids_stay",
            "ids of \(date.adding(days: -2 * windowDays)) to \(date.adding(days: 2 * windowDays)) stay: the partition of \(date) is "
                + "damaged or gone; put it back from a backup, load it again from the same files, or give its figures up with "
                + "'pushetl backfill --forget \(date)'",
            logDate: date)
    }

    /// Files that came after their log date was closed.
    func message(refused state: LogDateState) -> Message? {
        if state.partition == .damaged {
            let why =
                state.reasons.isEmpty
                ? state.hasFormerFiles ? "there are no files" : "which are not known" : reasons(of: state)
            return Message.told(
                "closed",
                "\(state.date) is closed and damaged, so it is loaded from exactly the files of its former load only: \(why); put "
                    + "what is damaged back from a backup", logDate: state.date)
        }
        guard state.refusedFiles > 0 else { return nil }
        let files = Text.plural(state.refusedFiles, "new file")
        return Message.told(
            "closed", "\(state.date) is closed: \(files) \(state.refusedFiles == 1 ? "was" : "were") not loaded",
            logDate: state.date)
    }
}
