import Synchronization

/// Resolves the relationships along a key path.
///
/// Key paths cannot be decomposed at run time. Therefore the key path is applied to an object whose relationships all
/// lead to distinct objects, and the resulting object identifies the path. This supports all forms, such as
/// `\.guide?.huts`, `\.guide!.huts` and paths through a protocol.
enum RelationshipPaths {
  /// Returns the relationships along a key path, or `nil` if it is not a relationship path.
  static func path(_ keyPath: AnyKeyPath, from definition: ModelDefinition) -> [Relation]? {
    if let property = definition.layout.property(for: keyPath) {
      return definition.relations.relation(for: property).map { [$0] }
    }
    guard leadsToModels(type(of: keyPath).valueType) else { return nil }
    if let known = found.withLock({ $0.paths[keyPath] }) { return known.isEmpty ? nil : known }
    let path = search(keyPath, definition)
    found.withLock { $0.paths[keyPath] = path ?? [] }
    return path
  }

  /// Resolved paths by key path; empty for key paths that are not relationship paths.
  private static let found = Mutex(Known())

  private struct Known: @unchecked Sendable {  // model key paths capture nothing
    var paths: [AnyKeyPath: [Relation]] = [:]
  }

  private static func leadsToModels(_ type: any Any.Type) -> Bool {
    let type = (type as? any OptionalValue.Type)?.wrappedType ?? type
    return type is any PersistentModel.Type || type is any ModelArray.Type
  }

  /// The maximum number of relationships in a path.
  private static let depth = 4
  /// The maximum number of placeholder objects.
  private static let size = 5_000

  private static func search(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> [Relation]? {
    for depth in 2...depth {
      var scene = Scene()
      let root = scene.add(definition, depth: depth)
      if let path = scene.path(endOf: keyPath, from: root) { return path }
      if scene.isFull { return nil }
    }
    return nil
  }

  /// A graph of placeholder objects that are related in the same way as models.
  private struct Scene {
    private var paths: [ObjectIdentifier: [Relation]] = [:]
    private var objects: [any PersistentModel] = []
    var isFull: Bool { objects.count >= size }

    /// Adds an object with placeholder objects as relationship targets.
    mutating func add(
      _ definition: ModelDefinition, depth: Int, path: [Relation] = []
    ) -> any PersistentModel {
      let model = definition.codec.makePlaceholder(definition.temporaryIdentifier())
      objects.append(model)
      paths[ObjectIdentifier(model)] = path
      guard depth > 0 else { return model }
      for relation in definition.relations.all where !isFull {
        let other = add(relation.destination, depth: depth - 1, path: path + [relation])
        let slot = relation.property.slot
        if relation.property.kind.isToMany {
          let list = relation.destination.codec.makeList(isLoaded: true)
          list.append(other)
          model.side.links.setList(slot, list)
        } else {
          model.side.links.setTarget(slot, other)
        }
      }
      return model
    }

    func path(endOf keyPath: AnyKeyPath, from root: any PersistentModel) -> [Relation]? {
      func read<M: PersistentModel>(_ model: M) -> Any? { model[keyPath: keyPath] }
      guard var end = read(root) else { return nil }
      while let optional = end as? any OptionalValue, !optional.isNil,
        let wrapped = Mirror(reflecting: optional).children.first?.value
      {
        end = wrapped
      }
      let model = (end as? [any PersistentModel])?.first ?? end as? any PersistentModel
      guard let model, let path = paths[ObjectIdentifier(model)], !path.isEmpty else { return nil }
      return path
    }
  }
}
