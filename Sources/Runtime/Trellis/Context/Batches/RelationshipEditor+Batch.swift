/// Relationships of models whose types are known at run time only.
extension RelationshipEditor {
  static func setTarget<M: PersistentModel>(
    of model: M, _ relation: Relation, to target: (any PersistentModel)?
  ) {
    func destination<D: PersistentModel>(_ type: D.Type) {
      func value<Value>(_: Value.Type) {
        guard let keyPath = relation.property.keyPath as? KeyPath<M, Value> else { return }
        setTarget(of: model, slot: relation.slot, to: target as? D, keyPath: keyPath)
      }
      _openExistential(Swift.type(of: relation.property.keyPath).valueType, do: value)
    }
    destination(relation.destination.modelType)
  }

  /// Adds members to a to-many relationship that has some already.
  static func append<M: PersistentModel>(
    _ members: [any PersistentModel], to model: M, _ relation: Relation
  ) {
    func destination<D: PersistentModel>(_ type: D.Type) {
      func value<Value>(_: Value.Type) {
        guard let keyPath = relation.property.keyPath as? KeyPath<M, Value> else { return }
        let present = model.loadedList(relation.slot)?.models.compactMap { $0 as? D } ?? []
        let added = members.compactMap { $0 as? D }.filter { member in
          !present.contains { $0 === member }
        }
        setMembers(of: model, slot: relation.slot, to: present + added, keyPath: keyPath)
      }
      _openExistential(Swift.type(of: relation.property.keyPath).valueType, do: value)
    }
    destination(relation.destination.modelType)
  }
}
