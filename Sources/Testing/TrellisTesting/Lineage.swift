import Trellis

/// Maps models and properties between two versions, and records the properties that remain unchanged.
struct Lineage {
  /// A property whose values are unchanged, with its names in the two versions.
  struct Kept {
    let old: String
    let new: String
    /// True if the property was optional and is now required. A `nil` in the old version then has no counterpart.
    var isRequiredNow = false
  }

  /// A relationship with unchanged destinations.
  struct KeptLink {
    let old: String
    let new: String
    /// The destination's names in the two versions.
    let oldDestination: String
    let newDestination: String
    /// True if both versions preserve the member order.
    var isOrdered: Bool
    var isToMany: Bool
  }

  /// Each model's newer name, by its older name. Removed models are missing.
  private var models: [String: String] = [:]
  private var values: [String: [Kept]] = [:]
  private var links: [String: [KeptLink]] = [:]
  /// Models that can lose rows, by older name.
  private var losing: Set<String> = []
  /// True if custom code or deduplication may have created rows.
  private(set) var mayHaveNewRows = false

  init(
    plan: any SchemaMigrationPlan.Type, from: any VersionedSchema.Type, to: any VersionedSchema.Type
  ) {
    let oldest = Schema(versionedSchema: from)
    for entity in oldest.entities {
      models[entity.name] = entity.name
      for property in entity.properties {
        if property is Schema.Attribute {
          values[entity.name, default: []].append(Kept(old: property.name, new: property.name))
        } else if let relationship = property as? Schema.Relationship {
          links[entity.name, default: []].append(
            KeptLink(
              old: property.name, new: property.name, oldDestination: relationship.destination,
              newDestination: relationship.destination, isOrdered: relationship.isOrdered,
              isToMany: !relationship.isToOneRelationship))
        }
      }
    }
    for step in StagePlan.way(of: plan, from: from, to: to) ?? [] {
      follow(step.stage, from: Schema(versionedSchema: step.from), to: Schema(versionedSchema: step.to))
    }
  }

  func model(_ old: String) -> String? { models[old] }
  func loses(_ old: String) -> Bool { losing.contains(old) }
  func values(of old: String) -> [Kept] { (values[old] ?? []).sorted { $0.old < $1.old } }
  func links(of old: String) -> [KeptLink] { (links[old] ?? []).sorted { $0.old < $1.old } }

  private mutating func follow(_ stage: StagePlan?, from old: Schema, to new: Schema) {
    var filled: Set<String> = []
    var deduped: Set<String> = []
    for step in stage?.steps ?? [] {
      filled.formUnion(step.filledProperties)
      if let model = step.dedupedModel { deduped.insert(model) }
      if step.isCustom { mayHaveNewRows = true }
    }
    if stage?.isCustom == true { mayHaveNewRows = true }
    var successors: [String: String] = [:]
    for name in Set(models.values) { successors[name] = new.successor(ofModel: name, old)?.name }
    for (oldest, name) in models {
      guard let before = old.entitiesByName[name], let now = successors[name],
        let after = new.entitiesByName[now]
      else {
        models[oldest] = nil
        continue
      }
      models[oldest] = after.name
      let line = new.lineage(of: after)
      if deduped.contains(where: { line.contains($0) || new.superclasses(of: $0).contains(after.name) }) {
        losing.insert(oldest)
      }
      let isFilled = { (property: String) in line.contains { filled.contains("\($0).\(property)") } }
      values[oldest] = values[oldest]?.compactMap { kept in
        guard let was = before.attribute(kept.new), let now = after.successor(of: kept.new),
          !isFilled(now.name), now.isWritten, let isRequiredNow = Self.isSame(was, now)
        else { return nil }
        return Kept(old: kept.old, new: now.name, isRequiredNow: kept.isRequiredNow || isRequiredNow)
      }
      links[oldest] = links[oldest]?.compactMap { kept in
        guard let now = after.successor(ofLink: kept.new), !isFilled(now.name),
          now.destination == successors[kept.newDestination],
          !kept.isToMany || !now.isToOneRelationship
        else { return nil }
        return KeptLink(
          old: kept.old, new: now.name, oldDestination: kept.oldDestination,
          newDestination: now.destination, isOrdered: kept.isOrdered && now.isOrdered,
          isToMany: !now.isToOneRelationship)
      }
    }
  }

  /// Returns `nil` if the values differ between the versions; otherwise returns true if `nil` values are to be ignored.
  private static func isSame(_ old: Schema.Attribute, _ new: Schema.Attribute) -> Bool? {
    func name(_ type: any Any.Type) -> String {
      let name = "\(type)"
      // All integers have equal text, and integer types are only ever widened.
      let plain = name.hasPrefix("Optional<") ? String(name.dropFirst(9).dropLast()) : name
      return integers.contains(plain) ? name.replacing(plain, with: "Int") : name
    }
    let was = name(old.valueType)
    let now = name(new.valueType)
    if was == now || "Optional<\(was)>" == now { return false }
    return was == "Optional<\(now)>" ? true : nil
  }

  private static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]
}

extension Schema {
  /// The model in this version for a model in the previous version.
  fileprivate func successor(ofModel name: String, _ old: Schema) -> Entity? {
    entities.first { entity in
      // If the older version already declares this original name, the model was renamed in an earlier version.
      entity.originalName == name && entity.name != name
        && old.entitiesByName[entity.name]?.originalName != name
    } ?? entitiesByName[name]
  }

  /// The names for a model and all superclasses.
  fileprivate func lineage(of entity: Entity) -> Set<String> {
    superclasses(of: entity.name).union([entity.name])
  }

  fileprivate func superclasses(of name: String) -> Set<String> {
    var names: Set<String> = []
    var next = entitiesByName[name]?.superentityName
    while let current = next, names.insert(current).inserted {
      next = entitiesByName[current]?.superentityName
    }
    return names
  }
}

extension Schema.Entity {
  fileprivate func attribute(_ name: String) -> Schema.Attribute? {
    properties.first { $0.name == name } as? Schema.Attribute
  }

  /// The attribute for a property in the previous version.
  fileprivate func successor(of name: String) -> Schema.Attribute? {
    let all = properties.compactMap { $0 as? Schema.Attribute }
    return all.first { $0.originalName == name && $0.name != name } ?? all.first { $0.name == name }
  }

  fileprivate func successor(ofLink name: String) -> Schema.Relationship? {
    let all = properties.compactMap { $0 as? Schema.Relationship }
    return all.first { $0.originalName == name && $0.name != name } ?? all.first { $0.name == name }
  }
}

extension Schema.Attribute {
  /// True if the store contains the value.
  var isWritten: Bool { !isTransient && !options.contains(.ephemeral) }
}
