/// The statements that write one row. Parameter 1 is the key, slot `n` is parameter `n + 2`.
extension EntityPlan {
  private func parameter(_ slot: Int) -> SQLFragment {
    "?\(number: slot + Int(StatementBinder.firstParameter))"
  }

  /// The parameter after those of the slots, in tables that are shared.
  var discriminatorParameter: Int32 {
    Int32(entity.columns.count) + StatementBinder.firstParameter
  }

  var insertion: SQLFragment {
    var names: [SQLFragment] = ["\(name: entity.keyColumn)"]
    var values: [SQLFragment] = ["?1"]
    for column in entity.columns {
      names.append("\(name: column.name)")
      values.append(parameter(column.slot))
    }
    if !entity.discriminators.isEmpty {
      names.append("\(name: entity.entityColumn)")
      values.append("?\(number: Int(discriminatorParameter))")
    }
    return """
      INSERT INTO \(name: entity.table) (\(names.joined(separator: ", ")))
      VALUES (\(values.joined(separator: ", ")))
      """
  }

  /// Sets the given slots of one row.
  func update(_ slots: [Int]) -> SQLFragment {
    let terms = slots.map { slot -> SQLFragment in
      "\(name: entity.columns[slot].name) = \(parameter(slot))"
    }
    return """
      UPDATE \(name: entity.table) SET \(terms.joined(separator: ", "))
      WHERE \(name: entity.keyColumn) = ?1
      """
  }

  var deletion: SQLFragment {
    "DELETE FROM \(name: entity.table) WHERE \(name: entity.keyColumn) = ?1"
  }

  /// Another row with the values a constraint forbids; its key and, in shared tables, its entity.
  ///
  /// - Parameter isNormalized: compares text by its canonical form instead of its bytes.
  func conflict(with constraint: UniqueConstraint, isNormalized: Bool) -> SQLFragment {
    var terms = zip(constraint.columns, constraint.slots).map { name, slot -> SQLFragment in
      guard isNormalized, entity.columns[slot].type.comparison == .text else {
        return "\(name: name) = \(parameter(slot))"
      }
      return "swift_nfc(\(name: name)) = swift_nfc(\(parameter(slot)))"
    }
    terms.append("\(name: entity.keyColumn) <> ?1")
    var columns: SQLFragment = "\(name: entity.keyColumn)"
    if !entity.discriminators.isEmpty { columns += ", \(name: entity.entityColumn)" }
    return """
      SELECT \(columns) FROM \(name: entity.table) WHERE \(terms.joined(separator: " AND "))
      """
  }

  /// Puts something nobody else has into a column of a row that is about to change or to go.
  func displacement(_ column: ColumnLayout) -> SQLFragment {
    let value: SQLFragment =
      switch column.type.affinity {
      case .integer: "random()"
      case .text: "hex(randomblob(16))"
      case .blob, .any: "randomblob(16)"
      }
    return """
      UPDATE \(name: entity.table) SET \(name: column.name) = \(value)
      WHERE \(name: entity.keyColumn) = ?1
      """
  }

  /// Leads the references of a column from one row to another.
  func redirection(_ column: ColumnLayout) -> SQLFragment {
    """
    UPDATE \(name: entity.table) SET \(name: column.name) = ?1 WHERE \(name: column.name) = ?2
    """
  }
}
