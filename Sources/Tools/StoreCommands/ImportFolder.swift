import Foundation
import SchemaCommands
import SchemaDriver
import SchemaModel
import StoreCare
import StoreTransfer

/// `import --from csv|ndjson`: creates a store from exported files, or from third-party files and a schema.
enum ImportFolder {
  static func run(_ format: RowFormat, _ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments.files.count == 1 else {
      throw DriverFailure(["error: 'trellis import --from \(format.rawValue)' needs a folder with the files"], .usage)
    }
    _ = try arguments.required("--into")
    let options = try RowImportOptions(arguments, session)
    let url = URL(fileURLWithPath: session.path(arguments.files[0]))
    let schema = try arguments["--schema"].map { try SchemaFolder.open([$0], session).flatMap(\.project.files) }
    let folder = try TransferFailure.reported {
      try RowFolder(url, format, schemaFiles: schema, module: arguments["--module"])
    }
    if options.isDry {
      for (table, file) in folder.tables { session.say("\(file?.lastPathComponent ?? "no file"): \(table.name)\n") }
      return .clean
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    let sources =
      names.map { url.appendingPathComponent($0).path } + (arguments.options["--schema"] ?? []).map(session.path)
    let output = try ImportOutput([], from: sources, options)
    let bar = ProgressBar()
    defer { bar.clear() }
    let report = try TransferFailure.reported(options.store?.path ?? "") {
      try output.write(&session) { partial, policy in
        // Next to the store, because the temporary folder may be small.
        let staging = partial.deletingLastPathComponent().appendingPathComponent("\(partial.lastPathComponent)-rows")
        return try FolderImport(folder)
          .run(into: partial, staging: staging, rejects: policy, progress: bar.update)
      }
    }
    guard let copied = report else { return .clean }
    bar.clear()
    switch options.format {
    case .json: try session.json(copied)
    case .text:
      for table in copied.tables {
        let rejected = table.rejected == 0 ? "" : ", \(table.rejected) rejected"
        session.say("\(table.origin) -> \(table.entity): \(counted(table.written, "row"))\(rejected)\n")
      }
    }
    return copied.rejectedCount == 0 ? .clean : .findings
  }
}
