/// The columns whose values the user declares to be dates.
package struct DateSelection: Sendable, Equatable {
  /// True to accept every proposal that is the only one for its column.
  package var acceptsAll = false
  /// The forms by column: `trips.created_at`.
  package var columns: [String: DateForm?] = [:]

  package init() {}

  /// - Parameter texts: `all`, `TABLE.COLUMN=FORM`, or `TABLE.COLUMN=none` to exclude a column from `all`.
  /// - Throws: ``TransferError``.
  package init(_ texts: [String]) throws {
    for text in texts {
      guard text != "all" else {
        acceptsAll = true
        continue
      }
      let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      let form = parts.last.flatMap { DateForm(rawValue: $0) }
      guard parts.count == 2, parts[0].contains("."), form != nil || parts[1] == "none" else {
        let forms = DateForm.allCases.map(\.rawValue).joined(separator: ", ")
        throw TransferError(
          "'--dates \(text)' is not valid: write 'all', or a column and a form such as 'trips.created_at=unix' "
            + "(forms: \(forms), none)")
      }
      columns[parts[0]] = .some(form)
    }
  }

  /// Changes the types of the selected columns.
  ///
  /// - Throws: ``TransferError`` if a column does not exist.
  package func apply(to database: inout ForeignDatabase) throws {
    var unknown = Set(columns.keys)
    for table in database.tables.indices {
      for index in database.tables[table].columns.indices {
        let column = database.tables[table].columns[index]
        let name = "\(database.tables[table].name).\(column.name)"
        if let form = columns[name] {
          unknown.remove(name)
          if let form { database.tables[table].columns[index].type = .date(form) }
        } else if acceptsAll, column.dateForms.count == 1, Self.isPlain(column.type) {
          database.tables[table].columns[index].type = .date(column.dateForms[0])
        }
      }
    }
    guard let name = unknown.sorted().first else { return }
    let proposals = database.tables.flatMap { table in
      table.columns.filter { !$0.dateForms.isEmpty }.map { "\(table.name).\($0.name)" }
    }
    throw TransferError(
      "'--dates \(name)': the database has no such column"
        + (proposals.isEmpty ? "" : "; columns that may contain dates are \(proposals.joined(separator: ", "))"))
  }

  private static func isPlain(_ type: ForeignType) -> Bool {
    [.integer, .real, .text, .decimal].contains(type)
  }
}
