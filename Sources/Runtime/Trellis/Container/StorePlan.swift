/// Which configuration keeps which entities, checked before any store is opened.
struct StorePlan {
  struct Entry {
    let configuration: any DataStoreConfiguration
    let schema: Schema

    var entityNames: Set<String> { Set(schema.entitiesByName.keys) }

    /// Opens the store of the configuration.
    func open(migrationPlan: (any SchemaMigrationPlan.Type)?) throws -> StoreHandle {
      func open<C: DataStoreConfiguration>(_ given: C) throws -> StoreHandle {
        var configuration = given
        if configuration.schema == nil { configuration.schema = schema }
        try configuration.validate()
        let store = try C.Store(configuration, migrationPlan: migrationPlan)
        return StoreHandle(store, configuration, entityNames: entityNames)
      }
      return try open(configuration)
    }
  }

  let entries: [Entry]

  /// - Throws: ``SwiftDataError/duplicateConfiguration`` for two configurations of one store or model,
  ///   ``SwiftDataError/configurationSchemaNotFoundInContainerSchema`` for a configuration whose
  ///   models the container does not have.
  init(schema: Schema, configurations: [any DataStoreConfiguration]) throws {
    try Self.checkForDuplicates(configurations)
    var claimed: [String: String] = [:]
    for configuration in configurations {
      guard let own = configuration.schema else { continue }
      for entity in own.entities.sorted(by: { $0.name < $1.name }) {
        guard schema.entitiesByName[entity.name] != nil else {
          throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.explained(
            "configuration '\(configuration.name)' names '\(entity.name)', which is not among the "
              + "container's models: add it to the container")
        }
        if let other = claimed.updateValue(configuration.name, forKey: entity.name) {
          throw SwiftDataError.duplicateConfiguration.explained(
            "configurations '\(other)' and '\(configuration.name)' both keep '\(entity.name)': a model "
              + "lives in one store, so leave it and what its relationships lead to in one of the two "
              + "schemas")
        }
      }
    }
    let unclaimed = schema.entities.map(\.name).filter { claimed[$0] == nil }
    let openCount = configurations.count { $0.schema == nil }
    if openCount == 0, let missing = unclaimed.first {
      throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.explained(
        "no configuration keeps '\(missing)': add it to the schema of one of them")
    }
    let rest = configurations.count == 1 ? schema : schema.subset(of: Set(unclaimed))
    entries = configurations.map { Entry(configuration: $0, schema: $0.schema ?? rest) }
    if entries.count > 1 { try checkRelationships(schema) }
  }

  /// No store can keep a reference to a model of another one.
  private func checkRelationships(_ schema: Schema) throws {
    for entry in entries {
      let names = entry.entityNames
      for name in names.sorted() {
        let relationships = schema.entitiesByName[name]?.relationships ?? []
        for relationship in relationships.sorted(by: { $0.name < $1.name })
        where !names.contains(relationship.destination) {
          throw SwiftDataError.unknownSchema.explained(
            "'\(name).\(relationship.name)' leads to '\(relationship.destination)', which is not in the "
              + "store of configuration '\(entry.configuration.name)': relationships cannot leave a store, so "
              + "put both models into the schema of one configuration, or keep a key of the other in an "
              + "attribute")
        }
      }
    }
  }

  private static func checkForDuplicates(
    _ configurations: [any DataStoreConfiguration]
  ) throws {
    guard configurations.count > 1 else { return }
    var seen = Set<AnyHashable>()
    for configuration in configurations {
      var isNew = seen.insert(AnyHashable(configuration)).inserted
      if let model = configuration as? ModelConfiguration, !model.isStoredInMemoryOnly {
        isNew = seen.insert(AnyHashable(model.url.standardizedFileURL)).inserted && isNew
      }
      guard isNew else {
        throw SwiftDataError.duplicateConfiguration.explained(
          "two configurations are for the same store, '\(configuration.name)'")
      }
    }
  }
}

extension ContainerCore {
  /// Opens the stores of the given configurations.
  convenience init(
    schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    stores configurations: [any DataStoreConfiguration]
  ) throws {
    let given = configurations.isEmpty ? [ModelConfiguration()] : configurations
    let plan = try StorePlan(schema: schema, configurations: given)
    let stores = try plan.entries.map { entry in
      try SchemaScope.$current.withValue(schema) { try entry.open(migrationPlan: migrationPlan) }
    }
    self.init(
      schema: schema, migrationPlan: migrationPlan, stores: stores,
      configurations: Set(plan.entries.compactMap { $0.configuration as? ModelConfiguration }),
      postRemoteChange: ModelContainer.postRemoteChange)
  }

  /// Uses one store that is open already.
  convenience init(_ store: DefaultStore) {
    let handle = StoreHandle(store, store.configuration, entityNames: store.schema.entities.map(\.name))
    self.init(
      schema: store.schema, migrationPlan: nil, stores: [handle], configurations: [store.configuration],
      postRemoteChange: ModelContainer.postRemoteChange)
  }
}
