/// What a stage of a migration does beside changing the shape of the store. Not in SwiftData.
///
/// Fills run while the rows of a model are carried over; then the other steps, in their order, and then
/// the unique constraints of the new version are put up.
public struct MigrationStep: Sendable {
  package enum Kind: Sendable {
    case fill(MigrationFill)
    /// Leaves one of the rows of a model that have the same values.
    case dedupe(ModelDefinition, properties: [String], keep: Kept)
    case custom(String, @Sendable (MigrationRows) throws -> Void)
    case accept([String])
  }

  package let kind: Kind

  /// Gives properties of a model their values, row by row.
  ///
  /// - Parameters:
  ///   - old: the values of the model in the version the stage starts from.
  ///   - new: those in the version it leads to.
  ///   - properties: the stored properties and to-one relationships that the closure sets. They need no
  ///     default value. What it does to others is not kept.
  ///   - body: called with the old row and the new one, in which all other properties have the values
  ///     they are going to have. An error it throws ends the migration.
  public static func fill<Old: ModelSnapshot, New: ModelSnapshot>(
    _ old: Old.Type, _ new: New.Type, _ properties: [String],
    _ body: @escaping @Sendable (_ old: Old, _ new: inout New) throws -> Void
  ) -> MigrationStep {
    MigrationStep(
      kind: .fill(
        MigrationFill(old: Old.Model._$definition, new: New.Model._$definition, properties: properties) {
          oldRow, newRow, binder in
          let before = try Old.read(&oldRow)
          var after = try New.read(&newRow)
          try body(before, &after)
          try after.write(to: &binder)
        }))
  }

  /// The row that stays of those with the same values.
  public enum Kept: Sendable, Hashable {
    /// The one that was inserted last.
    case newest
    /// The one that was inserted first.
    case oldest
  }

  /// Leaves one of all rows that have the same values, so that a unique constraint can be put up.
  ///
  /// References to the rows that go, and their places in lists, lead to the row that stays. Rows in
  /// which one of the values is nil have no equals.
  ///
  /// - Parameters:
  ///   - model: the model, of the version the stage leads to.
  ///   - properties: the properties of the constraint.
  ///   - keep: which row stays.
  public static func dedupe<T: PersistentModel>(
    _ model: T.Type, on properties: [String], keep: Kept = .newest
  ) -> MigrationStep {
    MigrationStep(kind: .dedupe(T._$definition, properties: properties, keep: keep))
  }

  /// Runs code that sees the old rows and the new ones at the same time.
  ///
  /// - Parameters:
  ///   - name: names the step in errors and progress.
  ///   - body: makes of the rows what the stage cannot. The new rows already have what follows by
  ///     itself and from fills. An error it throws ends the migration.
  public static func custom(
    _ name: String, _ body: @escaping @Sendable (_ rows: MigrationRows) throws -> Void
  ) -> MigrationStep {
    MigrationStep(kind: .custom(name, body))
  }

  /// Lets the former values of properties go that are kept in another way now, and do not follow.
  ///
  /// A property that is no longer there is dropped without a word, as in SwiftData. One that is still
  /// there, as something else (a list of another model, say), ends the migration before it begins,
  /// unless a step gives it values or they are accepted to go. Of a list that is a reference now one
  /// member stays, the one that was inserted first.
  ///
  ///     .accept(["Team.sponsors"])
  ///
  /// - Parameter properties: as `Model.property`, in the words of the version the stage leads to.
  public static func accept(_ properties: [String]) -> MigrationStep {
    MigrationStep(kind: .accept(properties))
  }
}

extension MigrationStep {
  /// The properties a fill gives values, as `Model.property`.
  package var filledProperties: [String] {
    guard case .fill(let fill) = kind else { return [] }
    return fill.properties.map { "\(fill.new.entityName).\($0)" }
  }

  /// The properties whose former values may go, as `Model.property`.
  package var acceptedProperties: [String] { if case .accept(let properties) = kind { properties } else { [] } }

  /// Whether code of the program does it.
  package var isCustom: Bool { if case .custom = kind { true } else { false } }

  /// The model of which rows may go.
  package var dedupedModel: String? {
    guard case .dedupe(let model, _, _) = kind else { return nil }
    return model.entityName
  }
}

/// A fill of properties of the new version.
package struct MigrationFill: Sendable {
  package let old: ModelDefinition
  package let new: ModelDefinition
  package let properties: [String]
  /// Sets the parameters of the properties from an old row and the converted one.
  package let run:
    @Sendable (_ old: inout StatementRow, _ new: inout StatementRow, _ row: inout StatementBinder) throws -> Void
}

/// Steps that say where the values of a lightweight stage come from that do not follow by themselves.
///
///     static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
///     static var steps: [MigrationSteps] {
///       [
///         MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [
///           .fill(V1.Trip.Snapshot.self, V2.Trip.Snapshot.self, ["cents"]) { old, new in
///             new.cents = Int(exactly: (old.budget * 100).rounded()) ?? 0
///           },
///           .dedupe(V2.Trip.self, on: ["name"], keep: .newest),
///         ])
///       ]
///     }
///
/// A new required property without a default value, or one whose type cannot hold every old value, needs a
/// fill or a custom step. Not in SwiftData, whose ``MigrationStage`` has these two cases alone.
public struct MigrationSteps: Sendable {
  /// The version the steps start from.
  public let fromVersion: any VersionedSchema.Type
  /// The version the steps lead to.
  public let toVersion: any VersionedSchema.Type
  /// The steps, in their order.
  public let steps: [MigrationStep]

  /// Describes the steps between two versions.
  ///
  /// - Parameters:
  ///   - fromVersion: the version the steps start from.
  ///   - toVersion: the version they lead to; the plan's stage between the two is lightweight, or left out.
  ///   - steps: the steps, in their order.
  public init(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, _ steps: [MigrationStep]
  ) {
    self.fromVersion = fromVersion
    self.toVersion = toVersion
    self.steps = steps
  }
}

/// A stage of a plan together with its steps.
package struct StagePlan: Sendable {
  package let stage: MigrationStage
  package private(set) var steps: [MigrationStep] = []

  package init(_ stage: MigrationStage) { self.stage = stage }

  /// The stages of a plan. Steps of two versions without a stage are a lightweight one.
  package static func all(of plan: any SchemaMigrationPlan.Type) -> [StagePlan] {
    var all = plan.stages.map { StagePlan($0) }
    for given in plan.steps {
      let place = all.firstIndex { known in
        !known.isCustom && known.fromVersion == given.fromVersion && known.toVersion == given.toVersion
      }
      if place == nil {
        all.append(StagePlan(.lightweight(fromVersion: given.fromVersion, toVersion: given.toVersion)))
      }
      all[place ?? all.count - 1].steps += given.steps
    }
    return all
  }

  /// The same without the steps for some models, which are in different stores.
  package func without(_ models: Set<String>) -> StagePlan {
    guard !models.isEmpty else { return self }
    var copy = self
    copy.steps = steps.filter { step in
      switch step.kind {
      case .fill(let fill): !models.contains(fill.new.entityName)
      case .dedupe(let model, _, _): !models.contains(model.entityName)
      case .custom, .accept: true
      }
    }
    return copy
  }

  package var fromVersion: any VersionedSchema.Type { stage.fromVersion }
  package var toVersion: any VersionedSchema.Type { stage.toVersion }

  /// Whether closures of the plan run before and after it.
  package var isCustom: Bool { if case .custom = stage { true } else { false } }

  /// Whether the program gives no value.
  package var isOnlyShape: Bool {
    !isCustom && steps.allSatisfy { if case .accept = $0.kind { true } else { false } }
  }
}

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
  /// Reports progress.
  package let report: () -> Void

  package init(old: ModelContext, new: ModelContext, report: @escaping () -> Void) {
    self.old = old
    self.new = new
    self.report = report
  }

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
