package import SchemaDiagnostics
package import SchemaModel

/// A change to a model itself, not to its members.
package indirect enum EntityChange: ChangeDetail {
  case added(ResolvedEntity)
  case removed(ResolvedEntity)
  case renamed(from: ResolvedEntity, to: ResolvedEntity)
  case superentityChanged(from: ResolvedEntity, to: ResolvedEntity)
  /// The `originalName` changed, but this version does not rename the model.
  case originalNameChanged(from: ResolvedEntity, to: ResolvedEntity)
  case conformancesChanged(from: ResolvedEntity, to: ResolvedEntity)
  case accessChanged(from: ResolvedEntity, to: ResolvedEntity)
  case propertiesReordered(from: ResolvedEntity, to: ResolvedEntity)

  static func changes(
    from old: ResolvedEntity, to new: ResolvedEntity, _ names: NameHistory
  ) -> [Self] {
    var changes: [Self] = []
    if old.name != new.name {
      changes.append(.renamed(from: old, to: new))
    } else if old.originalName != new.originalName {
      changes.append(.originalNameChanged(from: old, to: new))
    }
    if old.superentity.map({ names.entity($0) }) != new.superentity {
      changes.append(.superentityChanged(from: old, to: new))
    }
    if old.conformances != new.conformances {
      changes.append(.conformancesChanged(from: old, to: new))
    }
    if old.access != new.access { changes.append(.accessChanged(from: old, to: new)) }
    if names.properties(of: new).isReordered(from: old.properties, name: \.name) {
      changes.append(.propertiesReordered(from: old, to: new))
    }
    return changes
  }

  package var kind: String {
    switch self {
    case .added: "entity-added"
    case .removed: "entity-removed"
    case .renamed: "entity-renamed"
    case .superentityChanged: "entity-superentity-changed"
    case .originalNameChanged: "entity-original-name-changed"
    case .conformancesChanged: "entity-conformances-changed"
    case .accessChanged: "entity-access-changed"
    case .propertiesReordered: "entity-properties-reordered"
    }
  }

  package var subject: String { new?.name ?? old?.name ?? "" }

  package var effect: ChangeEffect {
    switch self {
    case .removed: .losesData
    case .superentityChanged: .needsCode
    case .added, .renamed, .originalNameChanged, .conformancesChanged, .accessChanged,
      .propertiesReordered:
      .automatic
    }
  }

  package var text: String {
    switch self {
    case .added(let entity): return "model '\(entity.name)' added"
    case .removed(let entity): return "model '\(entity.name)' removed"
    case .renamed(let old, let new): return "model '\(old.name)' renamed to '\(new.name)'"
    case .superentityChanged(let old, let new):
      return "model '\(new.name)': "
        + Wording.change("superclass", from: old.superentity, to: new.superentity)
    case .originalNameChanged(let old, let new):
      return "model '\(new.name)': "
        + Wording.change("original name", from: old.originalName, to: new.originalName)
    case .conformancesChanged(let old, let new):
      return "model '\(new.name)': conformances changed from \(Wording.list(old.conformances)) to "
        + Wording.list(new.conformances)
    case .accessChanged(let old, let new):
      return "model '\(new.name)': "
        + Wording.change("access", from: old.access?.rawValue, to: new.access?.rawValue)
    case .propertiesReordered(_, let new):
      return "model '\(new.name)': property order changed"
    }
  }

  private var old: ResolvedEntity? {
    switch self {
    case .added: nil
    case .removed(let old), .renamed(let old, _), .superentityChanged(let old, _),
      .originalNameChanged(let old, _), .conformancesChanged(let old, _),
      .accessChanged(let old, _), .propertiesReordered(let old, _):
      old
    }
  }

  private var new: ResolvedEntity? {
    switch self {
    case .removed: nil
    case .added(let new), .renamed(_, let new), .superentityChanged(_, let new),
      .originalNameChanged(_, let new), .conformancesChanged(_, let new),
      .accessChanged(_, let new), .propertiesReordered(_, let new):
      new
    }
  }

  package var oldRange: SourceRange? { old?.range }
  package var newRange: SourceRange? { new?.range }
}
