import Foundation
import SchemaCommands
import SchemaDiagnostics
import SchemaDriver
import SchemaModel
import StoreTransfer
import Trellis

/// `trellis-store import --from csv|ndjson FOLDER --into STORE`.
enum ImportRows {
  private enum Format: String, CaseIterable { case text, json }

  /// - Parameter form: `csv` or `ndjson`.
  static func run(
    _ form: RowFormat, _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    guard arguments.files.count == 1 else {
      throw DriverFailure(["error: 'trellis import --from \(form.rawValue)' needs a folder with the files"], .usage)
    }
    let store = try arguments.required("--into")
    guard store.hasSuffix(".store") else {
      throw DriverFailure(["error: '\(store)': name a file that ends with '.store'"], .usage)
    }
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    let schemaFiles = try arguments["--schema"].map { try Self.schemaFiles($0, session) }
    let url = URL(fileURLWithPath: session.path(arguments.files[0]))
    let folder = try ExportRows.transferring {
      try RowFolder(url, form, schemaFiles: schemaFiles, module: arguments["--module"])
    }
    let place = try FixturePlace.places(for: [folder.target.resolved.name], store, session)[0]
    try place.check(isForced: arguments.has("--force"))
    let rejects = try arguments["--rejects"].map { try RejectFile(session.path($0)) }
    let line = ProgressLine("importing", session)
    defer { line.end() }
    do {
      let report = try ExportRows.transferring {
        var report: CopyReport?
        try place.write { partial in
          let staging = partial.deletingLastPathComponent().appendingPathComponent(".\(partial.lastPathComponent).rows")
          report = try RowImport(folder).run(
            into: partial, staging: staging, rejects: rejects.map { file in .write { try file.write($0) } } ?? .stop,
            progress: line.progress)
        }
        return report ?? CopyReport()
      }
      line.end()
      try tell(report, format, at: store, &session)
      return report.rejectedCount == 0 ? .clean : .findings
    } catch let refusal as CopyRefusal {
      line.end()
      try tell(refusal.report, format, at: nil, &session)
      return .findings
    }
  }

  private static func schemaFiles(_ path: String, _ session: Session) throws -> [SourceFile] {
    let folders = try SchemaFolder.open([path], session)
    return folders.flatMap(\.project.files)
  }

  /// - Parameter store: The store's path; nil if nothing was written.
  private static func tell(
    _ report: CopyReport, _ format: Format, at store: String?, _ session: inout Session
  ) throws {
    guard format == .text else { return try session.json(report) }
    for reject in report.rejects {
      let column = reject.column.isEmpty ? "" : "\(reject.column): "
      session.say("\(reject.table):\(reject.row): \(column)\(reject.reason)\n")
    }
    let more = report.rejectedCount - Int64(report.rejects.count)
    if more > 0 { session.say("and \(more) more\n") }
    if let store {
      for table in report.tables { session.say("\(table.entity): \(table.written) of \(table.found) rows\n") }
      session.say("\(store): \(report.writtenCount) rows\n")
    } else {
      session.say(
        "nothing was written, because \(report.rejectedCount) rows do not fit; '--rejects FILE' writes them to a file "
          + "and all others to the store\n")
    }
  }
}

/// The file for rejected rows: a JSON object per line.
private final class RejectFile: Sendable {
  private let handle: FileHandle

  init(_ path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw DriverFailure(["error: \(path) already exists: choose a different path for '--rejects'"], .usage)
    }
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else { throw DriverFailure(["error: \(path): cannot be written"], .usage) }
    self.handle = handle
  }

  deinit { try? handle.close() }

  func write(_ reject: Reject) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try handle.write(contentsOf: try encoder.encode(reject) + Data("\n".utf8))
  }
}
