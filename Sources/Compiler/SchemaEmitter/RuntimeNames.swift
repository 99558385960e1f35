import SwiftSource

/// Everything the compiler knows of the runtime: names.
enum Runtime {
  static let module = "Trellis"
  /// The generation of generated code; a runtime that can no longer run it drops this name.
  static let handshake = type("GeneratedCode1")
  static let codec = 1

  static let persistentModel = type("PersistentModel")
  static let persistentIdentifier = type("PersistentIdentifier")
  static let modelState = type("ModelState")
  static let modelDefinition = type("ModelDefinition")
  static let modelSnapshot = type("ModelSnapshot")
  static let derivedSnapshot = type("DerivedSnapshot")
  static let backingData = type("BackingData")
  static let columnValue = type("ColumnValue")
  static let rawValuePath = type("RawValuePathProviding")
  static let flattenedValue = type("FlattenedValue")
  static let flattenedMember = type("FlattenedMember")
  static let externalData = type("ExternalData")
  static let placeholder = type("Placeholder")
  static let token = type("Token")
  static let requireCodable = type("requireCodable")

  static let statementRow = type("StatementRow")
  static let statementBinder = type("StatementBinder")

  static let schema = type("Schema")
  static let propertyMetadata = schema.member("PropertyMetadata")
  static let attribute = schema.member("Attribute")
  static let relationship = schema.member("Relationship")
  static let unique = schema.member("Unique")
  static let index = schema.member("Index")
  static let version = schema.member("Version")
  static let versionedSchema = type("VersionedSchema")
  static let schemaSource = type("SchemaSource")
  static let migrationPlan = type("SchemaMigrationPlan")
  static let migrationStage = type("MigrationStage")
  static let migrationSteps = type("MigrationSteps")
  static let migrationRows = type("MigrationRows")

  private static func type(_ name: String) -> TypeRef { TypeRef(name, in: module) }
}

/// The standard library's names that generated code needs.
enum Standard {
  static let int = TypeRef("Int", in: "Swift")
  static let decoder = TypeRef("Decoder", in: "Swift")
  static let int32 = TypeRef("Int32", in: "Swift")
  static let sendable = TypeRef("Sendable", in: "Swift")
  static let anyKeyPath = TypeRef("AnyKeyPath", in: "Swift")
  static let date = TypeRef("Date", in: "Foundation")
}
