import SchemaDiff
import SchemaModel

/// Two schema versions and their matching declarations.
///
/// This is a class, because all parts of a migration step share both versions.
final class VersionPair: Sendable {
  let old: ResolvedSchema
  let new: ResolvedSchema
  let names: Counterparts

  init(from old: ResolvedSchema, to new: ResolvedSchema) {
    self.old = old
    self.new = new
    names = Counterparts(from: old, to: new)
  }

  // MARK: Changed superclasses

  /// Returns true if the model's rows move to a table that holds rows of different models. Their row keys may already
  /// exist there, so a custom step must create new rows.
  func movesToAnotherTable(_ entity: String) -> Bool {
    guard let former = names.entities[entity] else { return false }
    let root = new.root(of: entity)
    let first = ([root] + new.entities.map(\.name)).first {
      names.entities[$0] != nil && new.root(of: $0) == root
    }
    guard let first, let source = names.entities[first] else { return false }
    return old.root(of: former) != old.root(of: source)
  }

  /// Returns the relationships, as `Model.property`, that may refer to rows of a model or its submodels although the
  /// rows no longer belong to the destination class.
  func leftBehind(by entity: String) -> [(name: String, isRequired: Bool)] {
    let moved = new.entities.map(\.name).filter { new.lineage(of: $0).contains(entity) }
    return new.entities.flatMap { owner in
      owner.properties.compactMap { property -> (name: String, isRequired: Bool)? in
        guard case .relationship(let relationship) = property,
          let destination = formerDestination(of: relationship.name, in: owner.name)
        else { return nil }
        let isLeft = moved.contains { name in
          guard let former = names.entities[name] else { return false }
          return old.lineage(of: former).contains(destination)
            && !new.lineage(of: name).contains(relationship.destination)
        }
        guard isLeft else { return nil }
        let isRequired = if case .toOne(isOptional: false) = relationship.cardinality { true } else { false }
        return ("\(owner.name).\(relationship.name)", isRequired)
      }
    }
  }

  private func formerDestination(of property: String, in entity: String) -> String? {
    guard let name = names.oldName(of: property, in: entity), let former = names.entities[entity]
    else { return nil }
    for candidate in old.entities.first(where: { $0.name == former })?.properties ?? [] {
      if case .relationship(let relationship) = candidate, relationship.name == name {
        return relationship.destination
      }
    }
    return nil
  }
}

extension ResolvedSchema {
  fileprivate func root(of entity: String) -> String {
    let line = lineage(of: entity)
    return entities.first { line.contains($0.name) && $0.superentity == nil }?.name ?? entity
  }
}
