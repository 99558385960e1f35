/// The statements that write one row. Parameter 1 is the key, slot `n` is parameter `n + 2`.
extension EntityStatements {
  private func parameter(_ slot: Int) -> SQLFragment {
    "?\(number: slot + Int(StatementBinder.firstParameter))"
  }

  /// The parameter after those of the slots, in tables that are shared.
  package var discriminatorParameter: Int32 {
    Int32(entity.columns.count) + StatementBinder.firstParameter
  }

  /// The columns that an insertion sets, with their parameters.
  package var parameters: [(name: String, number: Int32)] {
    var all: [(name: String, number: Int32)] = [(entity.keyColumn, 1)]
    all += entity.columns.map { ($0.name, Int32($0.slot) + StatementBinder.firstParameter) }
    all += extraMembers(entity.columns).map { ($0.name, $0.parameter) }
    if !entity.discriminators.isEmpty { all.append((entity.entityColumn, discriminatorParameter)) }
    return all
  }

  package var insertion: SQLFragment { insertion(parameters) }

  package func insertion(_ parameters: [(name: String, number: Int32)]) -> SQLFragment {
    let values = parameters.map { "?\(number: Int($0.number))" as SQLFragment }
    return """
      INSERT INTO \(name: entity.table) (\(names: parameters.map(\.name)))
      VALUES (\(values.joined(separator: ", ")))
      """
  }

  /// Sets the given slots of one row.
  package func update(_ slots: [Int]) -> SQLFragment {
    let columns = slots.map { entity.columns[$0] }
    let terms =
      columns.map { "\(name: $0.name) = \(parameter($0.slot))" as SQLFragment }
      + extraMembers(columns).map { "\(name: $0.name) = ?\(number: Int($0.parameter))" }
    return """
      UPDATE \(name: entity.table) SET \(terms.joined(separator: ", "))
      WHERE \(name: entity.keyColumn) = ?1
      """
  }

  /// The columns of flattened structs beside those of their slots.
  private func extraMembers(_ columns: [ColumnLayout]) -> [MemberLayout] {
    columns.flatMap { column in column.members.filter { $0.name != column.name } }
  }

  /// The column a parameter is for, counted from the first slot's.
  func columnName(ofParameter index: Int) -> String {
    if entity.columns.indices ~= index { return entity.columns[index].name }
    let parameter = Int32(index) + StatementBinder.firstParameter
    return extraMembers(entity.columns).first { $0.parameter == parameter }?.name ?? ""
  }

  package var deletion: SQLFragment {
    "DELETE FROM \(name: entity.table) WHERE \(name: entity.keyColumn) = ?1"
  }

  /// Selects the key of another row with the values of a constraint.
  ///
  /// - Parameter isNormalized: compares text by its canonical form instead of its bytes.
  package func conflict(with constraint: UniqueConstraint, isNormalized: Bool) -> SQLFragment {
    var terms = zip(constraint.columns, constraint.slots).map { name, slot -> SQLFragment in
      let column = entity.columns[slot]
      let member = column.members.first { $0.name == name }
      let value: SQLFragment =
        member.map { "?\(number: Int($0.parameter))" } ?? parameter(slot)
      guard isNormalized, (member?.type ?? column.type).comparison == .text else {
        return "\(name: name) = \(value)"
      }
      return "swift_nfc(\(name: name)) = swift_nfc(\(value))"
    }
    if let last = extraMembers(constraint.slots.map { entity.columns[$0] }).last {
      // All properties of a struct are bound, so the statement must have as many parameters.
      terms.append("?\(number: Int(last.parameter)) IS ?\(number: Int(last.parameter))")
    }
    terms.append("\(name: entity.keyColumn) <> ?1")
    if !constraint.classes.isEmpty {
      terms.append("\(name: entity.entityColumn) IN (\(literals: constraint.classes))")
    }
    return """
      SELECT \(name: entity.keyColumn) FROM \(name: entity.table) WHERE \(terms.joined(separator: " AND "))
      """
  }

  /// Puts values that no other row has into a column of rows that are about to be changed or deleted. Parameter 1 is a list
  /// of keys.
  func displacement(_ name: String, _ affinity: ColumnType.Affinity) -> SQLFragment {
    let value: SQLFragment =
      switch affinity {
      case .integer: "random()"
      case .text: "hex(randomblob(16))"
      case .blob, .any: "randomblob(16)"
      }
    return """
      UPDATE \(name: entity.table) SET \(name: name) = \(value)
      WHERE \(name: entity.keyColumn) IN (SELECT "value" FROM json_each(?1)) AND \(name: name) IS NOT NULL
      """
  }
}
