/// Writes the members of lists that the rows of the members do not contain: pairs, and positions.
extension StoreSavePass {
  func writeLists() throws {
    for group in groups {
      for list in group.plan.writtenLists {
        for position in group.positions {
          let buffer = request.inserted[position].buffer
          guard let members = buffer.references(request.inserted[position].index, list.slot),
            !members.isEmpty
          else { continue }
          // An existing row with the values of a new model keeps its members.
          let keys = try members.map(row)
          if merged.contains(position) { try noteMembers(keys, list, of: rows[position], group.plan) }
          try write(list, of: rows[position], keys, before: [])
        }
      }
    }
    guard updatesLists else { return }
    for snapshot in request.updated {
      let lists = try plan(for: snapshot.buffer).writtenLists
      guard !lists.isEmpty, let owner = snapshot.persistentIdentifier.row else { continue }
      for list in lists where snapshot.changedLists?.contains(list.slot) ?? true {
        guard let members = snapshot.buffer.references(snapshot.index, list.slot) else { continue }
        let former = try snapshot.formerMembers(list.slot)?.map(row)
        try write(list, of: owner, try members.map(row), before: former)
      }
    }
  }

  func row(of member: PersistentIdentifier) throws -> Int64 {
    if let row = member.row {
      if !member.isTemporary { return row }
      if let saved = keys[row] { return saved }
    }
    throw SwiftDataError.modelValidationFailure.explained(
      "\(member) is neither in this store nor inserted by this save")
  }

  /// Records that an existing row with the values of a new model gets more members.
  private func noteMembers(
    _ members: [Int64], _ list: ListLayout, of row: Int64, _ plan: EntityStatements
  ) throws {
    guard history != nil else { return }
    if case .join(let table, let owner, let member, let position) = list.kind {
      let pairs = PairTable(table: table, owner: owner, member: member, position: position)
      let known = try pairs.members(of: row, connection)
      if position == nil, Set(members).isSubset(of: known) { return }
    }
    try noteChange(of: row, plan, PropertySet(), lists: PropertySet(list.slot))
  }

  /// Writes the members of one list.
  ///
  /// - Parameter before: the members that the list had when the context read it; nil if the context has not read it.
  ///   Only the differences are written, because another context may have changed the list, too.
  func write(
    _ list: ListLayout, of owner: Int64, _ members: [Int64], before: [Int64]?
  ) throws {
    switch list.kind {
    case .foreignKey: try place(members, list)
    case .join(let table, let ownerColumn, let memberColumn, let position):
      let pairs = PairTable(
        table: table, owner: ownerColumn, member: memberColumn, position: position)
      let isMirrored = list.isMirrored
      let known = try before ?? pairs.members(of: owner, connection)
      let wanted = Set(members)
      for member in known where !wanted.contains(member) {
        try pairs.remove(owner, member, connection)
        if isMirrored { try pairs.remove(member, owner, connection) }
      }
      let existing = Set(known)
      for (place, member) in members.enumerated() {
        if existing.contains(member) {
          if position != nil { try pairs.move(owner, member, place, connection) }
          continue
        }
        try pairs.add(owner, member, place, connection)
        if isMirrored { try pairs.add(member, owner, nil, connection) }
      }
    }
  }

  /// Writes the positions of an ordered list into the rows of its members.
  private func place(_ members: [Int64], _ list: ListLayout) throws {
    guard let column = list.orderColumn else { return }
    let entity = try store.plans.plan(named: list.destination).entity
    let fragment: SQLFragment = """
      UPDATE \(name: entity.table) SET \(name: column) = ?1
      WHERE \(name: entity.keyColumn) = ?2 AND \(name: column) IS NOT ?1
      """
    let statement = try connection.take(fragment.text)
    defer { connection.giveBack(statement) }
    for (place, member) in members.enumerated() {
      statement.bind(Int64(place), at: 1)
      statement.bind(member, at: 2)
      try statement.run()
    }
  }
}

/// A table with the pairs of one relationship, from the side of one of its ends.
private struct PairTable {
  let table: String
  let owner: String
  let member: String
  let position: String?

  func members(of key: Int64, _ connection: Connection) throws -> [Int64] {
    try connection.integers(
      "SELECT \(name: member) FROM \(name: table) WHERE \(name: owner) = \(value: .integer(key))")
  }

  func add(_ key: Int64, _ other: Int64, _ place: Int?, _ connection: Connection) throws {
    let conflict: SQLFragment = "ON CONFLICT (\(name: owner), \(name: member)) DO"
    guard let position, let place else {
      return try connection.executeCached(
        """
        INSERT INTO \(name: table) (\(name: owner), \(name: member))
        VALUES (\(value: .integer(key)), \(value: .integer(other))) \(conflict) NOTHING
        """)
    }
    try connection.executeCached(
      """
      INSERT INTO \(name: table) (\(name: owner), \(name: member), \(name: position))
      VALUES (\(value: .integer(key)), \(value: .integer(other)), \(value: .integer(Int64(place))))
      \(conflict) UPDATE SET \(name: position) = excluded.\(name: position)
      """)
  }

  func move(_ key: Int64, _ other: Int64, _ place: Int, _ connection: Connection) throws {
    guard let position else { return }
    try connection.executeCached(
      """
      UPDATE \(name: table) SET \(name: position) = \(value: .integer(Int64(place)))
      WHERE \(name: owner) = \(value: .integer(key)) AND \(name: member) = \(value: .integer(other))
      """)
  }

  func remove(_ key: Int64, _ other: Int64, _ connection: Connection) throws {
    try connection.executeCached(
      """
      DELETE FROM \(name: table)
      WHERE \(name: owner) = \(value: .integer(key)) AND \(name: member) = \(value: .integer(other))
      """)
  }
}
