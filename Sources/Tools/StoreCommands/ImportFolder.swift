import Foundation
import SchemaCommands
import SchemaDriver
import SchemaModel
import StoreTransfer

/// `import --from csv|ndjson`: exported files, or files of another program with a schema, become a store.
enum ImportFolder {
  static func run(_ format: RowFormat, _ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments.files.count == 1 else {
      throw DriverFailure(["error: 'trellis import --from \(format.rawValue)' needs a folder with the files"], .usage)
    }
    _ = try arguments.required("--into")
    let options = try RowImportOptions(arguments, session)
    guard let store = options.store else { throw DriverFailure(["error: '--into' is missing"], .usage) }
    let url = URL(fileURLWithPath: session.path(arguments.files[0]))
    let schema = try arguments["--schema"].map { try SchemaFolder.open([$0], session).flatMap(\.project.files) }
    let folder = try TransferFailure.reported {
      try RowFolder(url, format, schemaFiles: schema, module: arguments["--module"])
    }
    if options.isDry {
      for (table, file) in folder.tables { session.say("\(file?.lastPathComponent ?? "no file"): \(table.name)\n") }
      return .clean
    }
    var copied = CopyReport()
    let policy: RejectPolicy = options.rejects.map { rejects in .write { try rejects.write($0) } } ?? .stop
    let bar = ProgressBar()
    defer { bar.clear() }
    try TransferFailure.reported {
      try store.write { partial in
        // Beside the store, because the folder for temporary files may be small.
        let staging = partial.deletingLastPathComponent().appendingPathComponent("\(partial.lastPathComponent)-rows")
        copied = try FolderImport(folder)
          .run(into: partial, staging: staging, rejects: policy, progress: bar.update)
      }
    }
    bar.clear()
    switch options.format {
    case .json: try session.json(copied)
    case .text:
      for table in copied.tables {
        let rejected = table.rejected == 0 ? "" : ", \(table.rejected) rejected"
        session.say("\(table.origin) -> \(table.entity): \(RowImport.count(table.written, "row"))\(rejected)\n")
      }
    }
    return copied.rejectedCount == 0 ? .clean : .findings
  }
}
