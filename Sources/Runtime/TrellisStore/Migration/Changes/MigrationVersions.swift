import Synchronization

/// The versions of a plan, reduced to the models that one store keeps.
package struct MigrationVersions {
  package struct Version {
    /// Nil for a version that only a schema file describes.
    let type: (any VersionedSchema.Type)?
    package let number: Schema.Version
    package let schema: Schema
    package let fingerprint: String
    /// The version's models that belong to different stores.
    var others: Set<String> = []
  }

  /// Oldest first.
  package private(set) var all: [Version] = []
  /// The version of the program's models; nil if the plan does not have it.
  package let current: Int?
  let stages: [StagePlan]

  /// The versions of schema files. Their stages contain no code of the program.
  ///
  /// - Parameter schemas: oldest first.
  package init(_ schemas: [Schema]) {
    all = schemas.map {
      Version(type: nil, number: $0.storedVersion, schema: $0, fingerprint: SchemaFingerprint.text(of: $0))
    }
    current = all.indices.last
    stages = []
  }

  /// - Parameters:
  ///   - schema: the models of the program.
  ///   - number: the version of the program's models.
  package init(
    _ plan: any SchemaMigrationPlan.Type, for schema: Schema, fingerprint: String, number: Schema.Version
  ) {
    let types = plan.schemas.map { (type: $0, whole: Schema(versionedSchema: $0)) }
    stages = StagePlan.all(of: plan)
    // The models may be all those of a version before the last.
    var isWhole = types.contains { type, whole in
      type.versionIdentifier == number && SchemaFingerprint.text(of: whole) == fingerprint
    }
    var versions: [Version] = []
    for (index, (type, whole)) in types.enumerated().reversed() {
      var part = whole
      // A version from a second branch has the models of the version that its stage leads to.
      let next = stages.next(after: index, in: plan.schemas).index
      let successor = versions.dropLast(max(0, next - index - 1)).last ?? versions.last
      // A store of some of the container's models has had the former versions of these models. A store of all models
      // has had all models of a former version, those included that are gone.
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

  /// The models of a version that belong to the store.
  private static func names(
    in version: Schema, before next: Schema?, _ own: Schema
  ) -> Set<String> {
    guard let next else {
      let known = version.entitiesByName.keys.filter { own.entitiesByName[$0] != nil }
      return Set(known.isEmpty ? version.entities.map(\.name) : known)
    }
    return Set(NamePairing(from: version.entities.map(\.item), to: next.entities.map(\.item)).origins.values)
  }

  /// The version of a store.
  ///
  /// Versions have one fingerprint if they differ only in the meaning of values; the number that the store was written
  /// with then decides.
  ///
  /// - Parameter stored: the schema of the store. A version with types that read other values does not match.
  package func index(_ fingerprint: String, _ number: Schema.Version, _ stored: Schema?) -> Int? {
    let matches = all.indices.filter { index in
      all[index].fingerprint == fingerprint
        && stored.map { ValueDifference.unreadable(from: $0, to: all[index].schema).isEmpty } != false
    }
    return matches.last { all[$0].number == number } ?? matches.last
  }

  /// The stages from one version to another.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` when the stages do not lead there.
  package func path(from start: Int, to end: Int) throws -> [VersionStep] {
    var steps: [VersionStep] = []
    var current = start
    while current < end {
      let from = all[current]
      let (next, plan) = stages.next(after: current, in: all.map(\.type))
      guard next <= end else {
        throw PlanRules.failure(
          "no stage leads from version \(from.number) to \(all[end].number): the one that starts "
            + "there leads on to \(all[next].number)")
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
  /// The version to which stores of a version go next, with the stage of the plan; nil for an inferred stage.
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

/// The type of all versions of schema files in a ``MigrationStage``, which requires types.
enum UnknownVersion: VersionedSchema {
  static var models: [any PersistentModel.Type] { [] }
  static var versionIdentifier: Schema.Version { Schema.Version(0, 0, 0) }
}

/// The step from one version of a plan to the next.
package struct VersionStep {
  package let from: MigrationVersions.Version
  package let to: MigrationVersions.Version
  package let plan: StagePlan
  /// False for a store that is opened without a plan: values must not be lost or converted.
  package var isPlanned = true
  /// The differences between the two schemas that need a plan; empty with one.
  var differences: [String] = []

  /// The properties, as `Model.property`, to which fills give values.
  package var fills: Set<String> { inherited(plan.steps.flatMap(\.filledProperties)) }

  /// The properties, as `Model.property`, whose former values may go.
  var accepted: Set<String> { inherited(plan.steps.flatMap(\.acceptedProperties)) }

  var hasCustomSteps: Bool { plan.steps.contains(where: \.isCustom) }

  /// The properties of the models and their subclasses.
  private func inherited(_ properties: [String]) -> Set<String> {
    Set(
      properties.flatMap { property -> [String] in
        let parts = property.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let model = to.schema.entitiesByName[String(parts[0])] else { return [property] }
        return model.hierarchy.map { "\($0.name).\(parts[1])" }
      })
  }
}

/// The rules for every migration plan, whatever store is opened with it.
package enum PlanRules {
  /// - Throws: ``SwiftDataError/unknownSchema`` for a plan that cannot be carried out. New stores check it, too, so
  ///   that the author of a plan sees the error before a user with an old store does.
  package static func check(_ plan: any SchemaMigrationPlan.Type) throws {
    let versions = plan.schemas
    for (version, next) in zip(versions, versions.dropFirst()) {
      let (number, after) = (version.versionIdentifier, next.versionIdentifier)
      // Stores would go back, and lose what only the newer one has.
      if after < number {
        throw failure("its 'schemas' have version \(after) after \(number): list the oldest one first")
      }
      if after == number {
        throw failure(
          "its 'schemas' have two versions \(number), '\(version)' and '\(next)': give each a number of its own")
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
    .unknownSchema.explained("the migration plan cannot be followed: \(reason)")
  }
}

/// The names of models in the older versions of a plan. Identifiers that a program has stored contain them.
package final class FormerNames: Sendable {
  private let schema: Schema
  private let plan: any SchemaMigrationPlan.Type
  /// Former name to present one; nil before the first call.
  private let names = Mutex<[String: String]?>(nil)

  /// The versions are read with the first call of ``current(_:)``.
  package init(_ plan: any SchemaMigrationPlan.Type, of schema: Schema) {
    self.plan = plan
    self.schema = schema
  }

  /// The present name of the model that had a name in some version; nil if there is none, or several.
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
    // The present names of the models of each version.
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
    // Two models may have had one name, one after the other.
    return found.compactMapValues { $0.count == 1 ? $0.first : nil }
  }
}
