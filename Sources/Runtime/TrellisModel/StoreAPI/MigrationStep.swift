/// An operation that a migration stage performs in addition to the schema change. Not in SwiftData.
///
/// Fills run while a model's rows are copied. The remaining steps follow in order. The new version's unique constraints
/// are created last.
///
/// ```swift
/// typealias V1 = SampleTripsSchema.V1_0_0
/// typealias V2 = SampleTripsSchema.V2_0_0
/// let steps: [MigrationStep] = [
///   .fill(V1.Trip.Snapshot.self, V2.Trip.Snapshot.self, ["budget"]) { old, new in
///     new.budget = old.budget.flatMap { Decimal(string: "\($0)") }
///   },
///   .dedupe(V2.Trip.self, on: ["name", "startDate", "endDate"]),
/// ]
/// ```
///
/// ``MigrationSteps`` assigns steps to a stage.
public struct MigrationStep: Sendable {
  package enum Kind: Sendable {
    case fill(MigrationFill)
    /// Removes duplicates, keeping one row for each value combination.
    case dedupe(ModelDefinition, properties: [String], keep: Kept)
    case custom(String, @Sendable (MigrationRows) throws -> Void)
    case accept([String])
  }

  package let kind: Kind

  /// Sets property values row by row.
  ///
  /// ```swift
  /// typealias V1 = SampleTripsSchema.V1_0_0
  /// typealias V2 = SampleTripsSchema.V2_0_0
  /// let toDecimal = MigrationStep.fill(V1.Trip.Snapshot.self, V2.Trip.Snapshot.self, ["budget"]) { old, new in
  ///   new.budget = old.budget.flatMap { Decimal(string: "\($0)") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - old: The model's values in the source version.
  ///   - new: The model's values in the target version.
  ///   - properties: The stored properties and to-one relationships that the closure sets. They need no default value.
  ///     Changes to other properties are discarded.
  ///   - body: A closure that receives the old row and the new row. All other properties in the new row already have
  ///     the final values. An error thrown by the closure aborts the migration.
  /// - Returns: The step.
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

  /// The row to keep among duplicates.
  ///
  /// ```swift
  /// let step = MigrationStep.dedupe(
  ///   SampleTripsSchema.V2_0_0.Trip.self, on: ["name", "startDate", "endDate"], keep: .oldest)
  /// ```
  public enum Kept: Sendable, Hashable {
    /// The row that was inserted last.
    case newest
    /// The row that was inserted first.
    case oldest
  }

  /// Removes rows with duplicate values, so that a unique constraint can be created.
  ///
  /// References to the removed rows, including list memberships, are redirected to the remaining row. Rows in which any
  /// value is nil have no duplicates.
  ///
  /// ```swift
  /// // Required by the new constraint #Unique<Trip>([\.name, \.startDate, \.endDate])
  /// let step = MigrationStep.dedupe(SampleTripsSchema.V2_0_0.Trip.self, on: ["name", "startDate", "endDate"])
  /// ```
  ///
  /// - Parameters:
  ///   - model: The model in the target version.
  ///   - properties: The constraint's properties.
  ///   - keep: The row to keep.
  /// - Returns: The step.
  public static func dedupe<T: PersistentModel>(
    _ model: T.Type, on properties: [String], keep: Kept = .newest
  ) -> MigrationStep {
    MigrationStep(kind: .dedupe(T._$definition, properties: properties, keep: keep))
  }

  /// Runs code with simultaneous access to the old and new rows.
  ///
  /// ```swift
  /// let step = MigrationStep.custom("tagReunions") { rows in
  ///   let trips = try rows.new.fetch(FetchDescriptor<Trip>())
  ///   for trip in trips where trip.kind == .reunion { trip.tags = ["family"] }
  /// }
  /// ```
  ///
  /// Changes to models in `rows.new` are saved when the closure returns. ``MigrationRows`` shows how to create rows
  /// from old rows.
  ///
  /// - Parameters:
  ///   - name: The step's name in errors and progress.
  ///   - body: A closure that creates or changes rows that the stage cannot derive. The new rows already contain all
  ///     converted and filled values. An error thrown by the closure aborts the migration.
  /// - Returns: The step.
  public static func custom(
    _ name: String, _ body: @escaping @Sendable (_ rows: MigrationRows) throws -> Void
  ) -> MigrationStep {
    MigrationStep(kind: .custom(name, body))
  }

  /// Accepts the loss of property values that cannot be converted to the new form.
  ///
  /// A removed property is dropped silently, as in SwiftData. If a property still exists in an incompatible form, for
  /// example as a list of a different model, the migration fails before it begins, unless a step provides values or the
  /// loss is accepted. If a list has become a reference, the member that was inserted first is kept.
  ///
  /// ```swift
  /// // Trip.budget is a Double in version 1 and a Decimal in version 2: discard the values.
  /// let steps = MigrationSteps(
  ///   fromVersion: SampleTripsSchema.V1_0_0.self, toVersion: SampleTripsSchema.V2_0_0.self,
  ///   [.accept(["Trip.budget"])])
  /// ```
  ///
  /// - Parameter properties: The properties as `Model.property`, with the names in the target version.
  /// - Returns: The step.
  public static func accept(_ properties: [String]) -> MigrationStep {
    MigrationStep(kind: .accept(properties))
  }
}

extension MigrationStep {
  /// The properties that a fill sets, as `Model.property`.
  package var filledProperties: [String] {
    guard case .fill(let fill) = kind else { return [] }
    return fill.properties.map { "\(fill.new.entityName).\($0)" }
  }

  /// The properties whose former values may be lost, as `Model.property`.
  package var acceptedProperties: [String] { if case .accept(let properties) = kind { properties } else { [] } }

  /// True if the step runs app code.
  package var isCustom: Bool { if case .custom = kind { true } else { false } }

  /// The model whose rows may be removed.
  package var dedupedModel: String? {
    guard case .dedupe(let model, _, _) = kind else { return nil }
    return model.entityName
  }
}

/// A fill for properties in the new version.
package struct MigrationFill: Sendable {
  package let old: ModelDefinition
  package let new: ModelDefinition
  package let properties: [String]
  /// Binds the property values from an old row and the converted row.
  package let run:
    @Sendable (_ old: inout StatementRow, _ new: inout StatementRow, _ row: inout StatementBinder) throws -> Void
}

/// Steps that provide the values that a lightweight stage cannot derive.
///
/// A migration plan returns them from ``SchemaMigrationPlan/steps``:
///
/// ```swift
/// static var steps: [MigrationSteps] {
///   typealias V1 = SampleTripsSchema.V1_0_0
///   typealias V2 = SampleTripsSchema.V2_0_0
///   return [
///     MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [
///       .fill(V1.Trip.Snapshot.self, V2.Trip.Snapshot.self, ["budget"]) { old, new in
///         new.budget = old.budget.flatMap { Decimal(string: "\($0)") }
///       },
///       .dedupe(V2.Trip.self, on: ["name", "startDate", "endDate"]),
///     ])
///   ]
/// }
/// ```
///
/// A fill or custom step is required for a new required property that has no default value, and for a property whose
/// new type cannot represent every old value. Not in SwiftData, whose ``MigrationStage`` has only two cases.
public struct MigrationSteps: Sendable {
  /// The source version.
  public let fromVersion: any VersionedSchema.Type
  /// The target version.
  public let toVersion: any VersionedSchema.Type
  /// The steps in order.
  public let steps: [MigrationStep]

  /// Creates the steps between two versions.
  ///
  /// ```swift
  /// let steps = MigrationSteps(
  ///   fromVersion: SampleTripsSchema.V2_0_0.self, toVersion: SampleTripsSchema.V3_0_0.self,
  ///   [.custom("moveHotels", SampleTripsMigrationPlan.moveHotels)])
  /// ```
  ///
  /// - Parameters:
  ///   - fromVersion: The source version.
  ///   - toVersion: The target version. The plan's stage between the two versions is lightweight or omitted.
  ///   - steps: The steps in order.
  public init(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, _ steps: [MigrationStep]
  ) {
    self.fromVersion = fromVersion
    self.toVersion = toVersion
    self.steps = steps
  }
}

/// A migration stage with its steps.
package struct StagePlan: Sendable {
  package let stage: MigrationStage
  package private(set) var steps: [MigrationStep] = []

  package init(_ stage: MigrationStage) { self.stage = stage }

  /// Returns a plan's stages. Steps between versions that have no stage form a lightweight stage.
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

  /// Returns the stage without the steps for the given models, which belong to different stores.
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

  /// True if the plan's closures run before and after the schema change.
  package var isCustom: Bool { if case .custom = stage { true } else { false } }

  /// True if the app provides no values.
  package var isOnlyShape: Bool {
    !isCustom && steps.allSatisfy { if case .accept = $0.kind { true } else { false } }
  }
}

/// Access to a store's old and new rows during a stage. Passed to ``MigrationStep/custom(_:_:)``. Not in SwiftData.
///
/// ```swift
/// typealias V2 = SampleTripsSchema.V2_0_0
/// typealias V3 = SampleTripsSchema.V3_0_0
/// let moveHotels = MigrationStep.custom("moveHotels") { rows in
///   try rows.forEach(V2.Trip.Snapshot.self) { trips in
///     try rows.new.insert(contentsOf: trips.compactMap { trip in
///       trip.hotelName.map { name in
///         V3.LivingAccommodation.Snapshot(
///           placeName: name, address: V3.Address(street: trip.hotelStreet ?? "", city: trip.destination),
///           trip: rows.identifier(of: trip, as: V3.Trip.self))
///       }
///     })
///   }
/// }
/// ```
///
/// Neither context can be used after the step. Pending changes in ``new`` are saved when the step returns.
public struct MigrationRows {
  /// A context for the old models. It cannot be saved.
  public let old: ModelContext
  /// A context for the new models. It already contains the rows converted from old rows, with the same row keys.
  public let new: ModelContext
  /// Reports progress.
  package let report: () -> Void

  package init(old: ModelContext, new: ModelContext, report: @escaping () -> Void) {
    self.old = old
    self.new = new
    self.report = report
  }

  /// Returns the identifier for the new row that was converted from an old row or has the same row key.
  ///
  /// ```swift
  /// typealias V2 = SampleTripsSchema.V2_0_0
  /// typealias V3 = SampleTripsSchema.V3_0_0
  /// let step = MigrationStep.custom("tagHotels") { rows in
  ///   let booked = FetchDescriptor<V2.Trip>(predicate: #Predicate { $0.isHotelConfirmed })
  ///   for identifier in try rows.old.fetchIdentifiers(booked) {
  ///     let new = rows.identifier(of: identifier, as: V3.Trip.self)
  ///     try rows.new.existingModel(for: new, as: V3.Trip.self)?.tags = ["booked"]
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - old: An old row's identifier.
  ///   - model: The new model.
  /// - Returns: The identifier. The row may be missing, for example after a dedupe.
  public func identifier<T: PersistentModel>(
    of old: PersistentIdentifier, as model: T.Type
  ) -> PersistentIdentifier {
    let root = T._$definition.root.entityName
    return PersistentIdentifier(
      key: old.key, token: .interned(store: old.storeIdentifier, entity: root))
  }

  /// Returns the identifier for the new row that was converted from an old row.
  ///
  /// ```swift
  /// typealias V2 = SampleTripsSchema.V2_0_0
  /// typealias V3 = SampleTripsSchema.V3_0_0
  /// let step = MigrationStep.custom("remindOfHotels") { rows in
  ///   try rows.forEach(V2.Trip.Snapshot.self) { trips in
  ///     try rows.new.insert(contentsOf: trips.filter { !$0.isHotelConfirmed }.map { trip in
  ///       V3.BucketListItem.Snapshot(title: "Book a room", trip: rows.identifier(of: trip, as: V3.Trip.self))
  ///     })
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - old: An old row's values.
  ///   - model: The new model.
  /// - Returns: The identifier. The row may be missing, for example after a dedupe.
  public func identifier<S: ModelSnapshot, T: PersistentModel>(
    of old: S, as model: T.Type
  ) -> PersistentIdentifier {
    identifier(of: old.persistentIdentifier, as: model)
  }
}
