/// Writes the lists of the snapshots of a batch, and the positions of new rows in ordered lists.
extension TableBatch {
  /// Writes the lists of a snapshot.
  func writeLists(_ buffer: SnapshotBuffer, _ index: Int, of row: Int64) throws {
    for relation in relations.toMany {
      guard let members = buffer.references(index, relation.slot), !members.isEmpty else { continue }
      guard relation.inverse?.kind.isToMany != false else {
        try refuse(.derivedList(relation, of: buffer.identifier(index), definition))
        continue
      }
      let keys = try members.map { try key($0, relation) }
      try pass.write(plan.entity.lists[relation.slot], of: row, keys, before: [])
    }
  }

  private func key(_ member: PersistentIdentifier, _ relation: Relation) throws -> Int64 {
    if member.isTemporary, let serial = member.row, relation.destination.root === definition.root {
      return try expectedRow(serial)
    }
    if !member.isTemporary, try !isRow(member, of: relation.destination) {
      throw SwiftDataError.modelValidationFailure.explained(
        "'\(plan.entity.name).\(relation.property.name)' refers to \(member), which is no "
          + "\(relation.destination.entityName) of this store")
    }
    return try pass.row(of: member)
  }

  /// True if an identifier can belong to a row of an entity or of a subclass.
  func isRow(_ identifier: PersistentIdentifier, of definition: ModelDefinition) throws -> Bool {
    let entity = try store.plans.plan(of: identifier.token, store.identifier)?.entity
    return entity?.rootName == definition.root.entityName
  }

  /// The ordered lists that contain the rows of an entity: the columns of the owner and of the position.
  static func places(_ plan: EntityStatements, _ store: DefaultStore) throws -> [(owner: String, place: String)] {
    try plan.entity.definition.relations.references.compactMap { relation in
      guard let inverse = relation.inverse, inverse.relationship?.isOrdered == true,
        inverse.kind.isToMany
      else { return nil }
      let owners = try store.plans.plan(named: relation.destination.entityName)
      guard let place = owners.entity.lists[inverse.slot].orderColumn else { return nil }
      return (plan.entity.columns[relation.slot].name, place)
    }
  }

  /// Puts new members at the end of ordered lists, in the order of the batch.
  func placeInLists() throws {
    for (owner, position) in places {
      for run in rows.runs { try place(run, owner, position) }
    }
  }

  private func place(_ run: RowRuns.Run, _ owner: String, _ position: String) throws {
    let table = plan.entity.table
    let key = plan.entity.keyColumn
    try connection.executeCached(
      """
      UPDATE \(name: table) SET \(name: position) = "new"."place" FROM (
        SELECT "one".\(name: key) AS "key", ROW_NUMBER() OVER (
          PARTITION BY "one".\(name: owner) ORDER BY "one".\(name: key)) - 1
          + COALESCE((SELECT MAX("old".\(name: position)) + 1 FROM \(name: table) AS "old"
            WHERE "old".\(name: owner) = "one".\(name: owner)), 0) AS "place"
        FROM \(name: table) AS "one"
        WHERE "one".\(name: key) BETWEEN \(value: .integer(run.first))
          AND \(value: .integer(run.end - 1))
          AND "one".\(name: owner) IS NOT NULL AND "one".\(name: position) IS NULL
      ) AS "new" WHERE \(name: table).\(name: key) = "new"."key"
      """)
  }
}
