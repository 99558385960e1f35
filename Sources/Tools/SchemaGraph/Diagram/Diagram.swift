/// The contents of a diagram of a schema or of a change between two versions, independent of its appearance.
package struct Diagram: Sendable, Equatable, Encodable {
  /// Increase on incompatible changes of the JSON form.
  package var schemaVersion = 1
  /// For example `Trips 2.0.0` or `Trips 1.0.0 → Trips 2.0.0`.
  package var title: String
  package var isComparison: Bool
  /// Models, then enums and structs. Edges refer to nodes by index.
  package var nodes: [DiagramNode]
  package var edges: [DiagramEdge]
  /// The number of models that are left out because of their distance.
  package var hiddenModels = 0
}

/// A card for a model, an enum or a struct.
package struct DiagramNode: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case model
    case enumeration = "enum"
    case structure = "struct"
  }

  package var kind: Kind
  package var name: String
  /// The name of the schema.
  package var schema: String
  package var documentation: String
  package var rows: [DiagramRow]
  package var change: DiagramChange?

  package var isModel: Bool { kind == .model }

  /// True if the card or one of its rows changed.
  package var isChanged: Bool { change != nil || rows.contains { $0.change != nil } }

  var removed: Self {
    var copy = self
    copy.change = DiagramChange(kind: .removed)
    return copy
  }
}

/// A row of a card.
package struct DiagramRow: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case attribute, relationship, field
    /// A case of an enum.
    case enumerationCase = "case"
    /// A constraint of several properties.
    case constraint
  }

  package enum Mark: String, Sendable, Encodable, CaseIterable {
    case unique, index, preserved, external, transient, ephemeral, encrypted, ordered
  }

  package var kind: Kind
  package var name: String
  /// The type in Swift syntax; empty without a type.
  package var type: String
  package var marks: [Mark] = []
  package var documentation = ""
  /// The index of the card for the type.
  package var target: Int?
  package var change: DiagramChange?
}

/// The difference from the older version.
package struct DiagramChange: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case added, removed, renamed, changed
  }

  package var kind: Kind
  /// Details, one line each; empty if the kind is sufficient.
  package var notes: [String] = []
}

/// An edge between two cards.
package struct DiagramEdge: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// A relationship, with its inverse if it has one.
    case relationship
    /// From a superclass to a submodel.
    case inheritance
    /// From a card to an enum or a struct that it uses.
    case use
  }

  package var kind: Kind
  package var from: Int
  package var to: Int
  /// The property of `from`.
  package var source: DiagramEnd?
  /// The property of `to`; nil for a relationship without an inverse.
  package var target: DiagramEnd?
  package var change: DiagramChange.Kind?

  package var ends: [DiagramEnd] { [source, target].compactMap { $0 } }
}

/// One side of a relationship: the property that refers to the other side.
package struct DiagramEnd: Sendable, Equatable, Encodable {
  package enum Rule: String, Sendable, Encodable, CaseIterable {
    case nullify, cascade, deny, noAction
  }

  package var name: String
  /// The cardinality: `1`, `0..1`, `0..*` or `1..3`.
  package var count: String
  package var isToMany: Bool
  /// True if there can be no destination.
  package var isOptional: Bool
  package var isOrdered: Bool
  /// The delete rule for the destination when the owner is deleted.
  package var deleteRule: Rule
}
