import Synchronization

/// The stored properties along the key path of a sort descriptor or an aggregate.
///
///     \Stop.trip.name.localizedStandard   // hops: trip; leaf: name; form: .text(.localizedStandard)
package struct SortPath: @unchecked Sendable {  // key paths inside properties are never written
  /// The to-one relationships along the path.
  package var hops: [ModelProperty] = []
  /// The attribute at the end; nil for the identifier.
  package var leaf: ModelProperty?
  /// The key path to the attribute's value, or to a flattened struct's member.
  var leafPath: AnyKeyPath?
  var form = Form.value

  enum Form: Equatable {
    case value
    /// An enum's raw value.
    case rawValue
    case text(TextOrder)
  }

  /// Resolves a key path from a model; nil if it does not refer to a stored value.
  package static func of(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> SortPath? {
    if let property = definition.layout.property(for: keyPath) {
      guard case .attribute = property.kind, property.slot >= 0 else { return nil }
      return SortPath(leaf: property, leafPath: property.keyPath)
    }
    if let place = definition.layout.member(for: keyPath) {
      return SortPath(leaf: place.property, leafPath: keyPath)
    }
    let paths = ModelPaths.of(definition.modelType)
    if paths.isIdentifier(keyPath) { return SortPath() }
    if let property = paths.ownIdentifier(keyPath, definition) {
      return SortPath(leaf: property, leafPath: property.keyPath)
    }
    let key = Key(keyPath: keyPath)
    if let known = cache.withLock({ [key] in $0[key] }) { return known }
    let found = SortPathSearch(keyPath).find(from: definition)
    cache.withLock { [key] in $0[key] = .some(found) }
    return found
  }

  /// Resolves a key path from a model to a whole attribute or an identifier; nil for other values.
  package static func ofAttribute(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> SortPath? {
    guard let path = of(keyPath, definition), path.form == .value, path.leafPath == path.leaf?.keyPath else {
      return nil
    }
    return path
  }

  /// The schema names of the properties along the path.
  package var names: [String] { (hops + (leaf.map { [$0] } ?? [])).map(\.name) }

  /// Returns the model that contains the final value. The path begins at the model that `definition` describes.
  package func owner(_ definition: ModelDefinition) -> ModelDefinition {
    hops.last?.kind.destination?._$definition ?? definition
  }

  private struct Key: Hashable, @unchecked Sendable {  // key paths without captured values
    let keyPath: AnyKeyPath
  }

  private static let cache = Mutex<[Key: SortPath?]>([:])
}

/// Resolves a key path through to-one relationships to a stored value.
///
/// Key paths cannot be decomposed, so candidates are composed from single properties' key paths. If no candidate
/// matches, the sort runs in memory.
private struct SortPathSearch {
  private let wanted: AnyKeyPath
  private let type: any Any.Type
  /// The wanted type, or the wrapped type if it is optional. Only key paths to this type are composed.
  private let core: any Any.Type
  private let hash: Int

  init(_ wanted: AnyKeyPath) {
    self.wanted = wanted
    type = Swift.type(of: wanted).valueType
    core = wrappedType(of: type)
    hash = wanted.hashValue
  }

  /// Returns true if a value of a type, or a value derived from it, can have the wanted type.
  private func canLead(from type: any Any.Type) -> Bool {
    let own = wrappedType(of: type)
    if own == core { return true }
    if own == String.self { return core == CollatedText.self }
    guard let raw = own as? any RawValuePathProviding.Type else { return false }
    return wrappedType(of: Swift.type(of: raw._$rawValuePath).valueType) == core
  }

  /// Longer chains are read in memory.
  private static let mostHops = 4

  func find(from definition: ModelDefinition) -> SortPath? {
    for count in 0...Self.mostHops {
      if let found = find(definition, SortPath(), prefix: nil, hops: count) { return found }
    }
    return nil
  }

  /// Shorter paths are tried first, because a schema's relationships can be circular.
  private func find(
    _ definition: ModelDefinition, _ path: SortPath, prefix: AnyKeyPath?, hops: Int
  ) -> SortPath? {
    let isChain = prefix.map { Swift.type(of: $0).valueType is any OptionalValue.Type } ?? false
    for property in definition.layout.columns where isCandidate(property, hops: hops) {
      guard let next = isChain ? property.chainedKeyPath : property.keyPath,
        let keyPath = prefix.map({ $0.appending(path: next) }) ?? next
      else { continue }
      switch property.kind {
      case .toOne(let destination, _) where hops > 0:
        var path = path
        path.hops.append(property)
        if let found = find(destination._$definition, path, prefix: keyPath, hops: hops - 1) { return found }
      case .attribute(let type) where hops == 0:
        if let found = leaf(property, type, at: keyPath, isChain, path) { return found }
      default: continue
      }
    }
    guard hops == 0, core == PersistentIdentifier.self, let prefix else { return nil }
    let paths = ModelPaths.of(definition.modelType)
    let isIdentifier = (isChain ? paths.chainedIdentifiers : paths.identifiers).contains {
      prefix.appending(path: $0).map(matches) ?? false
    }
    return isIdentifier ? path : nil
  }

  private func isCandidate(_ property: ModelProperty, hops: Int) -> Bool {
    guard case .attribute(let type) = property.kind else { return hops > 0 }
    return hops == 0 && (canLead(from: type) || property.flattenedMembers.contains { canLead(from: $0.type) })
  }

  /// - Parameter isChain: True if the key path is an optional chain to the attribute.
  private func leaf(
    _ property: ModelProperty, _ type: any Any.Type, at keyPath: AnyKeyPath, _ isChain: Bool, _ path: SortPath
  ) -> SortPath? {
    var path = path
    path.leaf = property
    path.leafPath = property.keyPath
    if let form = form(of: keyPath, type) {
      path.form = form
      return path
    }
    guard !isChain else { return nil }
    for member in property.flattenedMembers where canLead(from: member.type) {
      let own = property.isOptional ? member.optionalKeyPath : member.keyPath
      guard let memberPath = keyPath.appending(path: own), let form = form(of: memberPath, member.type)
      else { continue }
      path.leafPath = property.keyPath(to: member)
      path.form = form
      return path
    }
    return nil
  }

  /// Returns the form of the value at the end of a key path; nil if it does not match.
  private func form(of keyPath: AnyKeyPath, _ type: any Any.Type) -> SortPath.Form? {
    guard canLead(from: type) else { return nil }
    if matches(keyPath) { return .value }
    let isOptional = Swift.type(of: keyPath).valueType is any OptionalValue.Type
    let wrapped = wrappedType(of: type)
    func leads(_ end: AnyKeyPath?) -> Bool { end.flatMap(keyPath.appending).map(matches) ?? false }
    if wrapped == String.self, core == CollatedText.self {
      let order = TextOrder.allCases.first {
        isOptional ? leads($0.optionalKeyPath) || leads($0.chainedKeyPath) : leads($0.keyPath)
      }
      return order.map { .text($0) }
    }
    if let raw = wrapped as? any RawValuePathProviding.Type,
      leads(isOptional ? raw._$optionalRawValuePath : raw._$rawValuePath)
    {
      return .rawValue
    }
    return nil
  }

  /// Returns true if a key path has the same components as the wanted key path.
  ///
  /// The operator `==` also compares the positions at which optional chains end, which differ in a composed chain.
  private func matches(_ keyPath: AnyKeyPath) -> Bool {
    Swift.type(of: keyPath).valueType == type && (keyPath == wanted || keyPath.hashValue == hash)
  }
}
