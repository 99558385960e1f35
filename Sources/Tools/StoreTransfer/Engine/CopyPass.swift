import CSQLite
import Foundation
import Trellis

/// Copies a plan's tables inside the transaction.
final class CopyPass {
  private let plan: CopyPlan
  private let target: TransferTarget
  private let connection: Connection
  private let rejects: RejectPolicy
  private let progress: TransferProgress
  private var report = CopyReport()

  /// The maximum number of rejected rows in a report.
  static let listed = 100

  init(
    _ plan: CopyPlan, _ target: TransferTarget, _ connection: Connection, rejects: RejectPolicy,
    progress: @escaping TransferProgress
  ) {
    self.plan = plan
    self.target = target
    self.connection = connection
    self.rejects = rejects
    self.progress = progress
  }

  func run() throws -> CopyReport {
    let filled = Set(plan.tables.map(\.table))
    let tables = target.catalogue.tables.filter { filled.contains($0.name) }
    for index in tables.flatMap(\.indexes) { try connection.execute("DROP INDEX \(name: index.name)") }
    let checks = try copyTables()
    for table in tables { try addIndexes(unique: true, to: table, checks) }
    // Removing dangling references requires these indexes, to find referring rows.
    for table in tables { try addIndexes(unique: false, to: table, checks) }
    try removeDangling(checks)
    try writeMetadata(checks)
    try compare(checks)
    let isStopped = if case .stop = rejects { report.rejectedCount > 0 } else { false }
    guard report.isComplete, !isStopped else { throw CopyRefusal(report: report) }
    return report
  }

  // MARK: rows

  private func copyTables() throws -> [RowCheck] {
    let counts = plan.tables.map(\.expectedCount)
    let total = counts.contains(nil) ? nil : counts.reduce(0) { $0 + ($1 ?? 0) }
    var done: Int64 = 0
    return try plan.tables.map { table in
      progress(TransferStep(.copying, table.entity, done: done, total: total))
      let check = RowCheck(table) { [progress] rows in
        done += rows
        progress(TransferStep(.copying, table.entity, done: done, total: total))
      }
      report.tables.append(TableReport(entity: table.entity, origin: table.origin))
      try copy(table, check)
      done += check.found & 0x3FFF
      return check
    }
  }

  private func copy(_ table: TableCopy, _ check: RowCheck) throws {
    let registered = try connection.register(check)
    defer { registered() }
    let conditions = stride(from: 0, to: table.columns.count, by: RowCheck.groupSize).map { first -> SQLFragment in
      let group = table.columns[first..<min(first + RowCheck.groupSize, table.columns.count)]
      let values = group.map(\.expression).joined(separator: ", ")
      return "\(name: Connection.checkName)(\(number: first), \(table.number), \(values))"
    }
    let condition: SQLFragment = table.hasCondition ? " AND " : " WHERE "
    // Rows that repeat a key are ignored here and found afterwards.
    try connection.execute(
      """
      INSERT OR IGNORE INTO "main".\(name: table.table) (\(names: table.columns.map(\.name)))
      SELECT \(table.columns.map(\.expression).joined(separator: ", ")) FROM \(table.rows)\(condition)
      \(conditions.joined(separator: " AND "))
      """)
    let inserted = Int64(connection.changes)
    try reject(check.problems, of: check)
    if inserted < check.accepted { try rejectRepeated(check) }
  }

  /// Reports the rows that the check rejected.
  private func reject(_ problems: [RowCheck.Problem], of check: RowCheck) throws {
    for problem in problems {
      let column = check.table.columns[problem.column]
      // If nothing is written, only the listed rows are read again.
      if case .stop = rejects, report.rejects.count >= Self.listed {
        if let index = index(of: check) { report.tables[index].rejected += 1 }
        continue
      }
      let values = try sourceValues(of: check.table, "\(check.table.number) = \(value: .integer(problem.row))")
      let reason = problem.reason.text(
        values.map { value(of: column, $0.values) } ?? nil, column.form, noun: column.noun)
      try add(
        Reject(
          table: check.table.origin, row: problem.row, column: column.origin, reason: reason,
          values: values?.values ?? [:], unit: plan.unit), of: check)
    }
    guard problems.count < RowCheck.maximumProblems else {
      throw TransferError(
        "'\(check.table.origin)' has more than \(RowCheck.maximumProblems) rows that do not fit, for example: "
          + (report.rejects.last?.text ?? ""))
    }
  }

  private func value(of column: ColumnCopy, _ values: [String: RejectedValue]) -> SQLValue? {
    values[column.origin]?.value
  }

  /// Reports rows that repeat an earlier row's key.
  private func rejectRepeated(_ check: RowCheck) throws {
    let table = check.table
    let rejected = Set(check.problems.map(\.row))
    let keys = keyColumns(of: table)
    let expressions = table.columns.filter { keys.contains($0.name) }.map(\.expression).joined(separator: ", ")
    let values = table.columns.indices.map { "\(name: "v\($0)")" as SQLFragment }.joined(separator: ", ")
    let selected = zip(table.columns, table.columns.indices).map { column, index -> SQLFragment in
      "\(column.expression) AS \(name: "v\(index)")"
    }
    let statement = try Statement(
      verbatim: """
        SELECT "n", \(values) FROM (SELECT \(table.number) AS "n", \(selected.joined(separator: ", ")),
        row_number() OVER (PARTITION BY \(expressions) ORDER BY \(table.number)) AS "place" FROM \(table.rows))
        WHERE "place" > 1
        """, on: connection)
    while try statement.step() {
      let row = statement.integer(0)
      guard !rejected.contains(row) else { continue }
      check.sums.subtract(hashes(of: statement, from: 1, count: table.columns.count))
      try rejectCopied(
        row, "\(table.number) = \(value: .integer(row))", keys.first ?? "", "the row exists already", check)
    }
  }

  private func keyColumns(of table: TableCopy) -> [String] {
    let definition = target.catalogue.tables.first { $0.name == table.table }
    guard let definition, definition.key.isEmpty else { return definition?.key ?? [] }
    return definition.columns.filter(\.isRowKey).map(\.name)
  }

  // MARK: rejected rows

  /// Rejects a row that the check accepted.
  private func rejectCopied(
    _ row: Int64?, _ condition: SQLFragment, _ column: String, _ reason: String, _ check: RowCheck
  ) throws {
    let source = try sourceValues(of: check.table, condition)
    let origin = check.table.columns.first { $0.name == column }?.origin ?? column
    try add(
      Reject(
        table: check.table.origin, row: row ?? source?.row ?? 0, column: origin, reason: reason,
        values: source?.values ?? [:], unit: plan.unit), of: check)
  }

  private func add(_ reject: Reject, of check: RowCheck) throws {
    if report.rejects.count < Self.listed { report.rejects.append(reject) }
    if let index = index(of: check) { report.tables[index].rejected += 1 }
    if case .write(let write) = rejects { try write(reject) }
  }

  private func index(of check: RowCheck) -> Int? {
    plan.tables.firstIndex { $0.table == check.table.table && $0.origin == check.table.origin }
  }

  /// Returns a row's number and source values.
  private func sourceValues(
    of table: TableCopy, _ condition: SQLFragment
  ) throws -> (row: Int64, values: [String: RejectedValue])? {
    let expressions = ([table.number] + table.values.map(\.expression)).joined(separator: ", ")
    let start: SQLFragment = table.hasCondition ? " AND " : " WHERE "
    let statement = try Statement(
      verbatim: "SELECT \(expressions) FROM \(table.rows)\(start)\(condition) LIMIT 1", on: connection)
    guard try statement.step() else { return nil }
    var values: [String: RejectedValue] = [:]
    for (index, value) in table.values.enumerated() {
      values[value.name] = RejectedValue(statement.intactValue(Int32(index + 1)))
    }
    return (statement.integer(0), values)
  }

  /// Removes a row from the store and from the checksums.
  private func remove(_ key: [Int64], of check: RowCheck, because column: String, _ reason: String) throws {
    let table = check.table
    let keys = keyColumns(of: table)
    let condition = condition(key, of: table)
    guard let hashes = try storedHashes(condition, of: table) else { return }
    check.sums.subtract(hashes)
    let source = zip(keys, key).compactMap { name, key in
      table.columns.first { $0.name == name }.map { "\($0.expression) = \(value: .integer(key))" as SQLFragment }
    }
    try rejectCopied(nil, source.joined(separator: " AND "), column, reason, check)
    try connection.execute("DELETE FROM \(name: table.table) WHERE \(condition)")
  }

  /// Clears a derived reference to a rejected row.
  private func clear(_ column: ColumnCopy, of key: [Int64], _ check: RowCheck) throws {
    let condition = condition(key, of: check.table)
    guard let before = try storedHashes(condition, of: check.table) else { return }
    try connection.execute("UPDATE \(name: check.table.table) SET \(name: column.name) = NULL WHERE \(condition)")
    guard let after = try storedHashes(condition, of: check.table) else { return }
    check.sums.subtract(before)
    check.sums.add(after)
  }

  private func condition(_ key: [Int64], of table: TableCopy) -> SQLFragment {
    zip(keyColumns(of: table), key).map { "\(name: $0) = \(value: .integer($1))" as SQLFragment }
      .joined(separator: " AND ")
  }

  /// Returns the value hashes for a row in the store.
  private func storedHashes(_ condition: SQLFragment, of table: TableCopy) throws -> [UInt64]? {
    let statement = try Statement(
      verbatim: "SELECT \(names: table.columns.map(\.name)) FROM \(name: table.table) WHERE \(condition)",
      on: connection)
    return try statement.step() ? hashes(of: statement, from: 0, count: table.columns.count) : nil
  }

  private func hashes(of statement: Statement, from first: Int32, count: Int) -> [UInt64] {
    (0..<Int32(count)).map { ValueHash.of(sqlite3_column_value(statement.handle, first + $0)) }
  }

  // MARK: unique values and references

  private func addIndexes(unique: Bool, to table: TableDefinition, _ checks: [RowCheck]) throws {
    progress(TransferStep(.indexing, table.name, done: 0))
    for index in table.indexes where index.isUnique == unique {
      if unique, hasUnusualText(index, checks) { try removeDuplicates(of: index, in: table, checks) }
      do {
        try connection.execute(index.creation(on: table.name))
      } catch let error as SQLiteError where error.code == .constraint {
        try removeDuplicates(of: index, in: table, checks)
        try connection.execute(index.creation(on: table.name))
      }
    }
  }

  /// True if texts with different bytes may be equal in Swift.
  private func hasUnusualText(_ index: IndexDefinition, _ checks: [RowCheck]) -> Bool {
    checks.contains { check in
      zip(check.table.columns, check.unusual).contains { index.columns.contains($0.name) && $1 }
    }
  }

  /// Removes rows that repeat unique values, keeping the first.
  private func removeDuplicates(
    of index: IndexDefinition, in table: TableDefinition, _ checks: [RowCheck]
  ) throws {
    guard let key = table.columns.first(where: \.isRowKey)?.name else { return }
    let values = index.columns.map { column -> SQLFragment in
      let isText = table.column(named: column)?.type == .text
      return isText ? "swift_nfc(\(name: column))" : "\(name: column)"
    }
    var conditions = index.columns.map { "\(name: $0) IS NOT NULL" as SQLFragment }
    if let condition = index.condition {
      conditions.append("\(name: condition.column) IN (\(literals: condition.values))")
    }
    let keys = try connection.integers(
      """
      SELECT "k" FROM (SELECT \(name: key) AS "k",
      row_number() OVER (PARTITION BY \(values.joined(separator: ", ")) ORDER BY \(name: key)) AS "place"
      FROM \(name: table.name) WHERE \(conditions.joined(separator: " AND "))) WHERE "place" > 1
      """)
    let names = index.columns.joined(separator: ", ")
    for row in keys {
      guard let check = try check(of: row, key, table.name, checks) else { continue }
      let reason = "an earlier row has the same value of \(names), which must be unique"
      try remove([row], of: check, because: index.columns[0], reason)
    }
  }

  /// Returns the check that accepted a row. Several sources can fill the same table.
  private func check(of row: Int64, _ key: String, _ table: String, _ checks: [RowCheck]) throws -> RowCheck? {
    let found = checks.filter { $0.table.table == table }
    guard found.count > 1 else { return found.first }
    return try found.first { check in
      guard let column = check.table.columns.first(where: { $0.name == key }) else { return false }
      return try sourceValues(of: check.table, "\(column.expression) = \(value: .integer(row))") != nil
    }
  }

  /// Removes rows that refer to missing rows, and in turn the rows that refer to removed rows.
  private func removeDangling(_ checks: [RowCheck]) throws {
    let references = checks.flatMap { check in
      check.table.columns.compactMap { column in
        parent(of: column.name, in: check.table.table).map { Reference(check: check, column: column, parent: $0) }
      }
    }
    for reference in references {
      let (table, column, parent) = (reference.check.table.table, reference.column.name, reference.parent)
      var removed: [(table: String, key: Int64)] = []
      while try removeDangling(
        reference,
        """
        \(name: column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(name: parent.table) AS "p"
        WHERE "p".\(name: parent.key) = \(column: column, of: table))
        """, &removed)
      {}
      while let next = removed.popLast() {
        for child in references where child.parent.table == next.table {
          while try removeDangling(child, "\(name: child.column.name) = \(value: .integer(next.key))", &removed) {}
        }
      }
    }
  }

  private struct Reference {
    var check: RowCheck
    var column: ColumnCopy
    var parent: (table: String, key: String)
  }

  /// Removes rows with a dangling reference, or clears the reference if it is derived. Adds removed rows to `removed`.
  ///
  /// - Returns: True if there may be more rows.
  private func removeDangling(
    _ reference: Reference, _ condition: SQLFragment, _ removed: inout [(table: String, key: Int64)]
  ) throws -> Bool {
    let (check, column, parent) = (reference.check, reference.column, reference.parent)
    let keys = keyColumns(of: check.table)
    let limit = 10_000
    let found = try connection.rows(
      """
      SELECT \(names: keys), \(name: column.name) FROM \(name: check.table.table) WHERE \(condition) LIMIT \(number: limit)
      """)
    for row in found {
      let numbers = row.compactMap { if case .integer(let number) = $0 { number } else { nil } }
      guard let missing = numbers.last, numbers.count == keys.count + 1 else { continue }
      if column.isDerived {
        try clear(column, of: Array(numbers.dropLast()), check)
        continue
      }
      let reason = "refers to \(parent.table) \(missing), which is missing or was rejected"
      try remove(Array(numbers.dropLast()), of: check, because: column.name, reason)
      if keys.count == 1 { removed.append((check.table.table, numbers[0])) }
    }
    return found.count == limit
  }

  /// Returns the table and key column that a column refers to.
  private func parent(of column: String, in table: String) -> (table: String, key: String)? {
    func layout(_ table: String) -> EntityLayout? { target.catalogue.layout.entities.first { $0.table == table } }
    if let reference = target.catalogue.tables.first(where: { $0.name == table })?.column(named: column)?.reference {
      return layout(reference.table).map { ($0.table, $0.keyColumn) }
    }
    // A relationship with the rule 'noAction' has no foreign key.
    for entity in target.catalogue.layout.entities where entity.table == table {
      guard let destination = entity.columns.first(where: { $0.name == column })?.destination else { continue }
      return target.entity(named: destination).map { ($0.table, $0.keyColumn) }
    }
    return nil
  }

  // MARK: the end

  /// Records metadata for the runtime: columns with unusual values, and the next row keys.
  private func writeMetadata(_ checks: [RowCheck]) throws {
    for check in checks {
      for (column, isUnusual) in zip(check.table.columns, check.unusual) where isUnusual {
        let kind: ColumnFlags.Kind = column.form == .real ? .nan : .nonNFC
        let mark = ColumnFlags.Mark(kind: kind, table: check.table.table, column: column.name)
        try StoreMetadata.write(.integer(1), for: mark.key, connection)
      }
    }
    for entity in target.catalogue.layout.entities where entity.name == entity.rootName {
      guard let last = try connection.integers("SELECT MAX(\(name: entity.keyColumn)) FROM \(name: entity.table)").first
      else { continue }
      let next = max(1, last == .max ? last : last + 1)
      try StoreMetadata.write(.integer(next), for: StoreMetadata.Key.nextPrefix + entity.table, connection)
    }
  }

  /// Reads the store and compares counts and checksums.
  private func compare(_ checks: [RowCheck]) throws {
    for (index, check) in checks.enumerated() {
      let table = check.table
      progress(TransferStep(.comparing, table.entity, done: 0))
      report.tables[index].found = table.expectedCount ?? check.found
      let same = checks.filter { $0.table.table == table.table }
      // If several sources fill a table, they are compared together and the first reports the result.
      guard same.first === check else {
        report.tables[index].written = check.found - report.tables[index].rejected
        continue
      }
      var stored = ColumnSums(table.columns.count)
      let statement = try Statement(
        verbatim: "SELECT \(names: table.columns.map(\.name)) FROM \(name: table.table)", on: connection)
      var count = try stored.add(rowsOf: statement)
      var wanted = check.sums
      for other in same.dropFirst() {
        wanted.formUnion(other.sums)
        count -= other.found - report.tables[checks.firstIndex { $0 === other } ?? index].rejected
      }
      report.tables[index].written = count
      report.tables[index].columns = zip(table.columns, zip(wanted.texts, stored.texts)).map { column, sums in
        ColumnReport(name: column.name, sourceChecksum: sums.0, storeChecksum: sums.1)
      }
    }
  }
}

/// An import or export error, with advice for the user.
package struct TransferError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension Connection {
  static let checkName = "transfer_fits"

  /// Registers a row check as an SQL function. Call the result to remove it.
  fileprivate func register(_ check: RowCheck) throws -> () -> Void {
    let data = Unmanaged.passUnretained(check).toOpaque()
    let code = sqlite3_create_function_v2(
      handle, Self.checkName, -1, SQLITE_UTF8, data,
      { context, count, arguments in
        guard let data = sqlite3_user_data(context), let arguments, count > 2 else { return }
        let fits = Unmanaged<RowCheck>.fromOpaque(data)._withUnsafeGuaranteedRef { check in
          check.check(
            sqlite3_value_int64(arguments[1]), from: Int(sqlite3_value_int(arguments[0])),
            UnsafeBufferPointer(start: arguments + 2, count: Int(count) - 2))
        }
        sqlite3_result_int(context, fits ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle, result: code) }
    return { [self] in
      withExtendedLifetime(check) {
        _ = sqlite3_create_function_v2(handle, Self.checkName, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
      }
    }
  }
}

extension Statement {
  /// Prepares a statement for a single use.
  convenience init(verbatim fragment: SQLFragment, on connection: Connection) throws {
    try self.init(fragment.text, on: connection.handle, isKept: false)
    try bind(fragment.values)
  }

  /// Returns a value. Text that is not valid UTF-8 is returned as bytes.
  func intactValue(_ column: Int32) -> SQLValue {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT else { return value(column) }
    let bytes = ValueHash.text(sqlite3_column_value(handle, column))
    return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(Array(bytes))
  }
}
