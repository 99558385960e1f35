package import SchemaDiagnostics
package import SchemaModel

/// A change to a uniqueness constraint, declared by `#Unique` or a property option.
package enum UniqueChange: ChangeDetail {
  case added(ResolvedUnique, entity: String)
  case removed(ResolvedUnique, entity: String)
  case policyChanged(from: ResolvedUnique, to: ResolvedUnique, entity: String)

  static func changes(
    from old: ResolvedEntity, to new: ResolvedEntity, _ names: NameHistory
  ) -> [Self] {
    let renamed = old.uniques.map { unique in
      var unique = unique
      unique.properties = unique.properties.map { names.property($0, of: old.name) }
      return unique
    }
    // The same list of properties may occur twice.
    let before = Occurrences.number(renamed) { $0.properties }
    let after = Occurrences.number(new.uniques) { $0.properties }
    let pairing = Pairing(from: before, to: after, name: \.key)
    return pairing.pairs.compactMap { pair -> Self? in
      guard let old = pair.old else { return .added(pair.new.item, entity: new.name) }
      return old.item.policy == pair.new.item.policy
        ? nil : .policyChanged(from: old.item, to: pair.new.item, entity: new.name)
    } + pairing.removed.map { .removed($0.item, entity: new.name) }
  }

  package var kind: String {
    switch self {
    case .added: "unique-added"
    case .removed: "unique-removed"
    case .policyChanged: "unique-policy-changed"
    }
  }

  package var subject: String {
    switch self {
    case .added(let unique, let entity), .removed(let unique, let entity),
      .policyChanged(_, let unique, let entity):
      "\(entity)\(Wording.list(unique.properties))"
    }
  }

  package var effect: ChangeEffect {
    switch self {
    // Existing rows may be equal, so code must decide which row to keep.
    case .added: .needsCode
    case .removed, .policyChanged: .automatic
    }
  }

  package var text: String {
    switch self {
    case .added(let unique, let entity):
      "model '\(entity)': \(Wording.list(unique.properties)) is now unique"
    case .removed(let unique, let entity):
      "model '\(entity)': \(Wording.list(unique.properties)) is no longer unique"
    case .policyChanged(let old, let new, let entity):
      "model '\(entity)': \(Wording.list(new.properties)): "
        + Wording.change(
          "conflict policy", from: ".\(old.policy.rawValue)", to: ".\(new.policy.rawValue)")
    }
  }

  package var oldRange: SourceRange? {
    switch self {
    case .added: nil
    case .removed(let unique, _), .policyChanged(let unique, _, _): unique.range
    }
  }

  package var newRange: SourceRange? {
    switch self {
    case .removed: nil
    case .added(let unique, _), .policyChanged(_, let unique, _): unique.range
    }
  }
}
