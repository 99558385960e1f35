/// What a picture of a schema, or of a change between two versions, shows: before anything is said of
/// how it looks.
package struct Diagram: Sendable, Equatable, Encodable {
  /// Raised when a reader of the JSON form would have to change.
  package var schemaVersion = 1
  /// `Trips 2.0.0`, or `Trips 1.0.0 → Trips 2.0.0`.
  package var title: String
  package var isComparison: Bool
  /// Models, then enums and structs; edges name them by their place here.
  package var nodes: [DiagramNode]
  package var edges: [DiagramEdge]
  /// The models that are left out because they are too far from what was asked for.
  package var hiddenModels = 0
}

/// A card: a model, an enum or a struct.
package struct DiagramNode: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case model
    case enumeration = "enum"
    case structure = "struct"
  }

  package var kind: Kind
  package var name: String
  /// The schema it belongs to.
  package var schema: String
  package var documentation: String
  package var rows: [DiagramRow]
  package var change: DiagramChange?

  package var isModel: Bool { kind == .model }

  /// What says anything about this version being another one.
  package var isChanged: Bool { change != nil || rows.contains { $0.change != nil } }

  var removed: Self {
    var copy = self
    copy.change = DiagramChange(kind: .removed)
    return copy
  }
}

/// A line of a card.
package struct DiagramRow: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case attribute, relationship, field
    /// A case of an enum.
    case enumerationCase = "case"
    /// What holds of several properties together.
    case constraint
  }

  package enum Mark: String, Sendable, Encodable, CaseIterable {
    case unique, index, preserved, external, transient, ephemeral, encrypted, ordered
  }

  package var kind: Kind
  package var name: String
  /// As it is written in Swift; empty where there is none.
  package var type: String
  package var marks: [Mark] = []
  package var documentation = ""
  /// The card the type is about, by its place.
  package var target: Int?
  package var change: DiagramChange?
}

/// What is different in the newer version.
package struct DiagramChange: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case added, removed, renamed, changed
  }

  package var kind: Kind
  /// One line each; none where the kind says it all.
  package var notes: [String] = []
}

/// A line between two cards.
package struct DiagramEdge: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// A relationship, or two that are each other's inverse.
    case relationship
    /// From a superclass to a model that inherits from it.
    case inheritance
    /// From a card to an enum or a struct a value of it has.
    case use
  }

  package var kind: Kind
  package var from: Int
  package var to: Int
  /// The property of `from`.
  package var source: DiagramEnd?
  /// The property of `to`, where the relationship has an inverse.
  package var target: DiagramEnd?
  package var change: DiagramChange.Kind?

  package var ends: [DiagramEnd] { [source, target].compactMap { $0 } }
}

/// One side of a relationship: a property that leads to the other side.
package struct DiagramEnd: Sendable, Equatable, Encodable {
  package enum Rule: String, Sendable, Encodable, CaseIterable {
    case nullify, cascade, deny, noAction
  }

  package var name: String
  /// How many there are at the other end: `1`, `0..1`, `0..*`, `1..3`.
  package var count: String
  package var isToMany: Bool
  /// Whether there may be nobody at the other end.
  package var isOptional: Bool
  package var isOrdered: Bool
  /// What happens to the other end when the owner of this property is deleted.
  package var deleteRule: Rule
}
