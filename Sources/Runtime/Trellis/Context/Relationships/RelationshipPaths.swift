import Synchronization

/// Finds out which relationships a key path goes through.
///
/// A key path cannot be taken apart at run time. Therefore it reads an object whose relationships
/// all lead to different objects, and where it ends tells how it got there. That works for every
/// spelling: `\.guide?.huts`, `\.guide!.huts`, one through a protocol.
enum RelationshipPaths {
  /// The relationships of a key path one after the other; nil when it names none.
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

  /// By key path; empty for those that name no relationships.
  private static let found = Mutex(Known())

  private struct Known: @unchecked Sendable {  // key paths of models capture nothing
    var paths: [AnyKeyPath: [Relation]] = [:]
  }

  private static func leadsToModels(_ type: any Any.Type) -> Bool {
    let type = (type as? any OptionalValue.Type)?.wrappedType ?? type
    return type is any PersistentModel.Type || type is any ModelArray.Type
  }

  /// How many relationships a path may have.
  private static let depth = 4
  /// How many objects may stand for models.
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

  /// Objects that lead to each other as models could.
  private struct Scene {
    private var paths: [ObjectIdentifier: [Relation]] = [:]
    private var objects: [any PersistentModel] = []
    var isFull: Bool { objects.count >= size }

    /// An object of the class with objects at the end of its relationships.
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
