public import Foundation

extension ModelContainer {
  /// Opens the stores of a schema.
  ///
  /// - Parameters:
  ///   - givenSchema: the models of the container.
  ///   - migrationPlan: what to do when a store holds an older version.
  ///   - configurations: where the models are kept; none means one default ``ModelConfiguration``.
  /// - Throws: ``SwiftDataError`` for configurations that do not fit together and for a store that
  ///   cannot be opened.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    try self.init(
      schema: givenSchema, migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens the stores of a schema, one for each configuration.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  @_disfavoredOverload
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(
      schema: givenSchema, migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens the stores of some models and of every model related to them.
  ///
  ///     try ModelContainer(for: Trip.self, migrationPlan: TripPlan.self)
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  public convenience init(
    for forTypes: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws {
    try self.init(
      schema: Schema(forTypes), migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens stores of any type.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  public convenience init(
    for givenSchema: Schema, configurations: [any DataStoreConfiguration]
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: nil, stores: configurations)
  }

  /// Opens stores of any type.
  ///
  ///     try ModelContainer(for: Trip.self, configurations: JSONStoreConfiguration(url: url))
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  public convenience init(
    for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(schema: Schema(forTypes), migrationPlan: nil, stores: configurations)
  }

  /// Opens stores of any type with a migration plan, which SwiftData cannot.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    configurations: [any DataStoreConfiguration]
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: migrationPlan, stores: configurations)
  }

  /// Opens stores of any type with a migration plan, which SwiftData cannot.
  ///
  ///     try ModelContainer(
  ///       for: Trip.self, migrationPlan: TripPlan.self, configurations: JSONFileConfiguration("trips"))
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  @_disfavoredOverload
  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)?,
    configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(
      schema: Schema(forTypes), migrationPlan: migrationPlan, stores: configurations)
  }

  // The spellings of 2023.

  /// The spelling of 2023 for `init(for:migrationPlan:configurations:)`.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  @available(*, deprecated, message: "write 'ModelContainer(for: A.self, B.self)'")
  public convenience init(_ forTypes: [any PersistentModel.Type]) throws {
    try self.init(schema: Schema(forTypes), migrationPlan: nil, stores: [])
  }

  /// The spelling of 2023 for `init(for:migrationPlan:configurations:)`.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  @available(*, deprecated, message: "write 'ModelContainer(for: A.self, B.self, configurations: …)'")
  public convenience init(
    for forTypes: [any PersistentModel.Type], configurations: ModelConfiguration...
  ) throws {
    try self.init(schema: Schema(forTypes), migrationPlan: nil, stores: configurations)
  }
}

// The spellings of 2023 that take other arguments than those of today.

extension ModelConfiguration {
  /// The spelling of 2023 for a store at `url` with a private cloud database, which has no effect.
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
  /// The spelling of 2023 for `init(for:migrationPlan:configurations:)`.
  ///
  /// - Throws: ``SwiftDataError`` if the configurations contradict each other or a store cannot be opened; its
  ///   `storeProblem` says why. What opening a custom store throws.
  @available(*, deprecated, message: "write 'ModelContainer(for: schema, configurations: …)'")
  public convenience init(
    for givenSchema: Schema, _ configuration: ModelConfiguration, _ others: ModelConfiguration...
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: nil, stores: [configuration] + others)
  }
}
