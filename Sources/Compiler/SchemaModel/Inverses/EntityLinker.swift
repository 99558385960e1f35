import SchemaDiagnostics
import SchemaSyntax

/// Resolves references between entities: superclasses, constraints and inverses.
final class EntityLinker {
  let drafts: [EntityDraft]
  let names: SchemaNames
  private(set) var indices: [String: Int] = [:]
  /// Property positions by name, per entity. Empty for entities with few properties.
  private var positions: [[String: Int]] = []
  var diagnostics: [Diagnostic] = []

  static func link(_ drafts: [EntityDraft], _ names: SchemaNames) -> [Diagnostic] {
    let linker = EntityLinker(drafts: drafts, names: names)
    linker.breakCycles()
    linker.checkRedeclarations()
    linker.readConstraints()
    linker.pairInverses()
    return linker.diagnostics
  }

  private init(drafts: [EntityDraft], names: SchemaNames) {
    self.drafts = drafts
    self.names = names
    indices.reserveCapacity(drafts.count)
    positions.reserveCapacity(drafts.count)
    for index in drafts.indices {
      indices[drafts[index].entity.name] = index
      let properties = drafts[index].entity.properties
      positions.append(
        properties.count <= 16
          ? [:]
          : properties.positions(by: \.name))
    }
  }

  /// Returns the entity, followed by all ancestors, nearest first.
  func lineage(of index: Int) -> [Int] {
    var result = [index]
    var next = drafts[index].entity.superentity.flatMap { indices[$0] }
    while let current = next, result.count <= ResolvedSchema.maximumDepth {
      result.append(current)
      next = drafts[current].entity.superentity.flatMap { indices[$0] }
    }
    return result
  }

  /// Finds a property by name, including inherited properties, and the entity that declares it.
  func property(_ name: String, of index: Int) -> (owner: Int, property: Int)? {
    if let found = place(of: name, in: index) { return (index, found) }
    guard drafts[index].entity.superentity != nil else { return nil }
    for owner in lineage(of: index).dropFirst() {
      if let found = place(of: name, in: owner) { return (owner, found) }
    }
    return nil
  }

  /// Returns a property's position. Compares names in small entities, and uses a lookup table for large ones.
  func place(of name: String, in index: Int) -> Int? {
    positions[index].isEmpty
      ? drafts[index].entity.properties.firstIndex { $0.name == name } : positions[index][name]
  }

  func isPoisoned(_ name: String, of index: Int) -> Bool {
    lineage(of: index).contains { drafts[$0].isIncomplete || drafts[$0].poisoned.contains(name) }
  }

  /// Returns candidates for a misspelled property name. Returns none for entities with more than 300 properties,
  /// because some name is always similar and comparing them all takes too long.
  func propertyNames(of index: Int) -> [String] {
    guard drafts[index].entity.properties.count <= 300 else { return [] }
    return lineage(of: index).flatMap { drafts[$0].entity.properties.map(\.name) }
  }

  private func breakCycles() {
    // 0: not visited, 1: on the current path, 2: finished.
    var states = [Int](repeating: 0, count: drafts.count)
    for start in drafts.indices where states[start] == 0 {
      var path: [Int] = []
      var current: Int? = start
      while let index = current, states[index] == 0 {
        states[index] = 1
        path.append(index)
        current = drafts[index].entity.superentity.flatMap { indices[$0] }
      }
      if let index = current, states[index] == 1, let entry = path.firstIndex(of: index) {
        let cycle = path[entry...].map { drafts[$0].entity.name } + [drafts[index].entity.name]
        let range = drafts[index].superclasses.first?.range ?? drafts[index].entity.range
        diagnostics.append(.inheritanceCycle(cycle, range))
        for member in path[entry...] { drafts[member].entity.superentity = nil }
      }
      for index in path { states[index] = 2 }
    }
  }

  private func checkRedeclarations() {
    for index in drafts.indices where drafts[index].entity.superentity != nil {
      let ancestors = lineage(of: index).dropFirst()
      for property in drafts[index].entity.properties {
        for ancestor in ancestors {
          guard let position = place(of: property.name, in: ancestor) else { continue }
          let inherited = drafts[ancestor].entity.properties[position]
          diagnostics.append(.inheritedTwice(property, inherited))
          break
        }
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func inheritanceCycle(_ names: [String], _ range: SourceRange) -> Self {
    Self(
      .inheritanceCycle, at: range,
      "a model cannot inherit from itself: \(names.joined(separator: " : "))")
  }

  fileprivate static func inheritedTwice(
    _ property: ResolvedProperty, _ inherited: ResolvedProperty
  ) -> Self {
    Self(
      .duplicateDeclaration, at: property.range,
      "property '\(property.name)' is inherited and cannot be declared again",
      related: [.init(inherited.range, "the inherited declaration is here")])
  }
}
