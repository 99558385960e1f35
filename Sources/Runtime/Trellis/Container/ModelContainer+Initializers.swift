public import Foundation

extension ModelContainer {
  /// Opens a schema's stores.
  ///
  /// - Parameters:
  ///   - givenSchema: The container's models.
  ///   - migrationPlan: The plan that migrates stores with an older schema version.
  ///   - configurations: The store configurations. An empty array selects a default ``ModelConfiguration``.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    try self.init(
      schema: givenSchema, migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens a schema's stores, one per configuration.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  @_disfavoredOverload
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(
      schema: givenSchema, migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens the stores for the given models and all related models.
  ///
  ///     try ModelContainer(for: Trip.self, migrationPlan: TripPlan.self)
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  public convenience init(
    for forTypes: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws {
    try self.init(
      schema: Schema(forTypes), migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens stores of any type for a schema.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  public convenience init(
    for givenSchema: Schema, configurations: [any DataStoreConfiguration]
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: nil, stores: configurations)
  }

  /// Opens stores of any type for the given models and all related models.
  ///
  ///     try ModelContainer(for: Trip.self, configurations: JSONStoreConfiguration(url: url))
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  public convenience init(
    for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(schema: Schema(forTypes), migrationPlan: nil, stores: configurations)
  }

  /// Opens stores of any type for a schema, with a migration plan. Not in SwiftData.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    configurations: [any DataStoreConfiguration]
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens stores of any type for the given models, with a migration plan. Not in SwiftData.
  ///
  ///     try ModelContainer(
  ///       for: Trip.self, migrationPlan: TripPlan.self, configurations: JSONFileConfiguration("trips"))
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  @_disfavoredOverload
  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)?,
    configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(
      schema: Schema(forTypes), migrationPlan: migrationPlan, stores: configurations)
  }

  // Initializers from 2023.

  /// The 2023 form of `init(for:migrationPlan:configurations:)`.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  @available(*, deprecated, message: "write 'ModelContainer(for: A.self, B.self)'")
  public convenience init(_ forTypes: [any PersistentModel.Type]) throws {
    try self.init(schema: Schema(forTypes), migrationPlan: nil, stores: [])
  }

  /// The 2023 form of `init(for:migrationPlan:configurations:)`.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  @available(*, deprecated, message: "write 'ModelContainer(for: A.self, B.self, configurations: …)'")
  public convenience init(
    for forTypes: [any PersistentModel.Type], configurations: ModelConfiguration...
  ) throws {
    try self.init(schema: Schema(forTypes), migrationPlan: nil, stores: configurations)
  }
}

// Initializers from 2023 whose arguments differ from the current initializers.

extension ModelConfiguration {
  /// The 2023 form for a store at `url` with a private cloud database. The cloud database has no effect.
  @available(*, deprecated, message: "write 'ModelConfiguration(schema:url:cloudKitDatabase:)'")
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitContainerIdentifier: String?
  ) {
    self.init(
      name, schema: schema, url: url, allowsSave: allowsSave,
      cloudKitDatabase: cloudKitContainerIdentifier.map { .private($0) } ?? .none)
  }
}

extension ModelContainer {
  /// The 2023 form of `init(for:migrationPlan:configurations:)`.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in `storeProblem`; errors from custom stores.
  @available(*, deprecated, message: "write 'ModelContainer(for: schema, configurations: …)'")
  public convenience init(
    for givenSchema: Schema, _ configuration: ModelConfiguration, _ others: ModelConfiguration...
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: nil, stores: [configuration] + others)
  }
}
