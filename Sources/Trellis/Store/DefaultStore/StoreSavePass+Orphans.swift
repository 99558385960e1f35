extension StoreSavePass {
  /// A failure to commit with what the database knows about it: the rows that would refer to nobody.
  func explained(_ error: any Error) -> any Error {
    guard let error = error as? SQLiteError, error.isForeignKeyViolation,
      let rows = try? connection.rows("PRAGMA foreign_key_check")
    else { return error }
    let violations = rows.prefix(100).compactMap { row -> SwiftDataError.Violation? in
      guard case .text(let table) = row[0], case .integer(let key) = row[1],
        case .text(let parent) = row[2], case .integer(let number) = row[3]
      else { return nil }
      return orphan(table, key, of: parent, foreignKey: number)
    }
    guard !violations.isEmpty else { return error }
    return SwiftDataError.modelValidationFailure.listing(violations)
  }

  private func orphan(
    _ table: String, _ key: Int64, of parent: String, foreignKey number: Int64
  ) -> SwiftDataError.Violation? {
    let plans = store.plans.all.filter { $0.entity.table == table }
    guard let plan = plans.first else { return nil }
    let keys = try? connection.rows("PRAGMA foreign_key_list(\(name: table))")
    let name = keys?.lazy.compactMap { row -> String? in
      if row[0] == .integer(number), case .text(let name) = row[3] { name } else { nil }
    }.first
    let column = plans.lazy.flatMap(\.entity.columns).first { $0.name == name }
    var others: [PersistentIdentifier] = []
    if let name, let target = store.plans.all.first(where: { $0.entity.table == parent }),
      case .integer(let row)? = try? connection.rows(
        """
        SELECT \(name: name) FROM \(name: table)
        WHERE \(name: plan.entity.keyColumn) = \(value: .integer(key))
        """
      ).first?.first
    {
      others = [identifier(of: row, target)]
    }
    return SwiftDataError.Violation(
      model: identifier(of: key, plan), properties: column.map { [$0.property.name] } ?? [],
      rule: .required, reason: "refers to a row of '\(parent)' that would not exist", others: others)
  }
}
