import SwiftSource

/// Names from imported modules in generated code: the compiler's entire knowledge of the runtime.
final class RuntimeNames: Sendable {
  static let module = "Trellis"
  static let codec = 1

  /// The type whose name contains the generated code's format version. An incompatible runtime does not declare it.
  let generatedCode: TypeRef
  let persistentModel: TypeRef
  let persistentIdentifier: TypeRef
  let modelState: TypeRef
  let modelDefinition: TypeRef
  let modelSnapshot: TypeRef
  let derivedSnapshot: TypeRef
  let backingData: TypeRef
  let columnValue: TypeRef
  let rawValuePath: TypeRef
  let flattenedValue: TypeRef
  let flattenedMember: TypeRef
  let externalData: TypeRef
  let placeholder: TypeRef
  let statementRow: TypeRef
  let statementBinder: TypeRef
  let schema: TypeRef
  let versionedSchema: TypeRef
  let schemaSource: TypeRef
  let migrationPlan: TypeRef
  let migrationStage: TypeRef
  let migrationSteps: TypeRef
  let migrationRows: TypeRef

  let int: TypeRef
  let int32: TypeRef
  let decoder: TypeRef
  let sendable: TypeRef
  let anyKeyPath: TypeRef
  let date: TypeRef

  var token: TypeRef { generatedCode.member("Token") }
  var requireCodable: TypeRef { generatedCode.member("requireCodable") }
  var unisolated: TypeRef { generatedCode.member("unisolated") }
  var read: TypeRef { generatedCode.member("read") }
  var write: TypeRef { generatedCode.member("write") }
  var propertyMetadata: TypeRef { schema.member("PropertyMetadata") }
  var attribute: TypeRef { schema.member("Attribute") }
  var relationship: TypeRef { schema.member("Relationship") }
  var unique: TypeRef { schema.member("Unique") }
  var index: TypeRef { schema.member("Index") }
  var version: TypeRef { schema.member("Version") }

  /// A placeholder value for a type that the schema does not declare.
  func made(for place: String) -> Code { "\(unisolated) { \(placeholder).make(for: \(literal: place)) }" }

  init(_ names: DeclaredNames) {
    func type(_ name: String) -> TypeRef { names.type(name, in: Self.module) }
    generatedCode = type("GeneratedCode1")
    persistentModel = type("PersistentModel")
    persistentIdentifier = type("PersistentIdentifier")
    modelState = type("ModelState")
    modelDefinition = type("ModelDefinition")
    modelSnapshot = type("ModelSnapshot")
    derivedSnapshot = type("DerivedSnapshot")
    backingData = type("BackingData")
    columnValue = type("ColumnValue")
    rawValuePath = type("RawValuePathProviding")
    flattenedValue = type("FlattenedValue")
    flattenedMember = type("FlattenedMember")
    externalData = type("ExternalData")
    placeholder = type("Placeholder")
    statementRow = type("StatementRow")
    statementBinder = type("StatementBinder")
    schema = type("Schema")
    versionedSchema = type("VersionedSchema")
    schemaSource = type("SchemaSource")
    migrationPlan = type("SchemaMigrationPlan")
    migrationStage = type("MigrationStage")
    migrationSteps = type("MigrationSteps")
    migrationRows = type("MigrationRows")
    int = names.type("Int", in: "Swift")
    int32 = names.type("Int32", in: "Swift")
    decoder = names.type("Decoder", in: "Swift")
    sendable = names.type("Sendable", in: "Swift")
    anyKeyPath = names.type("AnyKeyPath", in: "Swift")
    date = names.type("Date", in: "Foundation")
  }
}
