import SwiftData
enum V1: VersionedSchema {
  static let versionIdentifier: Schema.Version = .init(1, 0, 0)
  static let models: [any PersistentModel.Type] = [V1.Trip.self, Stop.self]
  @Model class Trip { var name: String = ""; var nick: String? ; @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
  @Model class Stop { var trip: Trip?; var kind: Kind = .a
    enum Kind: String, Codable { case a, b, c } }
}
enum V2: VersionedSchema {
  static let versionIdentifier: Schema.Version = .init(1, 1, 0)
  static var models: [any PersistentModel.Type] { V1.models + [Extra.self] }
  @Model class Extra { var e: Int = 0 }
}
enum V3: VersionedSchema {
  static var versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self, Extra.self] }
  @Model class Trip { @Attribute(originalName: "name") var title: String = ""; var required: Int; init() { required = 0 } ; @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
  @Model class Stop { var trip: Trip?; var kind: Kind = .a
    enum Kind: String, Codable { case a, b } }
  typealias Extra = V2.Extra
}
enum Plan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
  static var stages: [MigrationStage] { [one, two] }
  static let one = MigrationStage.lightweight(fromVersion: V1.self, toVersion: V2.self)
  static let two = MigrationStage.custom(fromVersion: V2.self, toVersion: V3.self, willMigrate: { context in
    try context.save() }, didMigrate: nil)
}
