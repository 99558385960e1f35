import SwiftData
enum A { enum SchemaV1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0)
  static var models: [any PersistentModel.Type] { [Thing.self] } } }
extension A.SchemaV1 { @Model final class Thing { var kind: Kind = Kind.x; var other: Inner.Other?; init() {}
  enum Kind: String, Codable { case x } } 
  enum Inner { struct Other: Codable { var a: Int } } }
enum B { enum SchemaV1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0)
  static var models: [any PersistentModel.Type] { [Gadget.self] } } }
extension B.SchemaV1 { @Model final class Gadget { var kind: Kind = Kind.y; init() {} } 
  enum Kind: String, Codable { case y } }
