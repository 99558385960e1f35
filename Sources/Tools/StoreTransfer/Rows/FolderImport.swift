package import Foundation
import Trellis

/// Creates a store from a folder with exported rows.
///
/// The files are first read into a temporary database in stored form, with line numbers as row numbers. ``CopyEngine``
/// then copies the rows to the store.
package struct FolderImport {
  package let folder: RowFolder

  package init(_ folder: RowFolder) { self.folder = folder }

  /// - Parameters:
  ///   - url: The store to create, which must not exist. Delete it after an error.
  ///   - staging: A path for the temporary database, which is deleted afterwards.
  ///   - rejects: How to handle rows that do not fit.
  /// - Throws: ``CopyRefusal`` if rows do not fit, ``TransferError``, and database errors.
  package func run(
    into url: URL, staging: URL, rejects: RejectPolicy, progress: @escaping TransferProgress = { _ in }
  ) throws -> CopyReport {
    defer {
      for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: staging.path + suffix) }
    }
    let staged = try stage(at: staging, rejects: rejects, progress)
    if case .stop = rejects, staged.rejectedCount > 0 { throw CopyRefusal(report: staged) }
    try folder.target.create(at: url)
    do {
      let copied = try CopyEngine(plan(source: staging, staged), into: folder.target)
        .run(at: url, rejects: rejects, progress: progress)
      return Self.combined(copied, staged)
    } catch let refusal as CopyRefusal {
      throw CopyRefusal(report: Self.combined(refusal.report, staged))
    }
  }

  /// Adds the rows that were rejected before the copy.
  private static func combined(_ copied: CopyReport, _ staged: CopyReport) -> CopyReport {
    var report = copied
    report.rejects = Array((staged.rejects + copied.rejects).prefix(100))
    for index in report.tables.indices {
      guard let own = staged.tables.first(where: { $0.entity == report.tables[index].entity }) else { continue }
      report.tables[index].found += own.rejected
      report.tables[index].rejected += own.rejected
    }
    return report
  }

  // MARK: The temporary database

  /// The column with line numbers, and their word in messages.
  fileprivate static let line = "line"

  private static func column(_ index: Int) -> String { "c\(index)" }

  /// Reads the files into a temporary database. The report counts the staged rows as written.
  private func stage(
    at url: URL, rejects: RejectPolicy, _ progress: TransferProgress
  ) throws -> CopyReport {
    let connection = try Connection(url.path, .creating)
    try connection.execute("PRAGMA journal_mode = OFF")
    try connection.execute("PRAGMA synchronous = OFF")
    var report = CopyReport()
    try connection.write {
      for (table, file) in folder.tables {
        let columns = table.columns.indices.map { "\(name: Self.column($0))" as SQLFragment }.joined(separator: ", ")
        try connection.execute(
          "CREATE TABLE \(name: table.name) (\(name: Self.line) INTEGER PRIMARY KEY, \(columns))")
        let places = [SQLFragment](repeating: "?", count: table.columns.count + 1).joined(separator: ", ")
        let insertion = try Statement(
          "INSERT INTO \(SQLFragment.quoted(table.name)) VALUES (\(places.text))", on: connection.handle)
        var pass = StagingPass(table, folder.target, insertion, rejects: rejects)
        if let file {
          try pass.read(file, folder.format, progress)
        }
        report.tables.append(
          TableReport(
            entity: table.name, origin: pass.origin, found: pass.rows + pass.rejected, written: pass.rows,
            rejected: pass.rejected))
        report.rejects += pass.listed
      }
    }
    return report
  }

  private func plan(source: URL, _ staged: CopyReport) -> CopyPlan {
    var plan = CopyPlan(
      source: source,
      tables: zip(folder.tables, staged.tables).map { entry, report in
        let table = entry.table
        func expression(_ name: String) -> SQLFragment { "\(column: name, of: "s")" }
        return TableCopy(
          entity: table.name, origin: report.origin, table: table.name,
          columns: table.columns.enumerated().map { index, column in
            ColumnCopy(
              name: column.column, origin: column.name, expression: expression(Self.column(index)),
              form: column.stored, isRequired: column.isRequired)
          },
          rows: "\(name: CopyPlan.schema).\(name: table.name) AS \(name: "s")", number: expression(Self.line),
          values: table.columns.enumerated().map { ($1.name, expression(Self.column($0))) },
          expectedCount: report.written)
      })
    plan.unit = Self.line
    return plan
  }
}

/// Reads a file into a table in the temporary database.
private struct StagingPass {
  private let table: RowTable
  private let reader: RowReader
  private let insertion: Statement
  private let rejects: RejectPolicy
  private(set) var origin: String
  private(set) var rows: Int64 = 0
  private(set) var rejected: Int64 = 0
  private(set) var listed: [Reject] = []

  init(_ table: RowTable, _ target: TransferTarget, _ insertion: Statement, rejects: RejectPolicy) {
    self.table = table
    self.insertion = insertion
    self.rejects = rejects
    reader = RowReader(table, target)
    origin = table.name
  }

  mutating func read(_ file: URL, _ format: RowFormat, _ progress: TransferProgress) throws {
    origin = file.lastPathComponent
    if format == .csv { try readRecords(file, progress) } else { try readLines(file, progress) }
    progress(TransferStep(.reading, table.name, done: rows + rejected))
  }

  private mutating func readRecords(_ file: URL, _ progress: TransferProgress) throws {
    var parser = CSVParser()
    var header: RowReader.Header?
    var pass = self
    func take(_ record: CSVRecord) throws {
      guard let known = header else { return header = try reader.header(record, of: file) }
      let outcome = reader.row(record, known, number: pass.rows + pass.rejected + 1)
      try pass.take(outcome, line: record.line, progress) {
        Dictionary(
          zip(known.columns.map { table.columns[$0].name }, record.values),
          uniquingKeysWith: { first, _ in first })
      }
    }
    try InputFile.read(file) { try parser.read($0, take) }
    try parser.finish(take)
    self = pass
    guard header != nil else { throw TransferError("\(file.path): the file has no header") }
  }

  private mutating func readLines(_ file: URL, _ progress: TransferProgress) throws {
    var parser = LineParser()
    var pass = self
    func take(_ line: Int64, _ bytes: UnsafeRawBufferPointer?) throws {
      let outcome = reader.row(bytes, number: pass.rows + pass.rejected + 1)
      try pass.take(outcome, line: line, progress) {
        ["": bytes.map { RejectedValue($0) } ?? RejectedValue(.null)]
      }
    }
    try InputFile.read(file) { try parser.read($0, take) }
    try parser.finish(take)
    self = pass
  }

  private mutating func take(
    _ outcome: RowReader.Outcome, line: Int64, _ progress: TransferProgress, values: () -> [String: RejectedValue]
  ) throws {
    switch outcome {
    case .row(let row):
      insertion.bind(line, at: 1)
      for (index, value) in row.enumerated() { try insertion.bind(value, at: Int32(index + 2)) }
      try insertion.run()
      rows += 1
      if rows & 8191 == 0 { progress(TransferStep(.reading, table.name, done: rows + rejected)) }
    case .reject(let column, let reason):
      rejected += 1
      let reject = Reject(
        table: origin, row: line, column: column, reason: reason, values: values(), unit: FolderImport.line)
      if listed.count < 100 { listed.append(reject) }
      if case .write(let write) = rejects { try write(reject) }
    }
  }
}
