package import Foundation
import SchemaDiagnostics
import SchemaModel
import Trellis

/// Writes a store's rows to files: one file per table, or a single file with SQL statements.
package struct RowExport {
  package let source: StoreSource
  package let format: RowFormat
  private let filter: (table: RowTable, condition: SQLFragment)?
  private let files: ExternalFolder

  package init(_ source: StoreSource, _ format: RowFormat) {
    self.init(source, format, filter: nil)
  }

  /// Exports the rows of one model that match a predicate.
  ///
  /// - Parameters:
  ///   - model: The model's name.
  ///   - predicate: A predicate as text; see ``RowFilter``.
  /// - Throws: ``FilterError``, ``TransferError``, and `CareFailure` if SQLite cannot read the store.
  package init(_ source: StoreSource, _ format: RowFormat, model: String, where predicate: String) throws {
    let target = source.target
    let filter = try RowFilter(predicate, entity: model, in: target)
    guard let entity = target.entity(named: model), let table = target.rowTable(of: entity) else {
      throw TransferError("the store has no table for '\(model)'")
    }
    try RowFilter.prepare(source.connection)
    let condition = try source.read { try Self.condition(filter, source.connection) }
    self.init(source, format, filter: (table, condition))
  }

  /// Returns a condition that SQLite can evaluate for every row.
  private static func condition(_ filter: RowFilter, _ connection: Connection) throws -> SQLFragment {
    if case .condition(let condition) = try filter.selection(in: connection) {
      do {
        _ = try connection.integers("SELECT count(*) FROM \(filter.source) WHERE \(condition)")
        return condition
      } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {}
    }
    let keys = SQLValue.keys(try filter.keys(in: connection))
    return "\(filter.key) IN (SELECT \(name: "value") FROM json_each(\(value: keys)))"
  }

  private init(_ source: StoreSource, _ format: RowFormat, filter: (table: RowTable, condition: SQLFragment)?) {
    self.source = source
    self.format = format
    self.filter = filter
    files = ExternalFolder(ofStore: source.url.path)
  }

  /// The tables to export.
  private var tables: [RowTable] { filter.map { [$0.table] } ?? source.target.rowTables }

  /// The names of all files that ``write(to:progress:)`` creates.
  package var fileNames: [String] {
    (format == .sql ? [sqlName] : tables.map { "\($0.name).\(format.rawValue)" }) + schemaFiles.map(\.name)
  }

  private var sqlName: String { "\(source.target.resolved.name).sql" }

  private var schemaFiles: [(name: String, bytes: [UInt8])] {
    let name = source.target.resolved.name
    return source.schemaFiles.enumerated().map { number, file in
      (number == 0 ? "\(name).schema" : "\(name)-\(number + 1).schema", Array(file.bytes))
    }
  }

  /// Writes the files to an existing folder.
  ///
  /// - Throws: ``UnexportableValue``, ``TransferError``, `CareFailure`, and file system errors.
  package func write(to folder: URL, progress: TransferProgress = { _ in }) throws -> ExportReport {
    for file in schemaFiles { try Data(file.bytes).write(to: folder.appendingPathComponent(file.name)) }
    let schema = source.target.resolved
    var report = ExportReport(
      format: format, schema: schema.name, version: schema.version.description, module: source.module,
      schemaFiles: schemaFiles.map(\.name), tables: [])
    report.tables = try source.read {
      let counts = try tables.map { table in
        try source.connection.integers("SELECT count(*) FROM \(rows(of: table))").first ?? 0
      }
      var step = TransferStep(.reading, "", done: 0, total: counts.reduce(0, +))
      if format == .sql { return try writeDump(to: folder, &step, progress) }
      return try tables.map { table in
        let name = "\(table.name).\(format.rawValue)"
        let encoder = RowEncoder(format, table, files: files)
        return try OutputFile.write(folder.appendingPathComponent(name)) { sink in
          encoder.begin(&sink)
          let rows = try write(table, encoder, &sink, &step, progress)
          encoder.end(&sink)
          return ExportReport.Table(file: name, name: table.name, rows: rows, bytes: sink.total)
        }
      }
    }
    return report
  }

  /// The table alias in conditions, as in translated predicates.
  package static let alias = PredicateTranslator.rootAlias

  private func rows(of table: RowTable) -> SQLFragment {
    "\(name: table.name) AS \(name: Self.alias)\(filter.map { " WHERE \($0.condition)" } ?? "")"
  }

  private func write(
    _ table: RowTable, _ encoder: RowEncoder, _ sink: inout ByteSink, _ step: inout TransferStep,
    _ progress: TransferProgress
  ) throws -> Int64 {
    func qualified(_ columns: [String]) -> SQLFragment {
      columns.map { "\(column: $0, of: Self.alias)" as SQLFragment }.joined(separator: ", ")
    }
    let query: SQLFragment = """
      SELECT \(qualified(table.columns.map(\.column))) FROM \(rows(of: table)) ORDER BY \(qualified(table.keys))
      """
    let statement = try Statement(query.text, on: source.connection.handle, isKept: false)
    try statement.bind(query.values)
    step.name = table.name
    var rows: Int64 = 0
    while try statement.step() {
      try encoder.append(statement, isFirst: rows == 0, to: &sink)
      rows += 1
      guard rows & 8191 == 0 else { continue }
      // Stops early if the disk is full.
      try sink.check()
      step.done += 8192
      progress(step)
    }
    step.done += rows & 8191
    progress(step)
    return rows
  }

  // MARK: SQL

  private func writeDump(
    to folder: URL, _ step: inout TransferStep, _ progress: TransferProgress
  ) throws -> [ExportReport.Table] {
    try OutputFile.write(folder.appendingPathComponent(sqlName)) { sink in
      sink.append("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n")
      var reports: [ExportReport.Table] = []
      for table in tables {
        let start = sink.total
        try writeDefinitions("type = 'table'", of: table, &sink)
        let encoder = RowEncoder(.sql, table, files: files)
        let rows = try write(table, encoder, &sink, &step, progress)
        reports.append(.init(file: sqlName, name: table.name, rows: rows, bytes: sink.total - start))
      }
      for table in tables { try writeDefinitions("type = 'index' AND sql IS NOT NULL", of: table, &sink) }
      sink.append("COMMIT;\n")
      return reports
    }
  }

  private func writeDefinitions(_ kind: SQLFragment, of table: RowTable, _ sink: inout ByteSink) throws {
    let rows = try source.connection.rows(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = \(value: .text(table.name)) AND \(kind) ORDER BY rowid")
    for case .text(let sql)? in rows.map(\.first) {
      sink.append(sql)
      sink.append(";\n")
    }
  }
}

/// The result of an export.
package struct ExportReport: Encodable, Sendable, Equatable {
  package struct Table: Encodable, Sendable, Equatable {
    package var file: String
    package var name: String
    package var rows: Int64
    package var bytes: Int
  }

  /// The format version. Increase it for incompatible changes.
  package var schemaVersion = 1
  package var format: RowFormat
  package var schema: String
  package var version: String
  /// The `--module` value for a later import; `nil` if it makes no difference.
  package var module: String?
  package var schemaFiles: [String]
  package var tables: [Table]
}
