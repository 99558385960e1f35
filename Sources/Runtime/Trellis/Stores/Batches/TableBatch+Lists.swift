/// The lists of a batch: those that snapshots name, and those their references make longer.
extension TableBatch {
  /// A list a row is given, by keys.
  struct WrittenList {
    let layout: ListLayout
    let members: [Int64]
  }

  /// The lists a snapshot names; nil when it names one that it cannot, which has been noted.
  func members(of snapshot: DefaultSnapshot) throws -> [WrittenList]? {
    let before = save.violations.count
    var lists: [WrittenList] = []
    for relation in relations.toMany {
      guard let members = snapshot.batch.references(snapshot.index, relation.slot),
        !members.isEmpty
      else { continue }
      guard relation.inverse?.kind.isToMany != false else {
        save.violations.append(
          .derivedList(relation, of: snapshot.persistentIdentifier, definition))
        continue
      }
      lists.append(
        WrittenList(
          layout: plan.entity.lists[relation.slot], members: try members.map { try key($0, relation) }))
    }
    return save.violations.count > before ? nil : lists
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
    return try save.row(of: member)
  }

  /// Whether an identifier can be of a row of an entity, or of one that inherits from it.
  func isRow(_ identifier: PersistentIdentifier, of definition: ModelDefinition) throws -> Bool {
    let entity = try store.plans.plan(of: identifier.token, store.identifier)?.entity
    return entity?.rootName == definition.root.entityName
  }

  /// Gives the current row its lists.
  func write(_ lists: [WrittenList]) throws {
    for list in lists { try save.write(list.layout, of: row, list.members, before: []) }
  }

  /// The ordered lists the rows of a plan are members of: the columns of the owner and of the place.
  static func places(_ plan: EntityPlan, _ store: DefaultStore) throws -> [(owner: String, place: String)] {
    try plan.entity.definition.relations.references.compactMap { relation in
      guard let inverse = relation.inverse, inverse.relationship?.isOrdered == true,
        inverse.kind.isToMany
      else { return nil }
      let owners = try store.plans.plan(named: relation.destination.entityName)
      guard let place = owners.entity.lists[inverse.slot].orderColumn else { return nil }
      return (plan.entity.columns[relation.slot].name, place)
    }
  }

  /// Members of ordered lists come last, in the order of the batch.
  func placeInLists() throws {
    for (owner, position) in places {
      for run in written { try place(run, owner, position) }
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
