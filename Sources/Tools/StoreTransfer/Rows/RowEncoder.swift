import CSQLite
package import Trellis

/// The format of exported rows.
package enum RowFormat: String, CaseIterable, Sendable, Encodable {
  case csv, json, ndjson, sql
}

/// Writes a table's rows in a format.
package struct RowEncoder {
  private let format: RowFormat
  private let table: RowTable
  private let files: ExternalFolder
  /// The text before each value.
  private let prefixes: [[UInt8]]

  package init(_ format: RowFormat, _ table: RowTable, files: ExternalFolder) {
    self.format = format
    self.table = table
    self.files = files
    prefixes = table.columns.enumerated().map { index, column in
      switch format {
      case .csv, .sql: index == 0 ? [] : [UInt8(ascii: ",")]
      case .json, .ndjson: Array("\(index == 0 ? "{" : ",")\"\(column.name)\":".utf8)
      }
    }
  }

  /// Appends the text before the rows: a CSV header or the start of a JSON array.
  package func begin(_ sink: inout ByteSink) {
    switch format {
    case .csv:
      for (column, prefix) in zip(table.columns, prefixes) {
        for byte in prefix { sink.append(byte) }
        var name = column.name
        name.withUTF8 { CellText.csv(text: UnsafeRawBufferPointer($0), &sink) }
      }
      sink.append("\n")
    case .json: sink.append("[")
    case .ndjson, .sql: break
    }
  }

  /// Appends the text after the rows.
  package func end(_ sink: inout ByteSink) { if format == .json { sink.append("\n]\n") } }

  /// Appends a statement's current row. The statement must return the table's columns.
  ///
  /// - Throws: ``UnexportableValue``.
  package func append(_ statement: Statement, isFirst: Bool, to sink: inout ByteSink) throws {
    let row = statement.handle
    switch format {
    case .csv: try csv(row, &sink)
    case .json:
      sink.append(isFirst ? "\n" : ",\n")
      try json(row, &sink)
    case .ndjson:
      try json(row, &sink)
      sink.append("\n")
    case .sql: try sql(row, &sink)
    }
  }

  private func csv(_ row: OpaquePointer, _ sink: inout ByteSink) throws {
    for index in table.columns.indices {
      if index > 0 { sink.append(UInt8(ascii: ",")) }
      guard let cell = Cell(table.columns[index].form, row, Int32(index)) else { throw unexpected(index, row) }
      if let reason = CellText.csv(cell, files, &sink) { throw problem(index, row, reason) }
    }
    sink.append("\n")
  }

  private func json(_ row: OpaquePointer, _ sink: inout ByteSink) throws {
    for index in table.columns.indices {
      prefixes[index].withUnsafeBytes { sink.append($0) }
      guard let cell = Cell(table.columns[index].form, row, Int32(index)) else { throw unexpected(index, row) }
      if let reason = CellText.json(cell, files, &sink) { throw problem(index, row, reason) }
    }
    sink.append("}")
  }

  private func sql(_ row: OpaquePointer, _ sink: inout ByteSink) throws {
    sink.append("INSERT INTO ")
    sink.append(SQLFragment.quoted(table.name))
    sink.append(" VALUES(")
    for index in table.columns.indices {
      if index > 0 { sink.append(",") }
      let value = Statement.value(row, Int32(index))
      guard table.columns[index].form == .external, case .text = value else {
        SQLLiteral.append(value, to: &sink)
        continue
      }
      sink.append("x'")
      let name = Statement.bytes(row, Int32(index))
      if let reason = files.read(name, { SQLLiteral.append(hexadecimal: $0, to: &sink) }) {
        throw problem(index, row, reason)
      }
      sink.append("'")
    }
    sink.append(");\n")
  }

  // MARK: Errors

  private func unexpected(_ index: Int, _ row: OpaquePointer) -> UnexportableValue {
    problem(index, row, "is not \(table.columns[index].form.noun)")
  }

  private func problem(_ index: Int, _ row: OpaquePointer, _ reason: String) -> UnexportableValue {
    let keys = table.keys.compactMap { key in table.columns.firstIndex { $0.column == key } }
    let numbers = keys.map { Statement.text(row, Int32($0)) }
    return UnexportableValue(table.columns[index], of: table, row: numbers.joined(separator: "-"), reason)
  }
}
