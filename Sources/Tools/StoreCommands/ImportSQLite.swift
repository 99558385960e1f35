package import Foundation
package import SchemaCommands
package import SchemaDriver
import SchemaImport
import StoreCare
package import StoreTransfer

/// `import --from sqlite`: creates a schema file and a store from an existing database.
enum ImportSQLite {
  static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments.files.count == 1, let shown = arguments.files.first else {
      throw DriverFailure(["error: 'trellis import --from sqlite' needs one database file"], .usage)
    }
    let options = try RowImportOptions(arguments, session)
    let name = try Import.name(arguments["--name"], session.path(shown))
    return try TransferFailure.reported(options.store?.path ?? shown) {
      let bar = ProgressBar()
      let file = try ForeignFile(session.path(shown), shownAs: shown)
      var database = try SQLiteReader.read(file, name: name, progress: bar.update)
      bar.clear()
      try options.dates.apply(to: &database)
      let draft = SchemaDraft(database, name: name)
      let target = try draft.target(module: name)
      let run = RowImport(draft: draft, source: shown, sources: [session.path(shown)], options: options)
      return try run.finish(&session) { url, rejects in
        defer { bar.clear() }
        let plan = try DraftPlan.plan(draft, into: target, from: file.url)
        try target.create(at: url)
        return try file.read {
          try CopyEngine(plan, into: target).run(at: url, rejects: rejects, progress: bar.update)
        }
      }
    }
  }
}

/// Options for imports that copy rows.
package struct RowImportOptions {
  let folder: String
  let store: StoreTarget?
  let storePath: String?
  let rejects: RejectFile?
  package let dates: DateSelection
  let format: Import.Format
  let isDry: Bool
  let isForced: Bool

  package init(_ arguments: Arguments, _ session: Session) throws {
    folder = session.path(arguments["--output"] ?? ".")
    isDry = arguments.has("--dry-run")
    isForced = arguments.has("--force")
    format = try arguments.choice("--format", Import.Format.allCases) ?? .text
    do {
      dates = try DateSelection(arguments.options["--dates"] ?? [])
    } catch {
      throw DriverFailure(["error: \(error)"], .usage)
    }
    if let path = arguments["--into"] {
      if case .database = StoreAddress(path, session) {
        throw DriverFailure(["error: '--into' needs a file: rows cannot be imported into a database"], .usage)
      }
      let target = StoreTarget(path, isForced: isForced, session)
      if !isDry { try target.check() }
      store = target
    } else {
      store = nil
    }
    storePath = arguments["--into"].map(session.path)
    guard let path = arguments["--rejects"] else {
      rejects = nil
      return
    }
    guard store != nil else {
      throw DriverFailure(["error: '--rejects' applies to copied rows; name a store with '--into'"], .usage)
    }
    rejects = try RejectFile(path, session, isForced: isForced)
  }
}

/// Completes an import: writes the schema file and the store, and reports the result.
package struct RowImport {
  let draft: SchemaDraft
  let source: String
  /// The source file paths.
  let sources: [String]
  let options: RowImportOptions

  package init(draft: SchemaDraft, source: String, sources: [String] = [], options: RowImportOptions) {
    self.draft = draft
    self.source = source
    self.sources = sources
    self.options = options
  }

  /// - Parameter copy: Fills a store.
  package func finish(
    _ session: inout Session, copy: (URL, RejectPolicy) throws -> CopyReport
  ) throws -> ExitStatus {
    let file = ImportResult.File(path: "\(draft.name).schema", text: draft.text)
    let output = try ImportOutput([file], from: sources, options)
    if options.isDry {
      session.say("// \(file.path)\n\(file.text)\n")
      return try report(nil, &session)
    }
    return try report(try output.write(&session, copy: copy), &session)
  }

  private struct Report: Encodable {
    var schema: String
    var rows: [String: Int64]
    var notes: [TransferNote]
    var copy: CopyReport?
  }

  private func report(_ copied: CopyReport?, _ session: inout Session) throws -> ExitStatus {
    let hasFindings = draft.notes.contains { $0.kind == .notCarried } || (copied?.rejectedCount ?? 0) > 0
    switch options.format {
    case .json:
      let rows = Dictionary(
        draft.database.tables.map { ($0.name, $0.rowCount) }, uniquingKeysWith: { first, _ in first })
      try session.json(Report(schema: draft.name, rows: rows, notes: draft.notes, copy: copied))
    case .text:
      for line in lines(copied) { session.note(line + "\n") }
    }
    return hasFindings ? .findings : .clean
  }

  private func lines(_ copied: CopyReport?) -> [String] {
    let tables = draft.database.tables
    let columns = tables.reduce(0) { $0 + $1.columns.count }
    let rows = tables.reduce(0) { $0 + $1.rowCount }
    let pairs = draft.joins.isEmpty ? "" : " and \(counted(draft.joins.count, "many-to-many relationship"))"
    var lines = [
      "found \(counted(tables.count, "table")) with \(counted(columns, "column")) and "
        + "\(counted(rows, "row")) in \(source); \(options.isDry ? "would write" : "wrote") "
        + "\(counted(draft.models.count, "model"))\(pairs) to \(draft.name).schema"
    ]
    if copied == nil { lines += tables.map { "\($0.name): \(counted($0.rowCount, "row"))" } }
    for (title, kind) in [("not carried over", TransferNote.Kind.notCarried), ("to check", .check), ("dates", .date)] {
      let notes = draft.notes.filter { $0.kind == kind }
      guard !notes.isEmpty else { continue }
      lines.append("\(title): \(notes.count)")
      lines += notes.map { "  \($0.subject): \($0.message)" }
    }
    guard let copied else { return lines }
    lines += copied.tables.map { table in
      let rejected = table.rejected == 0 ? "" : ", \(table.rejected) rejected"
      return "\(table.origin) -> \(table.entity): \(counted(table.written, "row"))\(rejected), checksums equal"
    }
    if let rejects = options.rejects, copied.rejectedCount > 0 {
      lines.append("\(counted(copied.rejectedCount, "rejected row")) in \(rejects.path)")
    }
    return lines
  }
}

/// Converts import and export errors to the tool's errors.
package enum TransferFailure {
  /// - Parameter path: The file that the body writes, for file system error messages.
  package static func reported<T>(_ path: String = "the store", _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as TransferError {
      throw DriverFailure(["error: \(error)"], .usage)
    } catch let error as UnexportableValue {
      throw DriverFailure(["error: \(error)"], .findings)
    } catch let failure as CareFailure {
      throw DriverFailure(["error: \(failure)"], failure.isAboutStore ? .findings : .usage)
    } catch let refusal as CopyRefusal {
      throw failure(refusal.report)
    } catch {
      guard !(error is DriverFailure), let text = FileProblem.text(of: error, path) else { throw error }
      throw DriverFailure(["error: \(text)"], .usage)
    }
  }

  /// Lists rejected rows, or columns with different checksums.
  static func failure(_ report: CopyReport) -> DriverFailure {
    // Differences take precedence over rejected rows.
    guard report.rejectedCount == 0 || !report.isComplete else {
      let rest = report.rejectedCount - Int64(report.rejects.count)
      return DriverFailure(
        report.rejects.map(\.text) + (rest > 0 ? ["… and \(rest) more"] : []) + [
          "error: \(counted(report.rejectedCount, "row")) \(report.rejectedCount == 1 ? "does" : "do") not fit, "
            + "so nothing was written; '--rejects FILE' writes them to FILE and copies all others"
        ], .findings)
    }
    let tables = report.tables.filter { !$0.isComplete }.map { table in
      let columns = table.columns.filter { $0.sourceChecksum != $0.storeChecksum }.map(\.name)
      return "\(table.origin) -> \(table.entity): found \(table.found), wrote \(table.written), different columns: "
        + (columns.isEmpty ? "none" : columns.joined(separator: ", "))
    }
    return DriverFailure(
      tables + [
        "error: the copy differs from the source, so nothing was written; the disk or the source may be damaged"
      ],
      .findings)
  }
}
