import SwiftData
typealias Money = Decimal
typealias Trip = SchemaV2.Trip
typealias Identifier = String
enum SchemaV1: VersionedSchema { static var versionIdentifier = Schema.Version(1,0,0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip { var title: String = ""; var price: Double = 0 } }
enum SchemaV2: VersionedSchema { static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip { @Attribute(originalName: "title") var name: Identifier = ""; var price: Money = 0 } }
