public import Foundation

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
  /// The spelling of 2023 for ``init(for:migrationPlan:configurations:)``.
  @available(*, deprecated, message: "write 'ModelContainer(for: schema, configurations: …)'")
  public convenience init(
    for givenSchema: Schema, _ configuration: ModelConfiguration, _ others: ModelConfiguration...
  ) throws {
    try self.init(schema: givenSchema, migrationPlan: nil, stores: [configuration] + others)
  }
}
