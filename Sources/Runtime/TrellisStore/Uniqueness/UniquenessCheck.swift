/// Checks a save's unique constraints against the stored models that may conflict.
///
/// Updates are checked before deletions, and deletions before insertions, as in ``TableSave``: a model can reuse a
/// value that the same save changes or deletes elsewhere.
package struct UniquenessCheck {
  /// A new model with unique values that already exist.
  package struct Merge {
    /// The index in the inserted snapshots.
    package let position: Int
    /// The existing model, saved or inserted earlier in the request.
    package let target: PersistentIdentifier
    /// True if the existing model keeps its values.
    package let isKept: Bool
  }

  private struct Row {
    let entity: String
    var keys: [UniqueKey?]
  }

  package let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  package let plans: UniquePlans
  package private(set) var merges: [Merge] = []
  package private(set) var violations: [SwiftDataError.Violation] = []
  private var rows: [PersistentIdentifier: Row] = [:]
  private var holders: [UniqueKey: [PersistentIdentifier]] = [:]
  /// Merge targets by inserted identifier.
  private var redirected: [PersistentIdentifier: PersistentIdentifier] = [:]
  private var updatedPositions: [PersistentIdentifier: Int] = [:]
  private var deleted: Set<PersistentIdentifier> = []

  package init(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ plans: UniquePlans) {
    self.request = request
    self.plans = plans
  }

  /// Returns the root classes whose stored models must be checked; empty for most saves.
  package func concerned() throws -> [ModelDefinition] {
    var roots: [ModelDefinition] = []
    for (snapshots, isNew) in [(request.inserted, true), (request.updated, false)] {
      for snapshot in snapshots {
        guard let plan = plans.plan(of: snapshot), let root = snapshot.buffer.definition?.root,
          !roots.contains(where: { $0 === root }),
          isNew || snapshot.changed?.intersects(plan.slots) ?? true,
          try plan.keys(of: snapshot).contains(where: { $0 != nil })
        else { continue }
        roots.append(root)
      }
    }
    return roots
  }

  /// - Parameter stored: The saved models that may have the request's unique values.
  package mutating func run(stored: [DefaultSnapshot]) throws {
    for snapshot in stored { try add(snapshot, snapshot.persistentIdentifier) }
    deleted = Set(request.deleted.lazy.map(\.persistentIdentifier)).union(request.deletedRows.flatMap(\.identifiers))
    for (position, snapshot) in request.updated.enumerated() {
      updatedPositions[snapshot.persistentIdentifier] = position
    }
    for position in request.updated.indices { try update(position) }
    for identifier in deleted { remove(identifier) }
    for position in insertionOrder() { try insert(position) }
  }

  /// Returns the insertion order. Classes whose constraints use no references come first.
  private func insertionOrder() -> [Int] {
    [0, 1].flatMap { rank in request.inserted.indices.filter { plans.plan(of: request.inserted[$0])?.rank == rank } }
  }

  // MARK: rows

  private func keys(of snapshot: DefaultSnapshot, _ plan: UniquePlan) throws -> [UniqueKey?] {
    var keys = try plan.keys(of: snapshot)
    guard !redirected.isEmpty else { return keys }
    for (number, constraint) in plan.constraints.enumerated() where constraint.refersToModels {
      guard var key = keys[number] else { continue }
      key.values = key.values.map { value in
        guard case .reference(let identifier) = value else { return value }
        return .reference(redirected[identifier] ?? identifier)
      }
      keys[number] = key
    }
    return keys
  }

  private mutating func add(_ snapshot: DefaultSnapshot, _ identifier: PersistentIdentifier) throws {
    guard let plan = plans.plan(of: snapshot) else { return }
    set(
      identifier, Row(entity: snapshot.buffer.definition?.entityName ?? "", keys: try keys(of: snapshot, plan)))
  }

  private mutating func set(_ identifier: PersistentIdentifier, _ row: Row) {
    remove(identifier)
    rows[identifier] = row
    for case let key? in row.keys { holders[key, default: []].append(identifier) }
  }

  private mutating func remove(_ identifier: PersistentIdentifier) {
    for case let key? in rows.removeValue(forKey: identifier)?.keys ?? [] { release(key, identifier) }
  }

  private mutating func release(_ key: UniqueKey, _ identifier: PersistentIdentifier) {
    holders[key]?.removeAll { $0 == identifier }
  }

  /// Returns the rows that have a conflicting key, and the constraint's position for each row.
  private func conflicts(
    _ keys: [UniqueKey?], of identifier: PersistentIdentifier
  ) -> [(constraint: Int, row: PersistentIdentifier)] {
    var conflicts: [(constraint: Int, row: PersistentIdentifier)] = []
    for (number, key) in keys.enumerated() {
      guard let key, let found = holders[key] else { continue }
      for row in found where row != identifier { conflicts.append((number, row)) }
    }
    return conflicts
  }

  // MARK: changes

  private mutating func update(_ position: Int) throws {
    let snapshot = request.updated[position]
    guard let plan = plans.plan(of: snapshot), snapshot.changed?.intersects(plan.slots) ?? true else { return }
    let identifier = snapshot.persistentIdentifier
    let keys = try keys(of: snapshot, plan)
    var isBlocked = false
    for conflict in conflicts(keys, of: identifier)
    where !displace(conflict.row, plan.constraints[conflict.constraint], after: position) {
      report(snapshot, plan.constraints[conflict.constraint], conflict.row)
      isBlocked = true
    }
    if !isBlocked {
      set(identifier, Row(entity: snapshot.buffer.definition?.entityName ?? "", keys: keys))
    }
  }

  /// Releases a unique value from a row that this save changes or deletes later; returns false for other rows.
  private mutating func displace(
    _ identifier: PersistentIdentifier, _ constraint: UniquePlan.Constraint, after position: Int
  ) -> Bool {
    let isDeleted = deleted.contains(identifier)
    if !isDeleted {
      guard let place = updatedPositions[identifier], place > position else { return false }
      guard request.updated[place].changed?.intersects(constraint.slots) ?? true else { return false }
    }
    guard var row = rows[identifier] else { return true }
    for (number, key) in row.keys.enumerated() where key?.constraint == constraint.number {
      if let key { release(key, identifier) }
      row.keys[number] = nil
    }
    rows[identifier] = row
    return true
  }

  private mutating func insert(_ position: Int) throws {
    let snapshot = request.inserted[position]
    guard let plan = plans.plan(of: snapshot), let definition = snapshot.buffer.definition else { return }
    let identifier = snapshot.persistentIdentifier
    let row = Row(entity: definition.entityName, keys: try keys(of: snapshot, plan))
    let conflicts = conflicts(row.keys, of: identifier)
    guard let target = conflicts.first?.row else { return set(identifier, row) }
    let failing = conflicts.filter { conflict in
      policy(plan, conflict.constraint) == .fail || conflict.row != target
        || rows[conflict.row]?.entity != definition.entityName
    }
    guard failing.isEmpty else {
      for conflict in failing { report(snapshot, plan.constraints[conflict.constraint], conflict.row) }
      return
    }
    let isKept = conflicts.contains { policy(plan, $0.constraint) == .keep }
    if !isKept { set(target, row) }
    redirected[identifier] = target
    merges.append(Merge(position: position, target: target, isKept: isKept))
  }

  private func policy(_ plan: UniquePlan, _ constraint: Int) -> Schema.ConflictPolicy {
    request.overwritesConflicts ? .replace : plan.constraints[constraint].policy
  }

  private mutating func report(
    _ snapshot: DefaultSnapshot, _ constraint: UniquePlan.Constraint, _ row: PersistentIdentifier
  ) {
    violations.append(
      .conflict(
        of: snapshot, constraint.properties, withEntity: rows[row]?.entity ?? row.entityName, row))
  }
}

extension SwiftDataError.Violation {
  /// Creates a violation for a unique constraint conflict.
  package static func conflict(
    of snapshot: DefaultSnapshot, _ properties: [String], withEntity entity: String,
    _ other: PersistentIdentifier
  ) -> Self {
    let values = properties.map { description(of: $0, in: snapshot) }
    return Self(
      model: snapshot.persistentIdentifier, properties: properties, rule: .unique,
      reason: "another '\(entity)' has \(values.joined(separator: ", "))", others: [other])
  }

  /// Returns a description of a property or struct member value.
  private static func description(of property: String, in snapshot: DefaultSnapshot) -> String {
    let path = property.split(separator: ".").map(String.init)
    guard let name = path.first, var value = snapshot.value(named: name) as Any? else { return "nil" }
    for member in path.dropFirst() {
      guard let child = Mirror(reflecting: value).children.first(where: { $0.label == member })
      else { return "nil" }
      value = child.value
    }
    return ValueDescription.of(value)
  }
}
