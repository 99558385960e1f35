/// The contents of a schema diagram or a diagram of the changes between two versions, independent of appearance.
package struct Diagram: Sendable, Equatable, Encodable {
  /// Increase this on incompatible changes to the JSON form.
  package var schemaVersion = 1
  /// For example `Trips 2.0.0` or `Trips 1.0.0 → Trips 2.0.0`.
  package var title: String
  package var isComparison: Bool
  /// Models, then enums and structs. Edges refer to nodes by index.
  package var nodes: [DiagramNode]
  package var edges: [DiagramEdge]
  /// The number of models that are omitted because they are too far away.
  package var hiddenModels = 0
}

/// A card for a model, enum or struct.
package struct DiagramNode: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case model
    case enumeration = "enum"
    case structure = "struct"
  }

  package var kind: Kind
  package var name: String
  /// The schema name.
  package var schema: String
  package var documentation: String
  package var rows: [DiagramRow]
  package var change: DiagramChange?

  package var isModel: Bool { kind == .model }

  /// True if the card or any of its rows changed.
  package var isChanged: Bool { change != nil || rows.contains { $0.change != nil } }

  var removed: Self {
    var copy = self
    copy.change = DiagramChange(kind: .removed)
    return copy
  }
}

/// A card row.
package struct DiagramRow: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case attribute, relationship, field
    /// An enum case.
    case enumerationCase = "case"
    /// A constraint over several properties.
    case constraint
  }

  package enum Mark: String, Sendable, Encodable, CaseIterable {
    case unique, index, preserved, external, transient, ephemeral, encrypted, ordered
  }

  package var kind: Kind
  package var name: String
  /// The type in Swift syntax; empty if there is no type.
  package var type: String
  package var marks: [Mark] = []
  package var documentation = ""
  /// The index of the type's card.
  package var target: Int?
  package var change: DiagramChange?
}

/// The difference from the older version.
package struct DiagramChange: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case added, removed, renamed, changed
  }

  package var kind: Kind
  /// Details, a line each; empty if the kind is sufficient.
  package var notes: [String] = []
}

/// An edge between two cards.
package struct DiagramEdge: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// A relationship, including the inverse if there is one.
    case relationship
    /// From a superclass to a submodel.
    case inheritance
    /// From a card to an enum or struct that it uses.
    case use
  }

  package var kind: Kind
  package var from: Int
  package var to: Int
  /// The property in `from`.
  package var source: DiagramEnd?
  /// The property in `to`; `nil` for a relationship that has no inverse.
  package var target: DiagramEnd?
  package var change: DiagramChange.Kind?

  package var ends: [DiagramEnd] { [source, target].compactMap { $0 } }
}

/// A relationship side: the property that refers to the opposite side.
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
  /// The delete rule that applies to the destination when the owner is deleted.
  package var deleteRule: Rule
}

extension Diagram {
  /// Returns the part of the diagram within the given distance of the selected cards.
  ///
  /// Edges to enums and structs do not add to the distance. Enums and structs are kept if a remaining card uses them.
  package func focused(on names: Set<String>, depth: Int) -> Diagram {
    focused(depth: depth) { names.contains($0.name) }
  }

  /// Returns the changed cards and their neighbors.
  package func focusedOnChanges(depth: Int) -> Diagram {
    var ends: Set<Int> = []
    for edge in edges where edge.change != nil && edge.kind != .use { ends.formUnion([edge.from, edge.to]) }
    let changed = Set(nodes.indices.filter { nodes[$0].isChanged || ends.contains($0) })
    return keeping(depth: depth, from: changed)
  }

  private func focused(depth: Int, _ isChosen: (DiagramNode) -> Bool) -> Diagram {
    keeping(depth: depth, from: Set(nodes.indices.filter { isChosen(nodes[$0]) }))
  }

  private func keeping(depth: Int, from start: Set<Int>) -> Diagram {
    var neighbours: [[Int]] = Array(repeating: [], count: nodes.count)
    for edge in edges where edge.kind != .use || !nodes[edge.from].isModel || start.contains(edge.to) {
      neighbours[edge.from].append(edge.to)
      neighbours[edge.to].append(edge.from)
    }
    var kept = start
    var front = start
    for _ in 0..<min(max(depth, 0), nodes.count) where !front.isEmpty {
      front = Set(front.flatMap { neighbours[$0] }).subtracting(kept)
      kept.formUnion(front)
    }
    // Keep the enums and structs that remaining cards use.
    var isGrowing = true
    while isGrowing {
      let types = edges.filter { $0.kind == .use && kept.contains($0.from) && !kept.contains($0.to) }.map(\.to)
      kept.formUnion(types)
      isGrowing = !types.isEmpty
    }
    return keeping(kept)
  }

  /// The diagram with enums and structs removed.
  package var withoutValues: Diagram { keeping(Set(nodes.indices.filter { nodes[$0].isModel })) }

  private func keeping(_ kept: Set<Int>) -> Diagram {
    var result = self
    var places: [Int: Int] = [:]
    for index in nodes.indices where kept.contains(index) { places[index] = places.count }
    result.nodes = nodes.indices.filter(kept.contains).map { index in
      var node = nodes[index]
      for row in node.rows.indices { node.rows[row].target = node.rows[row].target.flatMap { places[$0] } }
      return node
    }
    result.edges = edges.compactMap { edge in
      guard let from = places[edge.from], let to = places[edge.to] else { return nil }
      var edge = edge
      (edge.from, edge.to) = (from, to)
      return edge
    }
    result.hiddenModels += nodes.count { $0.isModel } - result.nodes.count { $0.isModel }
    return result
  }
}
