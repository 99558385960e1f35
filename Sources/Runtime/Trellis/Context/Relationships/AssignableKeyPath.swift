/// A key path of a relationship whose value type is known only at run time.
protocol AssignableKeyPath {
  /// Assigns a to-one relationship, as its setter does.
  func assign(_ target: (any PersistentModel)?, to model: any PersistentModel, slot: Int)

  /// Assigns a to-many relationship, as its setter does.
  func assign(
    _ members: [any PersistentModel], of type: any PersistentModel.Type,
    to model: any PersistentModel, slot: Int)
}

extension KeyPath: AssignableKeyPath where Root: PersistentModel {
  func assign(_ target: (any PersistentModel)?, to model: any PersistentModel, slot: Int) {
    guard let model = model as? Root else { return }
    guard let target else {
      let none: Root? = nil
      return RelationshipEditor.setTarget(of: model, slot: slot, to: none, keyPath: self)
    }
    func open<M: PersistentModel>(_ target: M) {
      RelationshipEditor.setTarget(of: model, slot: slot, to: target, keyPath: self)
    }
    open(target)
  }

  func assign(
    _ members: [any PersistentModel], of type: any PersistentModel.Type,
    to model: any PersistentModel, slot: Int
  ) {
    guard let model = model as? Root else { return }
    func open<M: PersistentModel>(_ type: M.Type) {
      RelationshipEditor.setMembers(
        of: model, slot: slot, to: members.compactMap { $0 as? M }, keyPath: self)
    }
    open(type)
  }
}
