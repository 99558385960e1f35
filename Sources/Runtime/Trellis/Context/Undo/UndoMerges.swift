/// Insertions that a save has merged with rows that were there before, for they had the same unique
/// values.
///
/// Taking such an insertion back must not delete the row. Where the context had an object of the row,
/// the save is a change of that object, which undoing takes back. Where it had none, the row's former
/// values are not known and it is left alone.
struct UndoMerges {
  private struct Merge {
    /// Held, so that no other object gets its address.
    let inserted: any PersistentModel
    /// What stands for the row: the object the context had, or else the inserted one.
    let standing: any PersistentModel
  }

  private var merges: [ObjectIdentifier: Merge] = [:]
  /// Until that is registered.
  private var overwritten: [Overwritten] = []

  /// What the object of a row was like before it took the values of a new model.
  struct Overwritten {
    let inserted: any PersistentModel
    let before: ObjectState
  }

  /// A new model is gone; another object takes its values.
  mutating func note(
    _ model: any PersistentModel, in existing: any PersistentModel, before: ObjectState?
  ) {
    merges[ObjectIdentifier(model)] = Merge(inserted: model, standing: existing)
    if let before { overwritten.append(Overwritten(inserted: model, before: before)) }
  }

  /// A new model stands for a row that no object stood for.
  mutating func noteOverwriting(by model: any PersistentModel) {
    merges[ObjectIdentifier(model)] = Merge(inserted: model, standing: model)
  }

  mutating func takeOverwritten() -> [Overwritten] {
    defer { overwritten = [] }
    return overwritten
  }

  /// Whether a model was merged, and so its insertion cannot be taken back.
  func contains(_ model: any PersistentModel) -> Bool { merges[ObjectIdentifier(model)] != nil }

  /// Who stands for a model now.
  func standing(for model: any PersistentModel) -> any PersistentModel {
    var model = model
    while let merge = merges[ObjectIdentifier(model)], merge.standing !== model {
      model = merge.standing
    }
    return model
  }
}
