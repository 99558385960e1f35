import Synchronization

/// A plan's versions, reduced to the models in a single store.
package struct MigrationVersions {
  package struct Version {
    /// `nil` if the version is described only by a schema file.
    let type: (any VersionedSchema.Type)?
    package let number: Schema.Version
    package let schema: Schema
    package let fingerprint: String
    /// Models in this version that belong to other stores.
    var others: Set<String> = []
  }

  /// Oldest first.
  package private(set) var all: [Version] = []
  /// The current version's index; `nil` if the plan does not contain it.
  package let current: Int?
  let stages: [StagePlan]

  /// Creates versions from schema files. The stages between them are inferred and run no app code.
  ///
  /// - Parameter schemas: The schemas, oldest first.
  package init(_ schemas: [Schema]) {
    all = schemas.map {
      Version(type: nil, number: $0.storedVersion, schema: $0, fingerprint: SchemaFingerprint.text(of: $0))
    }
    current = all.indices.last
    stages = []
  }

  /// - Parameters:
  ///   - schema: The app's models.
  ///   - number: The app's schema version.
  package init(
    _ plan: any SchemaMigrationPlan.Type, for schema: Schema, fingerprint: String, number: Schema.Version
  ) {
    let types = plan.schemas.map { (type: $0, whole: Schema(versionedSchema: $0)) }
    stages = StagePlan.all(of: plan)
    // The app's models may be the complete set from a version before the last.
    var isWhole = types.contains { type, whole in
      type.versionIdentifier == number && SchemaFingerprint.text(of: whole) == fingerprint
    }
    var versions: [Version] = []
    for (index, (type, whole)) in types.enumerated().reversed() {
      var part = whole
      // A stage may skip versions: its source version keeps the models that the target version uses.
      let next = stages.next(after: index, in: plan.schemas).index
      let successor = versions.dropLast(max(0, next - index - 1)).last ?? versions.last
      // A store with only some of the container's models previously contained earlier versions of these models. A store
      // with all models previously contained all models of the earlier version, including models removed since then.
      if !isWhole {
        let names = Self.names(in: whole, before: successor?.schema, schema)
        if versions.isEmpty { isWhole = names.count == whole.entities.count }
        if !isWhole { part = whole.subset(of: names) }
      }
      versions.append(
        Version(
          type: type, number: type.versionIdentifier, schema: part, fingerprint: SchemaFingerprint.text(of: part),
          others: Set(whole.entities.map(\.name)).subtracting(part.entities.map(\.name))))
    }
    all = versions.reversed()
    current =
      all.lastIndex { $0.fingerprint == fingerprint && $0.number == number }
      ?? all.lastIndex { $0.fingerprint == fingerprint }
  }

  /// Returns the version's models that belong to the store.
  private static func names(
    in version: Schema, before next: Schema?, _ own: Schema
  ) -> Set<String> {
    guard let next else {
      let known = version.entitiesByName.keys.filter { own.entitiesByName[$0] != nil }
      return Set(known.isEmpty ? version.entities.map(\.name) : known)
    }
    return Set(NamePairing(from: version.entities.map(\.item), to: next.entities.map(\.item)).origins.values)
  }

  /// Returns the index of the store's version.
  ///
  /// Versions share a fingerprint if only the meaning of values differs. In that case, the stored version number
  /// decides.
  ///
  /// - Parameter stored: The store's schema. A version whose types would misread stored values does not match.
  package func index(_ fingerprint: String, _ number: Schema.Version, _ stored: Schema?) -> Int? {
    let matches = all.indices.filter { index in
      all[index].fingerprint == fingerprint
        && stored.map { ValueDifference.unreadable(from: $0, to: all[index].schema).isEmpty } != false
    }
    return matches.last { all[$0].number == number } ?? matches.last
  }

  /// Returns the stages between two versions.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the stages do not reach the target version.
  package func path(from start: Int, to end: Int) throws -> [VersionStep] {
    var steps: [VersionStep] = []
    var current = start
    while current < end {
      let from = all[current]
      let (next, plan) = stages.next(after: current, in: all.map(\.type))
      guard next <= end else {
        throw PlanRules.failure(
          "no stage leads from version \(from.number) to \(all[end].number): the stage from "
            + "\(from.number) leads to \(all[next].number)")
      }
      let inferred = StagePlan(
        .lightweight(
          fromVersion: from.type ?? UnknownVersion.self, toVersion: all[next].type ?? UnknownVersion.self))
      steps.append(VersionStep(from: from, to: all[next], plan: (plan ?? inferred).without(all[next].others)))
      current = next
    }
    return steps
  }
}

extension [StagePlan] {
  /// Returns the version that follows in a migration, with the plan's stage; the stage is `nil` if it is inferred.
  package func next(
    after version: Int, in versions: [(any VersionedSchema.Type)?]
  ) -> (index: Int, plan: StagePlan?) {
    func index(of type: any VersionedSchema.Type) -> Int? {
      versions.firstIndex { $0.map { ObjectIdentifier($0) } == ObjectIdentifier(type) }
    }
    let plan = last { index(of: $0.fromVersion) == version && index(of: $0.toVersion) != nil }
    return (plan.flatMap { index(of: $0.toVersion) } ?? version + 1, plan)
  }
}

/// A placeholder type for schema file versions, because ``MigrationStage`` requires types.
enum UnknownVersion: VersionedSchema {
  static var models: [any PersistentModel.Type] { [] }
  static var versionIdentifier: Schema.Version { Schema.Version(0, 0, 0) }
}

/// A migration step between two versions in a plan.
package struct VersionStep {
  package let from: MigrationVersions.Version
  package let to: MigrationVersions.Version
  package let plan: StagePlan
  /// False if the store is opened with no plan: values must not be lost or converted.
  package var isPlanned = true
  /// Schema differences that require a plan; empty if there is a plan.
  var differences: [String] = []

  /// Properties that fills set, as `Model.property`.
  package var fills: Set<String> { inherited(plan.steps.flatMap(\.filledProperties)) }

  /// Properties whose old values may be discarded, as `Model.property`.
  var accepted: Set<String> { inherited(plan.steps.flatMap(\.acceptedProperties)) }

  var hasCustomSteps: Bool { plan.steps.contains(where: \.isCustom) }

  /// Expands the properties to include subclasses.
  private func inherited(_ properties: [String]) -> Set<String> {
    Set(
      properties.flatMap { property -> [String] in
        let parts = property.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let model = to.schema.entitiesByName[String(parts[0])] else { return [property] }
        return model.hierarchy.map { "\($0.name).\(parts[1])" }
      })
  }
}

/// Rules that apply to every migration plan, regardless of the store.
package enum PlanRules {
  /// - Throws: ``SwiftDataError/unknownSchema`` if the plan cannot be run. New stores are included, so that the plan's
  ///   author sees the error before users with older stores do.
  package static func check(_ plan: any SchemaMigrationPlan.Type) throws {
    let versions = plan.schemas
    for (version, next) in zip(versions, versions.dropFirst()) {
      let (number, after) = (version.versionIdentifier, next.versionIdentifier)
      // Stores would migrate backward and lose newer values.
      if after < number {
        throw failure("its 'schemas' list version \(after) after \(number): list the oldest version first")
      }
      if after == number {
        throw failure(
          "its 'schemas' list two versions with the number \(number), '\(version)' and '\(next)': give each its own")
      }
    }
    var starts = Set<Int>()
    for stage in StagePlan.all(of: plan) {
      let text = "\(stage.fromVersion.versionIdentifier) → \(stage.toVersion.versionIdentifier)"
      guard let from = versions.firstIndex(where: { $0 == stage.fromVersion }),
        let to = versions.firstIndex(where: { $0 == stage.toVersion })
      else { throw failure("its stage \(text) names a version that is not among its 'schemas'") }
      guard from < to else { throw failure("its stage \(text) does not lead to a newer version") }
      guard starts.insert(from).inserted else {
        throw failure("two of its stages start from version \(versions[from].versionIdentifier)")
      }
    }
  }

  static func failure(_ reason: String) -> SwiftDataError {
    .unknownSchema.explained("the migration plan is not valid: \(reason)")
  }
}

/// Model names from older versions in a plan. Identifiers that an app stored earlier may contain these names.
package final class FormerNames: Sendable {
  private let schema: Schema
  private let plan: any SchemaMigrationPlan.Type
  /// Former names mapped to current names; `nil` until first use.
  private let names = Mutex<[String: String]?>(nil)

  /// Defers reading the versions until ``current(_:)`` is called.
  package init(_ plan: any SchemaMigrationPlan.Type, of schema: Schema) {
    self.plan = plan
    self.schema = schema
  }

  /// Returns the current name for a former model name; `nil` if there is no match or more than one.
  package func current(_ name: String) -> String? {
    names.withLock { names in
      let all = names ?? read()
      names = all
      return all[name]
    }
  }

  private func read() -> [String: String] {
    let types = plan.schemas
    let last = plan.version(of: schema)
    guard let current = types.firstIndex(where: { type in last.map { $0 == type } ?? false }) else { return [:] }
    let stages = StagePlan.all(of: plan)
    var versions = [current: schema]
    var found: [String: Set<String>] = [:]
    // Current model names by version.
    var names = [
      current: Dictionary(schema.entities.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
    ]
    for index in (0..<current).reversed() {
      let next = stages.next(after: index, in: types).index
      guard let new = versions[next], let today = names[next] else { continue }
      let old = Schema(versionedSchema: types[index])
      versions[index] = old
      for (name, origin) in NamePairing(from: old.entities.map(\.item), to: new.entities.map(\.item)).origins {
        guard let current = today[name] else { continue }
        names[index, default: [:]][origin] = current
        if origin != current { found[origin, default: []].insert(current) }
      }
    }
    // Two models may have used the same name in different versions.
    return found.compactMapValues { $0.count == 1 ? $0.first : nil }
  }
}
