import SwiftData
enum SchemaV1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0)
  static var models: [any PersistentModel.Type] { [Old.self] }
  @Model final class Old { var hash: Int = 0; var isDeleted = false; init() {} } }
enum SchemaV2: VersionedSchema { static let versionIdentifier = Schema.Version(2,0,0)
  static var models: [any PersistentModel.Type] { [New.self] }
  @Model(originalName: "Old") final class New { @Attribute(originalName: "hash") var digest: Int = 0; var isDeleted = false; var hashValue: Int = 3; init() {} } }
enum SchemaV3: VersionedSchema { static let versionIdentifier = Schema.Version(3,0,0)
  static var models: [any PersistentModel.Type] { [New.self] }
  @Model final class New { @Attribute(originalName: "hash") var digest: Int = 0; var hashValue: Int = 3; var removed = false; init() {} } }
enum P: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self), .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self)] } }
