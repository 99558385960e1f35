import SwiftData
enum SchemaV1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0)
  static var models: [any PersistentModel.Type] { [A.self] }
  @Model class A { var list: [B] = []; var text: String = ""; var tags: [String] = []; var value: Int?; var b: B?; init() {} }
  @Model class B { var n = 0; init() {} } }
enum SchemaV2: VersionedSchema { static let versionIdentifier = Schema.Version(2,0,0)
  static var models: [any PersistentModel.Type] { [A.self] }
  @Model class A { var list: B?; var text: B?; var tags: Set<String> = []; var value: Int; var b: [B] = []; init() { value = 0 } }
  @Model class B { var n = 0; init() {} } }
enum SchemaV3: VersionedSchema { static let versionIdentifier = Schema.Version(3,0,0)
  static var models: [any PersistentModel.Type] { [A.self] }
  @Model class A { @Relationship(inverse: \B.owner) var list: [B] = []; @Attribute(.unique) var text: String; var tags: String = ""; var value: Double; init() { value = 0; text = "" } }
  @Model class B { var n: String?; var owner: A; init(owner: A) { self.owner = owner } } }
