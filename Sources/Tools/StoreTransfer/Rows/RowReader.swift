import Foundation
import StoreCare
import Trellis

/// Converts file records to rows in stored form.
struct RowReader {
  /// A converted record.
  enum Outcome {
    /// The values in column order. The key is NULL if the record has none.
    case row([SQLValue])
    case reject(column: String, reason: String)
  }

  private let table: RowTable
  private let parsers: [CellParser]
  /// Default values for missing columns; `nil` if a value is required.
  private let defaults: [SQLValue?]
  /// All columns that belong to a class.
  private let owned: Set<Int>
  /// Each optional struct's presence column and property columns.
  private let members: [(presence: Int, members: [Int])]
  /// The largest key so far. It includes rejected records, because other rows may refer to them.
  private(set) var largestKey: Int64 = 0

  init(_ table: RowTable, _ target: TransferTarget) {
    self.table = table
    parsers = table.columns.map { CellParser($0) }
    owned = table.classes.reduce(into: []) { $0.formUnion($1.columns) }
    defaults = table.columns.map { column in
      if column.form == .className { return table.classes.first.map { .text($0.name) } }
      return target.catalogue.preset(of: column.column, in: table.name) ?? (column.isRequired ? nil : .null)
    }
    members = table.columns.indices.filter { table.columns[$0].form == .presence }.map { presence in
      let prefix = table.columns[presence].name + "."
      return (presence, table.columns.indices.filter { table.columns[$0].name.hasPrefix(prefix) })
    }
  }

  // MARK: CSV

  /// A CSV file's columns.
  struct Header {
    /// The table column for each field.
    var columns: [Int]
    var missing: [Int]
  }

  /// - Throws: ``TransferError`` if a column is unknown or occurs twice, or if a required column is missing.
  func header(_ record: CSVRecord, of file: URL) throws -> Header {
    func failure(_ reason: String) -> TransferError { TransferError("\(file.path):\(record.line): \(reason)") }
    if let problem = record.problem { throw failure(problem) }
    var columns: [Int] = []
    for name in record.texts {
      guard let index = table.column(named: name) else {
        let known = table.columns.map(\.name).joined(separator: ", ")
        throw failure("'\(table.name)' has no column '\(name.prefix(100))'; it has \(known)")
      }
      guard !columns.contains(index) else { throw failure("column '\(name)' occurs twice") }
      columns.append(index)
    }
    let missing = table.columns.indices.filter { !columns.contains($0) }
    // Rows without keys are numbered.
    for index in missing where defaults[index] == nil && (index > 0 || table.classes.isEmpty) {
      throw failure("column '\(table.columns[index].name)' is missing, and '\(table.name)' needs a value")
    }
    return Header(columns: columns, missing: missing)
  }

  mutating func row(_ record: CSVRecord, _ header: Header) -> Outcome {
    if let problem = record.problem { return .reject(column: "", reason: problem) }
    return record.withBytes { bytes in
      var failure: Outcome?
      if record.fields.count != header.columns.count {
        failure = .reject(
          column: "", reason: "has \(counted(record.fields.count, "field")) instead of \(header.columns.count)")
      } else if let reason = Self.problem(in: bytes) {
        failure = .reject(column: "", reason: reason)
      }
      var values = defaultValues(header.missing)
      // The remaining fields of a rejected record may contain the key.
      for (field, index) in zip(record.fields, header.columns) {
        let text = UnsafeRawBufferPointer(rebasing: bytes[field.range])
        let column = table.columns[index]
        guard let value = parsers[index].csv(text, isQuoted: field.isQuoted, isRequired: column.isRequired) else {
          failure = failure ?? .reject(column: column.name, reason: unexpected(index, text))
          continue
        }
        values[index] = value
      }
      recordKey(values[0])
      return failure ?? checked(&values, isMissing: header.missing)
    }
  }

  // MARK: NDJSON

  /// - Parameter line: The line's bytes; `nil` if the line is too long.
  mutating func row(_ line: UnsafeRawBufferPointer?) -> Outcome {
    guard let line else { return .reject(column: "", reason: "the line is too long") }
    var values: [SQLValue?] = Array(repeating: nil, count: table.columns.count)
    var failure: (column: String, reason: String)?
    var next = 0
    var scanner = JSONScanner(line)
    let isObject = scanner.members { name, value in
      let name = UnsafeRawBufferPointer(rebasing: line[name])
      // Exported objects list the members in column order.
      let isNext = next < values.count && name.elementsEqual(table.columns[next].name.utf8)
      let found = isNext ? next : JSONScanner.text(name).flatMap { table.column(named: $0) }
      guard let index = found else {
        let text = String(decoding: name.prefix(100), as: UTF8.self)
        return failure = failure ?? (text, "'\(table.name)' has no column of this name")
      }
      next = index + 1
      guard values[index] == nil else { return failure = failure ?? (table.columns[index].name, "occurs twice") }
      guard let converted = parsers[index].json(value, in: line) else {
        return failure = failure ?? (table.columns[index].name, unexpected(index, bytes(of: value, line)))
      }
      values[index] = converted
    }
    recordKey(values[0])
    if let reason = Self.problem(in: line) { return .reject(column: "", reason: reason) }
    guard isObject else { return .reject(column: "", reason: "the line is not a JSON object") }
    if let failure { return .reject(column: failure.column, reason: failure.reason) }
    let missing = values.indices.filter { values[$0] == nil }
    let defaults = defaultValues(missing)
    var row = values.indices.map { values[$0] ?? defaults[$0] }
    return checked(&row, isMissing: missing)
  }

  private func bytes(of value: JSONScanner.Value, _ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    switch value {
    case .number(let range), .string(let range), .compound(let range): UnsafeRawBufferPointer(rebasing: line[range])
    case .null, .boolean: UnsafeRawBufferPointer(rebasing: line[0..<0])
    }
  }

  // MARK: Checks

  private static func problem(in bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.contains(0) { return "the record contains a null character" }
    return UnicodeText.isASCII(bytes) || UnicodeText.isValid(bytes) ? nil : "the record is not valid UTF-8"
  }

  private func unexpected(_ index: Int, _ text: UnsafeRawBufferPointer) -> String {
    let value = String(decoding: text.prefix(60), as: UTF8.self) + (text.count > 60 ? "…" : "")
    return "'\(value)' is not \(parsers[index].noun)"
  }

  private func defaultValues(_ missing: [Int]) -> [SQLValue] {
    var values = [SQLValue](repeating: .null, count: table.columns.count)
    for index in missing { values[index] = defaults[index] ?? .null }
    return values
  }

  private mutating func recordKey(_ value: SQLValue?) {
    if case .integer(let key)? = value { largestKey = max(largestKey, key) }
  }

  /// Fills in presence columns and checks the row against its class, which table constraints cannot do.
  private func checked(_ values: inout [SQLValue], isMissing missing: [Int]) -> Outcome {
    for group in members where missing.contains(group.presence) {
      values[group.presence] = group.members.contains { values[$0] != .null } ? .integer(1) : .null
    }
    var rowClass = table.classes.first
    if let column = table.classColumn, case .text(let name) = values[column] { rowClass = table.row(class: name) }
    guard let rowClass else {
      for (index, column) in table.columns.enumerated() where column.isRequired && values[index] == .null {
        return .reject(column: column.name, reason: "a value is missing")
      }
      return .row(values)
    }
    for required in rowClass.required where values[required.column] == .null {
      if let presence = required.presence, values[presence] == .null { continue }
      return .reject(column: table.columns[required.column].name, reason: "a value is missing")
    }
    for index in owned where values[index] != .null && !rowClass.columns.contains(index) {
      return .reject(column: table.columns[index].name, reason: "'\(rowClass.name)' has no such property")
    }
    return .row(values)
  }
}
