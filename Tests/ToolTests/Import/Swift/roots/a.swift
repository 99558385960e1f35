import SwiftData
enum SchemaV1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0)
  static var models: [any PersistentModel.Type] { [Vehicle.self, Car.self] }
  @Model class Vehicle { var name: String = ""; var wheels: Int = 4; init() {} }
  @available(iOS 26, *) @Model final class Car: Vehicle { var doors: Int = 4; override init() { super.init() } } }
enum SchemaV2: VersionedSchema { static let versionIdentifier = Schema.Version(2,0,0)
  static var models: [any PersistentModel.Type] { [Vehicle.self, Car.self, Part.self] }
  @Model class Vehicle { var name: String = ""; var wheels: Int = 4; init() {} }
  @Model final class Car { var doors: Int = 4; var name: String = ""; var part: Part; init(part: Part) { self.part = part } }
  @Model final class Part { var car: Car?; init() {} } }
enum P: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)] } }
