/// The rows of a store in the middle of a stage: those of the old version and those of the new one. Given
/// to ``MigrationStep/custom(_:_:)``. Not in SwiftData.
///
///     .custom("splitNames") { rows in
///       try rows.forEach(V1.Person.Snapshot.self) { people in
///         try rows.new.insert(contentsOf: people.map { person in
///           V2.Alias.Snapshot(
///             text: person.nickname, person: rows.identifier(of: person, as: V2.Person.self))
///         })
///       }
///     }
///
/// Both contexts are of no use after the step. What is pending in ``new`` when the step returns is saved.
public struct MigrationRows {
  /// A context over the old models. It cannot be saved.
  public let old: ModelContext
  /// A context over the new models. Rows that follow from old ones are there and have the same keys.
  public let new: ModelContext
  let report: (Int) -> Void

  /// What the new row is called that follows from an old one, or has the key of one.
  public func identifier<T: PersistentModel>(
    of old: PersistentIdentifier, as model: T.Type
  ) -> PersistentIdentifier {
    let root = T._$definition.root.entityName
    return PersistentIdentifier(
      key: old.key, token: .interned(store: old.storeIdentifier, entity: root))
  }

  /// What the new row is called that follows from an old one.
  public func identifier<S: ModelSnapshot, T: PersistentModel>(
    of old: S, as model: T.Type
  ) -> PersistentIdentifier {
    identifier(of: old.persistentIdentifier, as: model)
  }
}
