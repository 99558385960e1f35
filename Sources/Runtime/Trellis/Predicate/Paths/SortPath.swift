import Foundation
import Synchronization

/// The stored properties a sort descriptor's key path goes through.
///
///     \Stop.trip?.name.localizedStandard   // hops: trip; leaf: name; form: .text(.localizedStandard)
struct SortPath: @unchecked Sendable {  // key paths inside properties are never written
  /// The to-one relationships on the way.
  var hops: [ModelProperty] = []
  /// The attribute at the end; nil for the identifier.
  var leaf: ModelProperty?
  /// The key path to the value there: the attribute's, or that of a member of a struct in columns.
  var leafPath: AnyKeyPath?
  var form = Form.value

  enum Form: Equatable {
    case value
    /// The raw value of an enum.
    case rawValue
    case text(TextOrder)
  }

  /// Follows a key path from a model; nil when it leads to nothing stored.
  static func of(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> SortPath? {
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
    let found = KeyPathText(keyPath).follow(from: definition)
    cache.withLock { [key] in $0[key] = .some(found) }
    return found
  }

  private struct Key: Hashable, @unchecked Sendable {  // key paths without captured values
    let keyPath: AnyKeyPath
  }

  private static let cache = Mutex<[Key: SortPath?]>([:])
}

/// A key path as the standard library spells it: the only way to see where an optional chain goes,
/// since no other key path can be put together that equals one.
///
/// Each component is printed by its name or the address of its getter, so two that are printed alike
/// read the same. Where nothing fits, the sort runs in memory.
private struct KeyPathText {
  private let path: AnyKeyPath

  init(_ path: AnyKeyPath) { self.path = path }

  func follow(from definition: ModelDefinition) -> SortPath? {
    guard let components = Self.components(path, Self.root(definition.modelType)) else {
      return nil
    }
    if let found = Self.follow(components, definition, SortPath()) { return found }
    let type = Swift.type(of: path).valueType
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    guard wrapped == PersistentIdentifier.self else { return nil }
    return identifier(components, definition, SortPath(), from: definition)
  }

  /// A chain of references that ends with the identifier of a model: `\.trip?.persistentModelID`.
  private func identifier(
    _ rest: Substring, _ definition: ModelDefinition, _ path: SortPath, from start: ModelDefinition
  ) -> SortPath? {
    if !path.hops.isEmpty, let probe = IdentifierProbe(start, path.hops), probe.isIdentifier(self.path) {
      return path
    }
    guard path.hops.count < Self.longestIdentifierChain else { return nil }
    let root = Self.root(definition.modelType)
    for property in definition.layout.columns {
      guard let destination = property.kind.destination?._$definition,
        let own = Self.components(property.keyPath, root), let next = Self.after(own, in: rest)
      else { continue }
      var path = path
      path.hops.append(property)
      if let found = identifier(next, destination, path, from: start) { return found }
    }
    return nil
  }

  /// Longer chains are read in memory.
  private static let longestIdentifierChain = 4

  private static func follow(
    _ rest: Substring, _ definition: ModelDefinition, _ path: SortPath
  ) -> SortPath? {
    // A chain through circular relationships is no longer than its text.
    let root = root(definition.modelType)
    for property in definition.layout.columns {
      guard let own = components(property.keyPath, root), let next = after(own, in: rest)
      else { continue }
      var path = path
      switch property.kind {
      case .toOne(let destination, _):
        path.hops.append(property)
        if let found = follow(next, destination._$definition, path) { return found }
      case .attribute(let type):
        path.leaf = property
        path.leafPath = property.keyPath
        if let form = form(next, type) {
          path.form = form
          return path
        }
        if let found = member(of: property, rest, root, path) { return found }
      case .toMany: continue
      }
    }
    return nil
  }

  /// A member of a struct that has separate columns.
  private static func member(
    of property: ModelProperty, _ rest: Substring, _ root: String, _ path: SortPath
  ) -> SortPath? {
    var path = path
    for member in property.flattenedMembers {
      guard let keyPath = property.keyPath(to: member), var own = components(keyPath, root)
      else { continue }
      if own.last == "?" { own.removeLast() }
      guard let next = after(own, in: rest), let form = form(next, member.type) else { continue }
      path.leafPath = keyPath
      path.form = form
      return path
    }
    return nil
  }

  /// What follows a component, without the question mark of a chain.
  private static func after(_ component: Substring, in rest: Substring) -> Substring? {
    guard rest.hasPrefix(component) else { return nil }
    let next = rest.dropFirst(component.count)
    return next.isEmpty || next.first == "." || next.first == "?" ? withoutMark(next) : nil
  }

  private static func withoutMark(_ text: Substring) -> Substring {
    text.first == "?" ? text.dropFirst() : text
  }

  /// What is made of the attribute in the end.
  private static func form(_ rest: Substring, _ type: any Any.Type) -> SortPath.Form? {
    if rest.isEmpty { return .value }
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    if wrapped == String.self {
      for order in TextOrder.allCases
      where ends(rest, order.keyPath, String.self)
        || ends(rest, order.optionalKeyPath, String?.self)
      {
        return .text(order)
      }
    }
    if let raw = (wrapped as? any RawValuePathProviding.Type)?._$rawValuePath,
      ends(rest, raw, wrapped)
    {
      return .rawValue
    }
    return nil
  }

  private static func ends(
    _ rest: Substring, _ keyPath: AnyKeyPath, _ root: any Any.Type
  ) -> Bool {
    guard let own = components(keyPath, Self.root(root)), let next = after(own, in: rest)
    else { return false }
    return next.isEmpty
  }

  // MARK: text

  private static func components(_ keyPath: AnyKeyPath, _ root: String) -> Substring? {
    let text = String(reflecting: keyPath)
    return text.hasPrefix(root) ? text.dropFirst(root.count) : nil
  }

  /// How key paths of a type begin.
  private static func root(_ type: any Any.Type) -> String {
    func open<T>(_: T.Type) -> String { String(String(reflecting: \T.self).dropLast(5)) }
    return _openExistential(type, do: open)
  }
}
