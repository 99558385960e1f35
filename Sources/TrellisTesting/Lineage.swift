import Trellis

/// What became of models and properties between two versions of a plan, and which of them stay as they
/// were.
struct Lineage {
  /// By the older name: what a model is called in the newer version; those that are gone are left out.
  private var models: [String: String] = [:]
  /// By the older name: what properties whose values stay are called, by their older names.
  private var kept: [String: [String: String]] = [:]
  /// The models, by their older names, of which rows may go.
  private var losing: Set<String> = []

  init(
    plan: any SchemaMigrationPlan.Type, from: any VersionedSchema.Type, to: any VersionedSchema.Type
  ) {
    let versions = plan.schemas
    let oldest = Schema(versionedSchema: from)
    for entity in oldest.entities {
      models[entity.name] = entity.name
      kept[entity.name] = Dictionary(
        uniqueKeysWithValues: entity.properties.compactMap { property in
          property is Schema.Attribute ? (property.name, property.name) : nil
        })
    }
    guard let first = versions.firstIndex(where: { $0 == from }),
      let last = versions.firstIndex(where: { $0 == to })
    else { return }
    for index in first..<last {
      let stage = plan.stages.first { $0.fromVersion == versions[index] }
      follow(
        stage, from: Schema(versionedSchema: versions[index]),
        to: Schema(versionedSchema: versions[index + 1]))
    }
  }

  func model(_ old: String) -> String? { models[old] }
  func loses(_ old: String) -> Bool { losing.contains(old) }

  func properties(of old: String) -> [(old: String, new: String)] {
    (kept[old] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private mutating func follow(_ stage: MigrationStage?, from old: Schema, to new: Schema) {
    var filled: Set<String> = []
    var deduped: Set<String> = []
    for step in stage?.steps ?? [] {
      filled.formUnion(step.filledProperties)
      if let model = step.dedupedModel { deduped.insert(model) }
    }
    for (oldest, name) in models {
      guard let before = old.entitiesByName[name],
        let after = new.entities.first(where: { $0.originalName == name && $0.name != name })
          ?? new.entitiesByName[name]
      else {
        models[oldest] = nil
        continue
      }
      models[oldest] = after.name
      let isShared = deduped.contains { model in
        var current: Schema.Entity? = after
        while let candidate = current {
          if candidate.name == model { return true }
          current = candidate.superentityName.flatMap { new.entitiesByName[$0] }
        }
        return new.entitiesByName[model]?.superentityName == after.name
      }
      if isShared { losing.insert(oldest) }
      kept[oldest] = (kept[oldest] ?? [:]).compactMapValues { property in
        guard let was = before.attributesByName[property] ?? before.inherited(property),
          let now = after.successor(of: property), !filled.contains("\(after.name).\(now.name)"),
          Self.isSame(was, now)
        else { return nil }
        return now.name
      }
    }
  }

  /// Whether values are written alike in both versions.
  private static func isSame(_ old: Schema.Attribute, _ new: Schema.Attribute) -> Bool {
    func name(_ type: any Any.Type) -> String { "\(type)" }
    let was = name(old.valueType)
    let now = name(new.valueType)
    return was == now || "Optional<\(was)>" == now
  }
}

extension Schema.Entity {
  fileprivate func inherited(_ name: String) -> Schema.Attribute? {
    inheritedProperties.first { $0.name == name } as? Schema.Attribute
  }

  /// The attribute a property of the version before has become.
  fileprivate func successor(of name: String) -> Schema.Attribute? {
    let all = properties.compactMap { $0 as? Schema.Attribute }
    return all.first { $0.originalName == name && $0.name != name } ?? all.first { $0.name == name }
  }
}
