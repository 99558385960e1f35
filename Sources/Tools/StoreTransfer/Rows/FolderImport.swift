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
    let connection = try Connection(staging.path, .creating)
    let passes = try stage(connection, rejects: rejects, progress)
    let staged = CopyReport(tables: passes.map(\.report), rejects: passes.flatMap(\.listed))
    if case .stop = rejects, staged.rejectedCount > 0 { throw CopyRefusal(report: staged) }
    try folder.target.create(at: url)
    /// Replaces the stored values in a reject by the record's own fields.
    func original(_ reject: Reject) throws -> Reject {
      guard let pass = passes.first(where: { $0.origin == reject.table }) else { return reject }
      var reject = reject
      reject.values = try pass.fields(ofLine: reject.row, connection) ?? reject.values
      return reject
    }
    func combined(_ copied: CopyReport) throws -> CopyReport {
      Self.combined(CopyReport(tables: copied.tables, rejects: try copied.rejects.map(original)), staged)
    }
    let policy: RejectPolicy =
      if case .write(let write) = rejects { .write { try write(original($0)) } } else { .stop }
    do {
      return try combined(
        CopyEngine(plan(source: staging, passes), into: folder.target).run(at: url, rejects: policy, progress: progress)
      )
    } catch let refusal as CopyRefusal {
      throw CopyRefusal(report: try combined(refusal.report))
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

  /// The word for row numbers in messages.
  fileprivate static let line = "line"

  /// Reads the files into a temporary database.
  private func stage(
    _ connection: Connection, rejects: RejectPolicy, _ progress: TransferProgress
  ) throws -> [StagingPass] {
    try connection.execute("PRAGMA journal_mode = OFF")
    try connection.execute("PRAGMA synchronous = OFF")
    return try connection.write {
      try folder.tables.map { table, file in
        var pass = try StagingPass(table, file, folder, connection, rejects: rejects)
        try pass.read(progress)
        return pass
      }
    }
  }

  private func plan(source: URL, _ passes: [StagingPass]) -> CopyPlan {
    var plan = CopyPlan(
      source: source,
      tables: passes.map { pass in
        let table = pass.table
        func expression(_ name: String) -> SQLFragment { "\(column: name, of: "s")" }
        return TableCopy(
          entity: table.name, origin: pass.origin, table: table.name,
          columns: table.columns.enumerated().map { index, column in
            let value = expression(StagingPass.column(index))
            let isKey = index == 0 && !table.classes.isEmpty
            return ColumnCopy(
              name: column.column, origin: column.name,
              // Rows without keys follow the largest key, so that no reference in the files leads to them.
              expression: isKey
                ? "coalesce(\(value), \(number: Int(pass.largestKey)) + \(expression(StagingPass.number)))" : value,
              form: column.stored, isRequired: column.isRequired)
          },
          rows: "\(name: CopyPlan.schema).\(name: table.name) AS \(name: "s")",
          number: expression(StagingPass.line),
          values: table.columns.enumerated().map { ($1.name, expression(StagingPass.column($0))) },
          expectedCount: pass.rows)
      })
    plan.unit = Self.line
    return plan
  }
}

/// Reads a file into a table in the temporary database.
private struct StagingPass {
  let table: RowTable
  private let file: URL?
  private let format: RowFormat
  private let insertion: Statement
  private let rejects: RejectPolicy
  private var reader: RowReader
  private var header: RowReader.Header?
  private(set) var rows: Int64 = 0
  private var rejected: Int64 = 0
  /// The rows without keys.
  private var unnumbered: Int64 = 0
  private(set) var listed: [Reject] = []

  /// The columns with a record's line and file offset, and with consecutive numbers for the rows without keys.
  static let (line, offset, number) = ("line", "offset", "number")

  static func column(_ index: Int) -> String { "c\(index)" }

  /// Creates the table.
  init(
    _ table: RowTable, _ file: URL?, _ folder: RowFolder, _ connection: Connection, rejects: RejectPolicy
  ) throws {
    self.table = table
    self.file = file
    self.rejects = rejects
    format = folder.format
    reader = RowReader(table, folder.target)
    let columns = [Self.offset, Self.number] + table.columns.indices.map(Self.column)
    try connection.execute(
      "CREATE TABLE \(name: table.name) (\(name: Self.line) INTEGER PRIMARY KEY, \(names: columns))")
    let places = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    insertion = try Statement(
      "INSERT INTO \(SQLFragment.quoted(table.name)) VALUES (\(places))", on: connection.handle)
  }

  /// The file name.
  var origin: String { file?.lastPathComponent ?? table.name }
  var largestKey: Int64 { reader.largestKey }
  /// Counts the staged rows as written.
  var report: TableReport {
    TableReport(entity: table.name, origin: origin, found: rows + rejected, written: rows, rejected: rejected)
  }

  mutating func read(_ progress: TransferProgress) throws {
    guard let file else { return }
    if format == .csv { try readRecords(file, progress) } else { try readLines(file, progress) }
    progress(TransferStep(.reading, table.name, done: rows + rejected))
  }

  private mutating func readRecords(_ file: URL, _ progress: TransferProgress) throws {
    var parser = CSVParser()
    let table = table
    var pass = self
    func take(_ record: CSVRecord) throws {
      guard let header = pass.header else { return pass.header = try pass.reader.header(record, of: file) }
      let outcome = pass.reader.row(record, header)
      try pass.take(outcome, line: record.line, offset: record.offset, progress) {
        Self.fields(record, header, table)
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
    func take(_ line: Int64, _ offset: Int64, _ bytes: UnsafeRawBufferPointer?) throws {
      let outcome = pass.reader.row(bytes)
      try pass.take(outcome, line: line, offset: offset, progress) { Self.fields(bytes) }
    }
    try InputFile.read(file) { try parser.read($0, take) }
    try parser.finish(take)
    self = pass
  }

  private mutating func take(
    _ outcome: RowReader.Outcome, line: Int64, offset: Int64, _ progress: TransferProgress,
    _ fields: () -> [String: RejectedValue]
  ) throws {
    switch outcome {
    case .row(let row):
      insertion.bind(line, at: 1)
      insertion.bind(offset, at: 2)
      if row[0] == .null { unnumbered += 1 }
      insertion.bind(unnumbered, at: 3)
      for (index, value) in row.enumerated() { try insertion.bind(value, at: Int32(index + 4)) }
      try insertion.run()
      rows += 1
      if rows & 8191 == 0 { progress(TransferStep(.reading, table.name, done: rows + rejected)) }
    case .reject(let column, let reason):
      rejected += 1
      let reject = Reject(
        table: origin, row: line, column: column, reason: reason, values: fields(), unit: FolderImport.line)
      if listed.count < 100 { listed.append(reject) }
      if case .write(let write) = rejects { try write(reject) }
    }
  }

  // MARK: Fields of a record

  private static func fields(
    _ record: CSVRecord, _ header: RowReader.Header, _ table: RowTable
  ) -> [String: RejectedValue] {
    Dictionary(
      zip(header.columns.map { table.columns[$0].name }, record.values), uniquingKeysWith: { first, _ in first })
  }

  private static func fields(_ line: UnsafeRawBufferPointer?) -> [String: RejectedValue] {
    ["": line.map { RejectedValue($0) } ?? RejectedValue(.null)]
  }

  private struct Found: Error { let fields: [String: RejectedValue] }

  /// Reads a staged record's fields again from the file.
  ///
  /// - Parameter connection: The temporary database.
  /// - Returns: `nil` if there is no such record.
  func fields(ofLine line: Int64, _ connection: Connection) throws -> [String: RejectedValue]? {
    let offset = try connection.integers(
      "SELECT \(name: Self.offset) FROM \(name: table.name) WHERE \(name: Self.line) = \(value: .integer(line))")
    guard let file, let offset = offset.first else { return nil }
    do {
      if let header {
        var parser = CSVParser(at: offset)
        func take(_ record: CSVRecord) throws { throw Found(fields: Self.fields(record, header, table)) }
        try InputFile.read(file, from: offset, partSize: 4096) { try parser.read($0, take) }
        try parser.finish(take)
      } else {
        var parser = LineParser(at: offset)
        func take(_ line: Int64, _ offset: Int64, _ bytes: UnsafeRawBufferPointer?) throws {
          throw Found(fields: Self.fields(bytes))
        }
        try InputFile.read(file, from: offset, partSize: 4096) { try parser.read($0, take) }
        try parser.finish(take)
      }
    } catch let found as Found { return found.fields }
    return nil
  }
}
