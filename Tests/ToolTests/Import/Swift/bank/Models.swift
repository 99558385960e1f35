import Foundation
import SwiftData
enum BankSchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Account.self] }
  @Model final class Account { var number: String = ""; var kind: Int = 0
    @Relationship(deleteRule: .cascade) var incoming: [Transfer] = []
    @Relationship(deleteRule: .cascade) var outgoing: [Transfer] = []
    init() {} }
  @Model final class Transfer { var amount: Decimal = 0; var from: Account?; var to: Account?; init() {} }
}
enum BankSchemaV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Account.self] }
  @Model final class Account { @Attribute(.unique) var number: String = ""; var kind: Kind = Kind.giro; var owner: String
    @Relationship(deleteRule: .cascade, inverse: \Transfer.to) var incoming: [Transfer] = []
    @Relationship(deleteRule: .cascade, inverse: \Transfer.from) var outgoing: [Transfer] = []
    init(owner: String) { self.owner = owner }
    enum Kind: Int, Codable { case giro, savings } }
  @Model final class Transfer { var amount: Double = 0; var from: Account?; var to: Account?; init() {} }
}
enum BankSchemaV3: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(3, 0, 0) }
  static var models: [any PersistentModel.Type] { BankSchemaV2.models }
}
enum BankSchemaV4: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(4, 0, 0) }
  static var models: [any PersistentModel.Type] { [Account.self, Person.self] }
  @Model final class Account { @Attribute(.unique) var number: String = ""; var kind: Kind = Kind.giro; var owner: Person?
    @Relationship(deleteRule: .cascade, inverse: \Transfer.to) var incoming: [Transfer] = []
    init() {}
    enum Kind: String, Codable { case giro, savings } }
  @Model final class Transfer { var amount: Double = 0; var to: Account; init(to: Account) { self.to = to } }
  @Model final class Person { var name: String; var accounts: [Account] = []; init(name: String) { self.name = name } }
}
enum BankPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [BankSchemaV1.self, BankSchemaV2.self, BankSchemaV3.self, BankSchemaV4.self] }
  static var stages: [MigrationStage] { [oneTwo, twoThree, threeFour] }
  static let oneTwo = MigrationStage.lightweight(fromVersion: BankSchemaV1.self, toVersion: BankSchemaV2.self)
  static let twoThree = MigrationStage.custom(fromVersion: BankSchemaV2.self, toVersion: BankSchemaV3.self, willMigrate: nil, didMigrate: { try $0.save() })
  static let threeFour = MigrationStage.custom(fromVersion: BankSchemaV3.self, toVersion: BankSchemaV4.self, willMigrate: { _ in }, didMigrate: { _ in })
}
