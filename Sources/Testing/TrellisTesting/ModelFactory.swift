import Trellis

/// Creates and changes models whose type is known only at run time.
enum ModelFactory {
  static func make<M: PersistentModel>(_ type: M.Type) -> M {
    M(backingData: M.createBackingData())
  }

  static func setReference(
    _ path: AnyKeyPath, of owner: any PersistentModel, to target: any PersistentModel
  ) {
    set(path, of: owner, target)
  }

  static func setList(_ path: AnyKeyPath, of owner: any PersistentModel, to members: [any PersistentModel]) {
    set(path, of: owner, members)
  }

  /// Assigns a value if its type matches the property. A constant property remains unchanged.
  static func set(_ path: AnyKeyPath, of model: any PersistentModel, _ value: Any) {
    func typed<R, V>(_: R.Type, _: V.Type) {
      guard let path = path as? ReferenceWritableKeyPath<R, V>, let model = model as? R,
        let value = value as? V
      else { return }
      model[keyPath: path] = value
    }
    func root<R>(_ root: R.Type) {
      func value<V>(_ type: V.Type) { typed(root, type) }
      _openExistential(type(of: path).valueType, do: value)
    }
    _openExistential(type(of: path).rootType, do: root)
  }

  /// Returns a property value.
  static func value(_ path: AnyKeyPath, of model: any PersistentModel) -> Any? { model[keyPath: path] }
}

extension PersistentModel {
  /// The stored attributes, inherited attributes first.
  static var attributes: [(name: String, path: AnyKeyPath)] {
    schemaMetadata.compactMap { entry in
      guard let path = entry.keypath, !(entry.metadata is Schema.Relationship) else { return nil }
      if let attribute = entry.metadata as? Schema.Attribute, attribute.isTransient { return nil }
      return isRelationship(type(of: path).valueType) ? nil : (entry.name, path)
    }
  }

  /// The relationships, inherited relationships first.
  static var relationships: [(name: String, path: AnyKeyPath)] {
    schemaMetadata.compactMap { entry in
      guard let path = entry.keypath else { return nil }
      guard entry.metadata is Schema.Relationship || isRelationship(type(of: path).valueType) else { return nil }
      return (entry.name, path)
    }
  }

  private static func isRelationship(_ type: any Any.Type) -> Bool {
    var type = type
    if let optional = type as? any OptionalType.Type { type = optional.wrapped }
    return type is any PersistentModel.Type || type is any ModelList.Type
  }
}

private protocol OptionalType { static var wrapped: any Any.Type { get } }
extension Optional: OptionalType { static var wrapped: any Any.Type { Wrapped.self } }
private protocol ModelList {}
extension Array: ModelList where Element: PersistentModel {}
