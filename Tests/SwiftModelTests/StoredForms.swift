import Foundation
import Trellis

// Versions with equal names, in which the types of attributes have other values in their columns.

enum FormsA: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Parcel.self] }

  struct Code: Codable, Equatable, Sendable { var rawValue: String }
  struct Label: RawRepresentable, Codable, Equatable, Sendable { var rawValue: String }
  struct Flags: OptionSet, Codable, Sendable { var rawValue: Int }
  enum Kind: Int, Codable, Sendable { case small = 1, large = 2 }

  @Model final class Parcel {
    var code = Code(rawValue: "c")
    @Attribute(.codable) var label = Label(rawValue: "l")
    @Attribute(.codable) var note: String = "n"
    var flags = Flags(rawValue: 1)
    var kind: Kind = Kind.large
    var weight: Int = 3
    init() {}
  }
}

enum FormsB: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Parcel.self] }

  struct Code: RawRepresentable, Codable, Equatable, Sendable { var rawValue: String }
  struct Label: RawRepresentable, Codable, Equatable, Sendable { var rawValue: String }
  struct Flags: OptionSet, Codable, Sendable { var rawValue: UInt64 }
  enum Kind: UInt64, Codable, Sendable { case small = 1, large = 2 }
  struct Weight: RawRepresentable, Codable, Equatable, Sendable { var rawValue: UInt64 }

  @Model final class Parcel {
    var code = Code(rawValue: "c")
    var label = Label(rawValue: "l")
    var note: String = "n"
    var flags = Flags(rawValue: 1)
    var kind: Kind = Kind.large
    var weight = Weight(rawValue: 3)
    init() {}
  }
}

/// As `FormsA`, with raw types that have the same values.
enum FormsC: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Parcel.self] }

  struct Code: Codable, Equatable, Sendable { var rawValue: String }
  struct Label: RawRepresentable, Codable, Equatable, Sendable { var rawValue: String }
  struct Flags: OptionSet, Codable, Sendable { var rawValue: Int64 }
  enum Kind: Int64, Codable, Sendable { case small = 1, large = 2 }
  struct Weight: RawRepresentable, Codable, Equatable, Sendable { var rawValue: Int }

  @Model final class Parcel {
    var code = Code(rawValue: "c")
    @Attribute(.codable) var label = Label(rawValue: "l")
    @Attribute(.codable) var note: String = "n"
    var flags = Flags(rawValue: 1)
    var kind: Kind = Kind.large
    var weight = Weight(rawValue: 3)
    init() {}
  }
}

/// As `FormsB`, where only raw types differ from `FormsA`: both have one fingerprint.
enum FormsD: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Parcel.self] }

  struct Code: Codable, Equatable, Sendable { var rawValue: String }
  struct Label: RawRepresentable, Codable, Equatable, Sendable { var rawValue: String }
  struct Flags: OptionSet, Codable, Sendable { var rawValue: UInt64 }
  enum Kind: Int, Codable, Sendable { case small = 1, large = 2 }

  @Model final class Parcel {
    var code = Code(rawValue: "c")
    @Attribute(.codable) var label = Label(rawValue: "l")
    @Attribute(.codable) var note: String = "n"
    var flags = Flags(rawValue: 1)
    var kind: Kind = Kind.large
    var weight: Int = 3
    init() {}
  }
}

enum FormsDPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FormsD.self] }
  static var stages: [MigrationStage] { [] }
}

enum FormsCPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FormsC.self] }
  static var stages: [MigrationStage] { [] }
}

enum FormsE: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Parcel.self] }

  @Model final class Parcel {
    @Attribute(.codable) var note: String = "n"
    var weight: Int = 3
    init() {}
  }
}
