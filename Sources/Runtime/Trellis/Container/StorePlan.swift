/// Assigns a container's models to configurations and opens the stores.
enum StorePlan {
  /// Returns the models for each configuration's store.
  ///
  /// - Throws: ``SwiftDataError/duplicateConfiguration`` if two configurations have the same store or model;
  ///   ``SwiftDataError/configurationSchemaNotFoundInContainerSchema`` if a configuration contains models that the
  ///   container lacks.
  static func schemas(of configurations: [any DataStoreConfiguration], in schema: Schema) throws -> [Schema] {
    try checkForDuplicates(configurations)
    var claimed: [String: String] = [:]
    for configuration in configurations {
      guard let own = configuration.schema else { continue }
      for entity in own.entities.sorted(by: { $0.name < $1.name }) {
        guard schema.entitiesByName[entity.name] != nil else {
          throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.explained(
            "configuration '\(configuration.name)' contains '\(entity.name)', which is not among the "
              + "container's models: add it to the container")
        }
        if let other = claimed.updateValue(configuration.name, forKey: entity.name) {
          throw SwiftDataError.duplicateConfiguration.explained(
            "configurations '\(other)' and '\(configuration.name)' both contain '\(entity.name)': a model "
              + "belongs to one store, so keep it and its related models in only one of the two schemas")
        }
      }
    }
    let unclaimed = schema.entities.map(\.name).filter { claimed[$0] == nil }
    if let missing = unclaimed.first, configurations.allSatisfy({ $0.schema != nil }) {
      throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.explained(
        "no configuration contains '\(missing)': add it to the schema of a configuration")
    }
    guard configurations.count > 1 else { return configurations.map { $0.schema ?? schema } }
    let unspecified = configurations.filter { $0.schema == nil }.map(\.name)
    guard unspecified.count <= 1 else {
      throw SwiftDataError.duplicateConfiguration.explained(
        "configurations '\(unspecified[0])' and '\(unspecified[1])' have no schema: give all configurations but one "
          + "a schema, so that each model belongs to one store")
    }
    let rest = schema.subset(of: Set(unclaimed))
    return try configurations.map { configuration in
      let own = configuration.schema ?? rest
      try checkRelationships(of: Set(own.entitiesByName.keys), configuration, schema)
      return own
    }
  }

  /// Rejects relationships between models in different stores.
  private static func checkRelationships(
    of names: Set<String>, _ configuration: any DataStoreConfiguration, _ schema: Schema
  ) throws {
    for name in names.sorted() {
      let relationships = schema.entitiesByName[name]?.relationships ?? []
      for relationship in relationships.sorted(by: { $0.name < $1.name })
      where !names.contains(relationship.destination) {
        throw SwiftDataError.unknownSchema.explained(
          "'\(name).\(relationship.name)' refers to '\(relationship.destination)', which is not in the "
            + "store of configuration '\(configuration.name)': a relationship cannot refer to a different store, so "
            + "put both models into the schema of one configuration, or store the related model's key in an "
            + "attribute")
      }
    }
  }

  private static func checkForDuplicates(
    _ configurations: [any DataStoreConfiguration]
  ) throws {
    var seen = Set<AnyHashable>()
    for configuration in configurations {
      var isNew = seen.insert(AnyHashable(configuration)).inserted
      if let model = configuration as? ModelConfiguration, !model.isStoredInMemoryOnly {
        isNew = seen.insert(AnyHashable(model.url.standardizedFileURL)).inserted && isNew
      }
      guard isNew else {
        throw SwiftDataError.duplicateConfiguration.explained(
          "two configurations use the same store, '\(configuration.name)'")
      }
    }
  }

  /// Opens a configuration's store.
  static func open<C: DataStoreConfiguration>(
    _ given: C, _ schema: Schema, _ migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws -> StoreHandle {
    var configuration = given
    if configuration.schema == nil { configuration.schema = schema }
    try configuration.validate()
    let store = try C.Store(configuration, migrationPlan: migrationPlan)
    return StoreHandle(store, configuration, entityNames: schema.entitiesByName.keys)
  }
}

extension ContainerCore {
  /// Opens the stores for the given configurations.
  convenience init(
    schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    stores configurations: [any DataStoreConfiguration]
  ) throws {
    let given = configurations.isEmpty ? [ModelConfiguration()] : configurations
    let schemas = try StorePlan.schemas(of: given, in: schema)
    let stores = try zip(given, schemas).map { configuration, own in
      try SchemaScope.$current.withValue(schema) { try StorePlan.open(configuration, own, migrationPlan) }
    }
    self.init(
      schema: schema, migrationPlan: migrationPlan, stores: stores,
      configurations: Set(given.compactMap { $0 as? ModelConfiguration }),
      postRemoteChange: ModelContainer.postRemoteChange)
  }

  /// Creates a core for an open store.
  convenience init(_ store: some DataStore) {
    let handle = StoreHandle(store, store.configuration, entityNames: store.schema.entities.map(\.name))
    self.init(
      schema: store.schema, migrationPlan: nil, stores: [handle],
      configurations: Set([store.configuration as? ModelConfiguration].compactMap(\.self)),
      postRemoteChange: ModelContainer.postRemoteChange)
  }
}
