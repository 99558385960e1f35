public import Foundation

extension ModelContainer {
  /// Opens a schema's stores, with an array of configurations.
  ///
  /// ```swift
  /// let container = try ModelContainer(
  ///   for: Schema(versionedSchema: SampleTripsSchema.Current.self), migrationPlan: SampleTripsMigrationPlan.self,
  ///   configurations: [ModelConfiguration(url: url)])
  /// ```
  ///
  /// If there are several configurations, each model belongs to the configuration whose schema contains it. A
  /// configuration that has no schema contains the remaining models.
  ///
  /// - Parameters:
  ///   - givenSchema: The container's models.
  ///   - migrationPlan: The plan that migrates stores with an older schema version; `nil` to accept only changes that
  ///     lose no values.
  ///   - configurations: The store configurations. An empty array selects a default ``ModelConfiguration``.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    try self.init(
      schema: givenSchema, migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens a schema's stores, one per configuration.
  ///
  /// ```swift
  /// let schema = Schema(versionedSchema: SampleTripsSchema.Current.self)
  /// let archive = try ModelContainer(
  ///   for: schema, configurations: ModelConfiguration("archive", url: url, allowsSave: false))
  /// ```
  ///
  /// - Parameters:
  ///   - givenSchema: The container's models.
  ///   - migrationPlan: The plan that migrates stores with an older schema version; `nil` to accept only changes that
  ///     lose no values.
  ///   - configurations: The store configurations; a default ``ModelConfiguration`` if omitted.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
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
  /// ```swift
  /// let container = try ModelContainer(for: Trip.self, migrationPlan: SampleTripsMigrationPlan.self)
  /// let scratch = try ModelContainer(
  ///   for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))   // for a test
  /// ```
  ///
  /// - Parameters:
  ///   - forTypes: Model classes. Models related to them, directly or indirectly, are included.
  ///   - migrationPlan: The plan that migrates stores with an older schema version; `nil` to accept only changes that
  ///     lose no values.
  ///   - configurations: The store configurations; a default ``ModelConfiguration`` if omitted.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
  public convenience init(
    for forTypes: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws {
    try self.init(
      schema: Schema(forTypes), migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens stores of any type for a schema.
  ///
  /// ```swift
  /// import TrellisPostgres
  ///
  /// let server = PostgresConfiguration(url: "postgres://trips@db.example.com/trips")
  /// let container = try ModelContainer(for: Schema([Trip.self]), configurations: [server])
  /// ```
  ///
  /// - Parameters:
  ///   - givenSchema: The container's models.
  ///   - configurations: The store configurations. An empty array selects a default ``ModelConfiguration``.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
  public convenience init(
    for givenSchema: Schema, configurations: [any DataStoreConfiguration]
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: nil, stores: configurations)
  }

  /// Opens stores of any type for the given models and all related models.
  ///
  /// ```swift
  /// import TrellisPostgres
  ///
  /// let container = try ModelContainer(
  ///   for: Trip.self, configurations: PostgresConfiguration(url: "postgres://trips@db.example.com/trips"))
  /// ```
  ///
  /// - Parameters:
  ///   - forTypes: Model classes. Models related to them, directly or indirectly, are included.
  ///   - configurations: The store configurations.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
  public convenience init(
    for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(schema: Schema(forTypes), migrationPlan: nil, stores: configurations)
  }

  /// Opens stores of any type for a schema, with a migration plan. Not in SwiftData.
  ///
  /// ```swift
  /// import TrellisPostgres
  ///
  /// let server = PostgresConfiguration(url: "postgres://trips_owner@db.example.com/trips")
  /// let container = try ModelContainer(
  ///   for: Schema(versionedSchema: SampleTripsSchema.Current.self), migrationPlan: SampleTripsMigrationPlan.self,
  ///   configurations: [server])
  /// ```
  ///
  /// - Parameters:
  ///   - givenSchema: The container's models.
  ///   - migrationPlan: The plan that migrates stores with an older schema version; `nil` for none. Custom stores
  ///     receive it in their initializer.
  ///   - configurations: The store configurations. An empty array selects a default ``ModelConfiguration``.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    configurations: [any DataStoreConfiguration]
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens stores of any type for the given models, with a migration plan. Not in SwiftData.
  ///
  /// ```swift
  /// import TrellisPostgres
  ///
  /// let container = try ModelContainer(
  ///   for: Trip.self, migrationPlan: SampleTripsMigrationPlan.self,
  ///   configurations: PostgresConfiguration(url: "postgres://trips_owner@db.example.com/trips"))
  /// ```
  ///
  /// - Parameters:
  ///   - forTypes: Model classes. Models related to them, directly or indirectly, are included.
  ///   - migrationPlan: The plan that migrates stores with an older schema version; `nil` for none. Custom stores
  ///     receive it in their initializer.
  ///   - configurations: The store configurations.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
  @_disfavoredOverload
  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)?,
    configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(
      schema: Schema(forTypes), migrationPlan: migrationPlan, stores: configurations)
  }

  // Initializers from 2023.

  /// The 2023 form for an array of model classes and the default store.
  ///
  /// ```swift
  /// let former = try ModelContainer([Trip.self])
  /// let current = try ModelContainer(for: Trip.self)
  /// ```
  ///
  /// - Parameter forTypes: Model classes. Models related to them, directly or indirectly, are included.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
  @available(*, deprecated, message: "write 'ModelContainer(for: A.self, B.self)'")
  public convenience init(_ forTypes: [any PersistentModel.Type]) throws {
    try self.init(schema: Schema(forTypes), migrationPlan: nil, stores: [])
  }

  /// The 2023 form for an array of model classes with configurations.
  ///
  /// ```swift
  /// let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
  /// let former = try ModelContainer(for: [Trip.self], configurations: configuration)
  /// let current = try ModelContainer(for: Trip.self, configurations: configuration)
  /// ```
  ///
  /// - Parameters:
  ///   - forTypes: Model classes. Models related to them, directly or indirectly, are included.
  ///   - configurations: The store configurations; a default ``ModelConfiguration`` if omitted.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
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
  ///
  /// ```swift
  /// let former = ModelConfiguration(url: url, cloudKitContainerIdentifier: "iCloud.com.example.trips")
  /// let current = ModelConfiguration(url: url, cloudKitDatabase: .private("iCloud.com.example.trips"))
  /// ```
  ///
  /// - Parameters:
  ///   - name: The configuration's name; `nil` for `default`.
  ///   - schema: The store's models; `nil` for all models in the container.
  ///   - url: The store file.
  ///   - allowsSave: False to open the store read-only.
  ///   - cloudKitContainerIdentifier: Has no effect.
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
  /// The 2023 form for a schema with unlabeled configurations.
  ///
  /// ```swift
  /// let schema = Schema([Trip.self])
  /// let former = try ModelContainer(for: schema, ModelConfiguration(url: url))
  /// let current = try ModelContainer(for: schema, configurations: ModelConfiguration(url: url))
  /// ```
  ///
  /// - Parameters:
  ///   - givenSchema: The container's models.
  ///   - configuration: The first store's configuration.
  ///   - others: The other stores' configurations.
  /// - Throws: ``SwiftDataError`` if the configurations are inconsistent or a store cannot be opened, with the reason
  ///   in ``SwiftDataError/storeProblem``; errors from custom stores.
  @available(*, deprecated, message: "write 'ModelContainer(for: schema, configurations: …)'")
  public convenience init(
    for givenSchema: Schema, _ configuration: ModelConfiguration, _ others: ModelConfiguration...
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: nil, stores: [configuration] + others)
  }
}
