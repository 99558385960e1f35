/// One step of a migration, between two neighbouring versions.
public enum MigrationStage: @unchecked Sendable {  // closures run while one container opens
  /// The store's shape changes and its values follow without help.
  ///
  /// Models and properties that are new, gone or renamed by `originalName`, values whose type can hold
  /// every old one, and values that become optional. What is no longer in the schema is dropped with its
  /// values. A change that would need values nobody has given ends the migration before it begins.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// Code of the program takes part.
  ///
  /// - Parameters:
  ///   - willMigrate: called with a context over the models of `fromVersion`, before the store's
  ///     shape changes.
  ///   - didMigrate: called with a context over the models of `toVersion`, after it changed.
  ///
  /// What the closures leave unsaved is not kept. An error one of them throws ends the migration
  /// and leaves the store as it was.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
  /// The store's shape changes as in ``lightweight(fromVersion:toVersion:)``, and steps say where the
  /// values come from that do not follow by themselves.
  ///
  ///     .steps(fromVersion: V1.self, toVersion: V2.self, [
  ///       .fill(V1.Trip.Snapshot.self, V2.Trip.Snapshot.self, ["cents"]) { old, new in
  ///         new.cents = Int(exactly: (old.budget * 100).rounded()) ?? 0
  ///       },
  ///       .dedupe(V2.Trip.self, on: ["name"], keep: .newest),
  ///     ])
  ///
  /// A new required property without a default value, or one whose type cannot hold every old value,
  /// needs a fill or a custom step. Not in SwiftData.
  case steps(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type, [MigrationStep])

  /// The version the stage starts from.
  package var fromVersion: any VersionedSchema.Type {
    switch self {
    case .lightweight(let from, _), .custom(let from, _, _, _), .steps(let from, _, _): from
    }
  }

  /// The version the stage leads to.
  package var toVersion: any VersionedSchema.Type {
    switch self {
    case .lightweight(_, let to), .custom(_, let to, _, _), .steps(_, let to, _): to
    }
  }

  /// Whether no value is given by anybody.
  var isOnlyShape: Bool {
    switch self {
    case .lightweight: true
    case .custom: false
    case .steps(_, _, let steps): steps.allSatisfy { if case .accept = $0.kind { true } else { false } }
    }
  }

  package var steps: [MigrationStep] { if case .steps(_, _, let steps) = self { steps } else { [] } }
}
