import SchemaDiagnostics

/// Reports names that differ only in case, which a store cannot distinguish.
struct CaseDifferences {
  private let entities: [ResolvedEntity]
  private let places: [String: Int]
  /// Property positions by lowercased name, per entity. For equal names, the last property wins. An entity's positions
  /// are computed when a subclass first needs them.
  private var folded: [Int: [String: Int]] = [:]
  private var diagnostics: [Diagnostic] = []

  static func check(_ schema: ResolvedSchema) -> [Diagnostic] {
    var differences = CaseDifferences(schema.entities)
    for index in schema.entities.indices { differences.check(index) }
    return differences.diagnostics
  }

  private init(_ entities: [ResolvedEntity]) {
    self.entities = entities
    var places: [String: Int] = [:]
    places.reserveCapacity(entities.count)
    for index in entities.indices {
      let folded = entities[index].name.lowercased()
      if let first = places[folded] {
        diagnostics.append(
          .caseOnly(
            entities[index].name, entities[index].range, entities[first].name, entities[first].range))
      } else {
        places[folded] = index
      }
    }
    self.places = places
  }

  private mutating func check(_ index: Int) {
    let properties = entities[index].properties
    let ancestors = ancestors(of: index)
    guard !ancestors.isEmpty || properties.count > Self.few else { return compare(properties) }
    var seen: [String: Int] = [:]
    for (place, property) in properties.enumerated() {
      let name = property.name.lowercased()
      let first = seen[name].map { properties[$0] } ?? inherited(name, ancestors)
      if let first, first.name != property.name {
        report(property, first)
      } else {
        seen[name] = place
      }
    }
  }

  /// Up to this many properties are compared pairwise.
  private static let few = 16

  private mutating func compare(_ properties: [ResolvedProperty]) {
    let hashes = properties.map { Self.hash($0.name) }
    for place in hashes.indices {
      for first in 0..<place where hashes[first] == hashes[place] {
        let (name, other) = (properties[place].name, properties[first].name)
        guard name != other, name.lowercased() == other.lowercased() else { continue }
        report(properties[place], properties[first])
        break
      }
    }
  }

  /// Returns the same hash for names that differ only in case.
  private static func hash(_ name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 {
      // Non-ASCII letters may differ in case as well, so all names that contain them have the same hash.
      guard byte < 0x80 else { return 0 }
      hash = (hash ^ UInt64(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)) &* 0x100_0000_01B3
    }
    return hash
  }

  /// Returns the ancestors, from the root down.
  private func ancestors(of index: Int) -> [Int] {
    var result: [Int] = []
    var next = parent(of: index)
    while let current = next, result.count < ResolvedSchema.maximumDepth {
      result.append(current)
      next = parent(of: current)
    }
    return result.reversed()
  }

  private func parent(of index: Int) -> Int? {
    guard let name = entities[index].superentity, let place = places[name.lowercased()] else { return nil }
    return entities[place].name == name ? place : entities.firstIndex { $0.name == name }
  }

  private mutating func inherited(_ name: String, _ ancestors: [Int]) -> ResolvedProperty? {
    for ancestor in ancestors {
      if folded[ancestor] == nil {
        let properties = entities[ancestor].properties
        folded[ancestor] = Dictionary(
          properties.indices.map { (properties[$0].name.lowercased(), $0) }, uniquingKeysWith: { _, last in last })
      }
      if let place = folded[ancestor]?[name] { return entities[ancestor].properties[place] }
    }
    return nil
  }

  private mutating func report(_ property: ResolvedProperty, _ first: ResolvedProperty) {
    diagnostics.append(.caseOnly(property.name, property.range, first.name, first.range))
  }
}

extension Diagnostic {
  fileprivate static func caseOnly(
    _ name: String, _ range: SourceRange, _ first: String, _ firstRange: SourceRange
  ) -> Self {
    Self(
      .caseOnlyDifference, at: range, "'\(name)' and '\(first)' differ only in case",
      related: [.init(firstRange, "'\(first)' is declared here")],
      help: "names in a store are not case-sensitive: rename one of them")
  }
}
