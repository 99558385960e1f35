/// A relationship of a model class and the property at its other end.
struct Relation: Sendable {
  let property: ModelProperty
  let destination: ModelDefinition
  /// The property of the destination that mirrors this one; nil for a one-way relationship.
  let inverse: ModelProperty?
  let deleteRule: Schema.Relationship.DeleteRule

  init?(_ property: ModelProperty) {
    guard let type = property.kind.destination else { return nil }
    self.property = property
    self.destination = type._$definition
    self.deleteRule = property.relationship?.deleteRule ?? .nullify
    let layout = destination.layout
    if let keyPath = property.relationship?.inverseKeyPath {
      self.inverse = layout.property(for: keyPath)
    } else {
      self.inverse = layout.properties.first {
        $0.relationship?.inverseKeyPath == property.keyPath
      }
    }
  }
}

/// The relationships of one model class by slot.
final class RelationTable: Sendable {
  /// By column slot; nil for attributes.
  let toOne: [Relation?]
  /// By list slot.
  let toMany: [Relation]
  let all: [Relation]

  init(of layout: ModelLayout) {
    toOne = layout.columns.map { $0.kind.isRelationship ? Relation($0) : nil }
    toMany = layout.lists.compactMap { Relation($0) }
    all = toOne.compactMap { $0 } + toMany
  }

  func relation(for property: ModelProperty) -> Relation? {
    property.kind.isToMany ? toMany[property.slot] : toOne[property.slot]
  }
}
