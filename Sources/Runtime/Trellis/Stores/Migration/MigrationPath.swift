/// The versions of a plan, as far as one store is concerned with them.
struct MigrationVersions {
  struct Version {
    let type: any VersionedSchema.Type
    let schema: Schema
    let fingerprint: String
    var number: Schema.Version { type.versionIdentifier }
    /// Whether some of its texts are coded in another way than Swift's own.
    var hasForms: Bool { !schema.codedForms.isEmpty }
  }

  /// Oldest first.
  private(set) var all: [Version] = []
  /// The one the program's models are of; nil when the plan does not have it.
  let current: Int?
  let stages: [StagePlan]

  init(
    _ plan: any SchemaMigrationPlan.Type, for schema: Schema, fingerprint: String, number: Schema.Version
  ) {
    let types = plan.schemas.map { (type: $0, whole: Schema(versionedSchema: $0)) }
    stages = StagePlan.all(of: plan)
    // The models may be all those of a version before the last.
    var isWhole = types.contains { type, whole in
      type.versionIdentifier == number && SchemaFingerprint.text(of: whole) == fingerprint
    }
    var versions: [Version] = []
    for (type, whole) in types.reversed() {
      var part = whole
      // A store that keeps some of the container's models keeps what these were before. As long as it
      // keeps all of them it did so before, those included that are gone.
      if !isWhole {
        let names = Self.names(in: whole, before: versions.last?.schema, schema)
        if versions.isEmpty { isWhole = names.count == whole.entities.count }
        if !isWhole { part = whole.subset(of: names) }
      }
      versions.append(
        Version(type: type, schema: part, fingerprint: SchemaFingerprint.text(of: part)))
    }
    all = versions.reversed()
    current = all.lastIndex { $0.fingerprint == fingerprint && $0.number == number }
      ?? all.lastIndex { $0.fingerprint == fingerprint }
  }

  /// The models of a version that belong to the store.
  private static func names(
    in version: Schema, before next: Schema?, _ own: Schema
  ) -> Set<String> {
    let all = Set(version.entities.map(\.name))
    guard let next else {
      let known = all.intersection(own.entities.map(\.name))
      return known.isEmpty ? all : known
    }
    return all.intersection(
      next.entities.map { all.contains($0.originalName) ? $0.originalName : $0.name })
  }

  /// The version a store is of.
  ///
  /// Versions may have one fingerprint, where only the meaning of values has changed; then the number
  /// that the store was written with tells.
  func index(_ fingerprint: String, _ number: Schema.Version) -> Int? {
    let matches = all.indices.filter { all[$0].fingerprint == fingerprint }
    return matches.last { all[$0].number == number } ?? matches.last
  }

  /// The version of a store from before coded forms were part of its fingerprint. Where versions differ in
  /// these alone nothing but the number tells them apart.
  func index(beforeForms fingerprints: [String], _ number: Schema.Version) -> Int? {
    let matches = all.indices.filter {
      fingerprints.contains(SchemaFingerprint.text(of: all[$0].schema, notingForms: false))
    }
    if let index = matches.last(where: { all[$0].number == number }) { return index }
    return Set(matches.map { all[$0].fingerprint }).count == 1 ? matches.last : nil
  }

  /// The stages from one version to another.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` when the stages do not lead there.
  func path(from start: Int, to end: Int) throws -> [MigrationHop] {
    var outgoing: [Int: (to: Int, stage: StagePlan)] = [:]
    for stage in stages {
      guard let from = index(of: stage.fromVersion), let to = index(of: stage.toVersion) else { continue }
      outgoing[from] = (to, stage)
    }
    var hops: [MigrationHop] = []
    var current = start
    while current < end {
      let from = all[current]
      let next = outgoing[current]
      let to = next?.to ?? current + 1
      guard to <= end else {
        throw PlanRules.failure(
          "no stage leads from version \(from.number) to \(all[end].number): the one that starts "
            + "there leads on to \(all[to].number)")
      }
      hops.append(
        MigrationHop(
          from: from, to: all[to],
          stage: next?.stage ?? StagePlan(.lightweight(fromVersion: from.type, toVersion: all[to].type))))
      current = to
    }
    return hops
  }

  private func index(of type: any VersionedSchema.Type) -> Int? {
    all.firstIndex { ObjectIdentifier($0.type) == ObjectIdentifier(type) }
  }
}

/// One stage on the way of a store.
struct MigrationHop {
  let from: MigrationVersions.Version
  let to: MigrationVersions.Version
  let stage: StagePlan

  /// The properties that fills give values, by `Model.property`.
  var fills: Set<String> { stage.fills(in: to.schema) }

  /// The properties whose former values may go, in the same form.
  var accepted: Set<String> {
    var names = Set<String>()
    for case .accept(let properties) in stage.steps.map(\.kind) {
      for property in properties {
        names.insert(property)
        let parts = property.split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { continue }
        let below = to.schema.entitiesByName[String(parts[0])]?.hierarchy.map(\.name) ?? []
        names.formUnion(below.map { "\($0).\(parts[1])" })
      }
    }
    return names
  }

  var hasCustomSteps: Bool {
    stage.steps.contains { if case .custom = $0.kind { true } else { false } }
  }
}

extension StagePlan {
  /// The properties that fills give values, by `Model.property` of the schema it leads to.
  func fills(in schema: Schema) -> Set<String> {
    var names = Set<String>()
    for case .fill(let fill) in steps.map(\.kind) {
      let below = schema.entitiesByName[fill.new.entityName]?.hierarchy.map(\.name) ?? []
      for name in below { names.formUnion(fill.properties.map { "\(name).\($0)" }) }
    }
    return names
  }
}
