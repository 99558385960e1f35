/// The columns that the user declares as dates.
package struct DateSelection: Sendable, Equatable {
  /// True to accept the proposed form for every column that has a single proposal.
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
          if form != nil, let reason = Self.reference(column.name, of: database.tables[table]) {
            throw TransferError("'--dates \(name)': the column \(reason), which has no date")
          }
          if let form { database.tables[table].columns[index].type = .date(form) }
        } else if acceptsAll, column.dateForms.count == 1, Self.isPlain(column.type),
          Self.reference(column.name, of: database.tables[table]) == nil
        {
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

  /// Describes a column that becomes a row key or a relationship.
  private static func reference(_ column: String, of table: ForeignTable) -> String? {
    if table.numbering == .column(column) { return "is the primary key and becomes the store's row key" }
    return table.foreignKeys.contains { $0.columns == [column] } ? "is a foreign key and becomes a relationship" : nil
  }

  private static func isPlain(_ type: ForeignType) -> Bool {
    [.integer, .real, .text, .decimal].contains(type)
  }
}
