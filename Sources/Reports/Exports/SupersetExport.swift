import Warehouse

package struct SupersetExport: Sendable {
    private let folder: String
    package var path: String { "\(folder)/push-superset.zip" }
    package init(to folder: String, _ questions: [Question]) { self.folder = folder }
    package func write(_ output: OutputDatabase) throws -> [ExportedFile] { [] }
}
