/// What one model was like at one moment, as far as undoing has to know.
///
/// Related models are held as objects: their identifiers change when they are saved, and when a
/// deletion that was saved is taken back.
struct ObjectState {
  let model: any PersistentModel
  /// Whether the context had the model and it was not deleted.
  let exists: Bool
  /// The attributes; nil for a model that does not exist.
  private(set) var values: SnapshotBuffer?
  /// The to-one relationships by column slot.
  private(set) var targets: [Int: Target] = [:]
  /// The members of lists without a to-one inverse, by list slot: of the lists that were about to change, or of all.
  private(set) var lists: [Int: [Member]] = [:]

  /// The other end of a to-one relationship.
  struct Target {
    var model: (any PersistentModel)?
    var identifier: PersistentIdentifier
    /// False while it was deleted, and so read as nil.
    var isShown: Bool

    func isSame(as other: Target) -> Bool {
      if let model, let otherModel = other.model { return model === otherModel }
      return identifier == other.identifier
    }
  }

  /// A member of a list.
  struct Member {
    var model: any PersistentModel
    /// False while it was deleted, and so left out.
    var isShown: Bool
  }

  /// - Parameter wasShown: whether a related model was not deleted at the moment in question.
  init(
    of model: any PersistentModel, in context: ModelContext,
    wasShown: (any PersistentModel) -> Bool = { $0.isUsableTarget }
  ) {
    self.model = model
    exists = context.shows(model)
    guard exists else {
      values = nil
      return
    }
    let definition = type(of: model)._$definition
    values = model.capturedRow()
    for relation in definition.relations.references {
      let slot = relation.property.slot
      guard let identifier = definition.codec.reference(slot, of: model) else { continue }
      let target =
        model._$state.side?.links.target(slot) ?? context.registered(identifier, relation.destination)
      targets[slot] = Target(
        model: target, identifier: identifier, isShown: target.map(wasShown) ?? true)
    }
  }

  /// Takes the values of the row, but for what was changed here.
  mutating func refresh(_ fresh: SnapshotBuffer, _ index: Int) {
    guard let values, let side = model._$state.side else { return }
    self.values = try? fresh.replacing(index, side.changed, from: values, 0)
  }

  /// Takes the values of some columns from a row.
  mutating func take(_ columns: PropertySet, from row: SnapshotBuffer) {
    values = (try? values?.replacing(0, columns, from: row, 0)) ?? values
  }

  /// Reads a list that is about to be changed.
  mutating func captureList(
    _ slot: Int, in context: ModelContext,
    wasShown: (any PersistentModel) -> Bool = { $0.isUsableTarget }
  ) {
    guard exists, lists[slot] == nil,
      type(of: model)._$definition.relations.toMany[slot].isKeptAsList,
      let list = try? context.readList(of: model, slot: slot)
    else { return }
    lists[slot] = list.models.map { Member(model: $0, isShown: wasShown($0)) }
  }

  /// Reads every list: the model comes into being or is about to be deleted.
  mutating func captureLists(
    in context: ModelContext, wasShown: (any PersistentModel) -> Bool = { $0.isUsableTarget }
  ) {
    for relation in type(of: model)._$definition.relations.toMany {
      captureList(relation.property.slot, in: context, wasShown: wasShown)
    }
  }
}

extension Relation {
  /// Whether the list is more than the other side of to-one references.
  var isKeptAsList: Bool {
    guard let inverse else { return true }
    return inverse.kind.isToMany || isOrdered
  }

  package var isOrdered: Bool { property.relationship?.options.contains(.ordered) == true }
}

extension ModelContext {
  /// Whether a model belongs to this context and is not deleted.
  func shows(_ model: any PersistentModel) -> Bool {
    model.ownerContext === self && model.isUsableTarget
  }
}
