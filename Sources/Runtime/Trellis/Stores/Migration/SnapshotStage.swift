import Foundation

/// One stage over the snapshots of a store.
struct SnapshotStage {
  let stage: StagePlan
  let storeIdentifier: String
  let old: Schema
  let new: Schema
  /// The new entity by the old one's name.
  private let successors: [String: ModelDefinition]

  init(_ stage: StagePlan, storeIdentifier: String) {
    self.stage = stage
    self.storeIdentifier = storeIdentifier
    old = Schema(versionedSchema: stage.fromVersion)
    new = Schema(versionedSchema: stage.toVersion)
    var successors: [String: ModelDefinition] = [:]
    for entity in new.entities {
      let origin = old.entitiesByName[entity.originalName] == nil ? entity.name : entity.originalName
      guard old.entitiesByName[origin] != nil, let definition = entity.definition else { continue }
      // A stated origin goes before an equal name.
      if successors[origin] == nil || origin != entity.name { successors[origin] = definition }
    }
    self.successors = successors
  }

  func run(_ snapshots: [DefaultSnapshot]) throws -> [DefaultSnapshot] {
    var rows = snapshots
    if let before = stage.willMigrate { rows = try edit(rows, old, before) }
    rows = try runSteps(over: converted(rows), from: rows)
    if let after = stage.didMigrate { rows = try edit(rows, new, after) }
    return rows
  }

  /// Lets code of the plan change models; what it does not save is not kept.
  private func edit(
    _ snapshots: [DefaultSnapshot], _ schema: Schema, _ code: (ModelContext) throws -> Void
  ) throws -> [DefaultSnapshot] {
    let shelf = SnapshotShelf(snapshots, identifier: storeIdentifier)
    try code(context(shelf, schema))
    return shelf.snapshots
  }

  func context(_ shelf: SnapshotShelf, _ schema: Schema) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: schema, configurations: [SnapshotShelfStore.Configuration(shelf: shelf, schema: schema)]))
  }

  // MARK: shape

  private func converted(_ snapshots: [DefaultSnapshot]) throws -> [DefaultSnapshot] {
    var identifiers: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in snapshots {
      let identifier = snapshot.persistentIdentifier
      // An identifier may name a class above that of its model.
      guard let own = snapshot.batch.definition, successors[own.entityName] != nil,
        let entity = successors[identifier.entityName]
      else { continue }
      identifiers[identifier] = PersistentIdentifier(
        key: identifier.key,
        token: .interned(store: identifier.storeIdentifier, entity: entity.entityName))
    }
    var conversions: [ObjectIdentifier: SnapshotConversion] = [:]
    return try snapshots.compactMap { snapshot in
      guard let own = snapshot.batch.definition, let successor = successors[own.entityName],
        let identifier = identifiers[snapshot.persistentIdentifier]
      else { return nil }
      let conversion =
        try conversions[ObjectIdentifier(own)]
        ?? SnapshotConversion(own, successor, stage: self)
      conversions[ObjectIdentifier(own)] = conversion
      return try filled(conversion.convert(snapshot, identifier, identifiers), from: snapshot)
    }
  }
}

/// How a model of one version becomes one of the next.
private struct SnapshotConversion {
  private let model: ModelDefinition
  /// Old and new names of the properties that both have.
  private var names: [(old: String, new: ModelProperty)] = []
  /// Properties that steps are going to set; something of their kind stands in until then.
  private var awaited: [String] = []

  init(_ old: ModelDefinition, _ new: ModelDefinition, stage: SnapshotStage) throws {
    model = new
    let known = Set(old.layout.properties.filter { $0.slot >= 0 }.map(\.name))
    var missing: [String] = []
    for property in new.layout.properties where property.slot >= 0 {
      let original =
        property.attribute?.originalName.nonEmpty ?? property.relationship?.originalName.nonEmpty
      if stage.isFilled(property.name, of: new) {
        awaited.append(property.name)
      } else if let name = [original, property.name].compactMap(\.self).first(where: known.contains) {
        names.append((name, property))
      } else if !property.isOptional, !property.kind.isToMany,
        new.defaultValue(ofPropertyNamed: property.name) == nil
      {
        if stage.hasCustomSteps {
          awaited.append(property.name)
        } else {
          missing.append("'\(new.entityName).\(property.name)'")
        }
      }
    }
    guard missing.isEmpty else {
      throw SwiftDataError.unknownSchema.explained(
        "nothing gives a value to \(missing.joined(separator: ", ")), which older versions do not have: "
          + "declare a default value, or add a fill to the stage")
    }
  }

  func convert(
    _ snapshot: DefaultSnapshot, _ identifier: PersistentIdentifier,
    _ identifiers: [PersistentIdentifier: PersistentIdentifier]
  ) throws -> DefaultSnapshot {
    let old = try SnapshotFields(of: snapshot)
    var fields: [String: Any] = [:]
    for (name, property) in names {
      guard let value = old.values[name] else { continue }
      // Whom nobody carries over is not referred to.
      switch (value, property.kind) {
      case (let reference as PersistentIdentifier, .toOne):
        fields[property.name] = identifiers[reference]
      case (let reference as PersistentIdentifier, .toMany):
        fields[property.name] = [identifiers[reference]].compactMap(\.self)
      case (let members as [PersistentIdentifier], .toMany):
        fields[property.name] = members.compactMap { identifiers[$0] }
      default: fields[property.name] = value
      }
    }
    if !awaited.isEmpty {
      let batch = model.codec.makeBatch(capacity: 1)
      model.codec.addPlaceholder(identifier, to: batch)
      let values = try SnapshotFields(of: DefaultSnapshot(batch: batch, index: 0)).values
      for name in awaited { fields[name] = values[name] }
    }
    fields[DataStoreSnapshotCodingKey.persistentIdentifier.stringValue] = identifier
    do {
      return try SnapshotFields(converting: fields).snapshot(of: model)
    } catch {
      throw SwiftDataError.unknownSchema.explained(
        "\(snapshot.persistentIdentifier) cannot become a '\(model.entityName)': \(error)")
    }
  }
}
