package import SchemaDiagnostics
package import SchemaModel

/// A change to an index.
package enum IndexChange: ChangeDetail {
  case added(ResolvedIndex, entity: String)
  case removed(ResolvedIndex, entity: String)

  static func changes(
    from old: ResolvedEntity, to new: ResolvedEntity, _ names: NameHistory
  ) -> [Self] {
    let renamed = old.indexes.map { index in
      var index = index
      index.properties = index.properties.map { names.property($0, of: old.name) }
      return index
    }
    let before = Occurrences.number(renamed) { [$0.kind.rawValue] + $0.properties }
    let after = Occurrences.number(new.indexes) { [$0.kind.rawValue] + $0.properties }
    let pairing = Pairing(from: before, to: after, name: \.key)
    return pairing.pairs.compactMap { pair -> Self? in
      pair.old == nil ? .added(pair.new.item, entity: new.name) : nil
    } + pairing.removed.map { .removed($0.item, entity: new.name) }
  }

  package var kind: String {
    switch self {
    case .added: "index-added"
    case .removed: "index-removed"
    }
  }

  package var subject: String { "\(place.entity)\(Wording.list(place.index.properties))" }

  package var effect: ChangeEffect { .automatic }

  package var text: String {
    let (index, entity) = place
    let what =
      "model '\(entity)': \(index.kind.rawValue) index of \(Wording.list(index.properties))"
    switch self {
    case .added: return "\(what) added"
    case .removed: return "\(what) removed"
    }
  }

  private var place: (index: ResolvedIndex, entity: String) {
    switch self {
    case .added(let index, let entity), .removed(let index, let entity): (index, entity)
    }
  }

  package var oldRange: SourceRange? {
    switch self {
    case .added: nil
    case .removed(let index, _): index.range
    }
  }

  package var newRange: SourceRange? {
    switch self {
    case .added(let index, _): index.range
    case .removed: nil
    }
  }
}
