import SwiftData
enum SchemaV1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0)
  static var models: [any PersistentModel.Type] { [Order.self] }
  @Model final class Order { var status: Status = Status.open; var note: String?; var lines: [Line] = []; init() {} 
    struct Line: Codable, Hashable { var sku: String; var count: Int = 1 } }
  enum Status: String, Codable { case open, closed } }
enum SchemaV2: VersionedSchema { static let versionIdentifier = Schema.Version(2,0,0)
  static var models: [any PersistentModel.Type] { [Order.self] }
  @Model final class Order { var status: Status = Status.open; var note: String = ""; var lines: [Line] = []; init() {} 
    struct Line: Codable, Hashable { var sku: String; var count: Double = 1; var price: Double } }
  enum Status: Int, Codable { case open, closed, lost } }
let migrate = MigrationStage.custom(fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: { _ in })
