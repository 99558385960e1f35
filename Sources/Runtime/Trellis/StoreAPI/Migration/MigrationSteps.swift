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

  init(_ stage: MigrationStage) { self.stage = stage }

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
  func without(_ models: Set<String>) -> StagePlan {
    guard !models.isEmpty else { return self }
    var copy = self
    copy.steps = steps.filter { step in
      switch step.kind {
      case .fill(let fill): !models.contains(fill.new.entityName)
      case .dedupe(let dedupe): !models.contains(dedupe.model.entityName)
      case .custom, .accept: true
      }
    }
    return copy
  }

  package var fromVersion: any VersionedSchema.Type { stage.fromVersion }
  package var toVersion: any VersionedSchema.Type { stage.toVersion }

  /// Whether closures of the plan run before and after it.
  package var isCustom: Bool { if case .custom = stage { true } else { false } }

  /// Whether code of the program takes part, or values go.
  var hasCode: Bool { isCustom || !steps.isEmpty }

  /// Whether the program gives no value.
  package var isOnlyShape: Bool {
    !isCustom && steps.allSatisfy { if case .accept = $0.kind { true } else { false } }
  }

  var willMigrate: ((ModelContext) throws -> Void)? {
    if case .custom(_, _, let willMigrate, _) = stage { willMigrate } else { nil }
  }

  var didMigrate: ((ModelContext) throws -> Void)? {
    if case .custom(_, _, _, let didMigrate) = stage { didMigrate } else { nil }
  }
}
