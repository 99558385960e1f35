/// Checks the references between snapshots before they are loaded.
struct SnapshotReferences {
  private let snapshots: [DefaultSnapshot]
  private let engine: DefaultStore

  init(_ snapshots: [DefaultSnapshot], in engine: DefaultStore) {
    self.snapshots = snapshots
    self.engine = engine
  }

  /// True if a relationship leads to a subclass. The engine has one table for all classes of a hierarchy and does not
  /// check the class.
  var mayLeadToWrongClasses: Bool {
    engine.plans.all.contains { plan in
      let destinations = plan.entity.columns.compactMap(\.destination) + plan.entity.lists.map(\.destination)
      return destinations.contains { name in
        engine.catalogue.layout.entity(named: name).map { $0.rootName != $0.name } ?? false
      }
    }
  }

  /// Describes the first model with a problem; nil without problems.
  func problem() throws -> String? {
    var classes: [IdentifierToken: [Int64: EntityStatements]] = [:]
    for snapshot in snapshots {
      guard let plan = try plan(of: snapshot), let row = snapshot.persistentIdentifier.row else { continue }
      if let other = classes[plan.token, default: [:]].updateValue(plan, forKey: row) {
        return other === plan
          ? "'\(plan.entity.name)' \(row) stands twice"
          : "there is a '\(other.entity.name)' \(row) and a '\(plan.entity.name)' \(row), which must have "
            + "numbers of their own as classes of '\(plan.entity.rootName)'"
      }
    }
    for snapshot in snapshots {
      guard let plan = try plan(of: snapshot), let row = snapshot.persistentIdentifier.row else { continue }
      let model = "'\(plan.entity.name)' \(row)"
      for column in plan.entity.columns {
        guard let destination = column.destination else { continue }
        guard let target = snapshot.buffer.reference(snapshot.index, column.slot)?.row else {
          if column.property.isOptional { continue }
          return "\(model) has no '\(column.property.name)', which it needs"
        }
        if let problem = try fault(target, destination, in: classes) {
          return "\(model) has \(problem) as its '\(column.property.name)'"
        }
      }
      for list in plan.entity.lists {
        for member in snapshot.buffer.references(snapshot.index, list.slot) ?? [] {
          if let problem = try fault(member.row ?? 0, list.destination, in: classes) {
            return "\(model) has \(problem) among its '\(list.property.name)'"
          }
        }
      }
    }
    return nil
  }

  private func plan(of snapshot: DefaultSnapshot) throws -> EntityStatements? {
    try snapshot.buffer.definition.map { try engine.plans.plan(for: $0) }
  }

  /// Describes the problem of a reference to a row of an entity; nil without a problem.
  private func fault(
    _ row: Int64, _ destination: String, in classes: [IdentifierToken: [Int64: EntityStatements]]
  ) throws -> String? {
    let wanted = try engine.plans.plan(named: destination)
    guard let found = classes[wanted.token]?[row] else {
      return "'\(destination)' \(row), which the file does not have,"
    }
    let isFine =
      found.entity.name == destination || wanted.entity.discriminators.contains(found.entity.name)
    return isFine ? nil : "\(row), which is a '\(found.entity.name)' and no '\(destination)',"
  }
}

extension DefaultStore {
  /// Inserts models under their keys, as ``load(_:nextKeys:dropsDanglingReferences:)`` does.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` that names the first model that does not fit.
  package func loadNamingProblems(_ snapshots: [DefaultSnapshot], nextKeys: [String: Int64]) throws {
    func failure(_ problem: String) -> SwiftDataError { .modelValidationFailure.explained(problem) }
    let references = SnapshotReferences(snapshots, in: self)
    if references.mayLeadToWrongClasses, let problem = try references.problem() { throw failure(problem) }
    do {
      try load(snapshots, nextKeys: nextKeys)
    } catch {
      // The database knows rows and columns; users know the models of their file.
      throw failure(try references.problem() ?? "the models do not fit together: \(error)")
    }
  }
}
