import Foundation
import Trellis

// Versions with equal property names, whose types store different values in their columns.

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

/// Like `FormsA`, but with different raw types that have the same values.
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

/// Like `FormsB`, but only raw types differ from `FormsA`, so that `FormsA` and `FormsD` have the same fingerprint.
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

/// Versions with a struct that the generator does not know, and versions in which models exchange their names.
enum FormsF1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Parcel.self] }

  struct Stamp: RawRepresentable, Codable, Hashable, Sendable { var rawValue: Int }

  @Model final class Parcel {
    var stamp: Stamp = Stamp(rawValue: 5)
    var stamps: [String: Stamp] = ["a": Stamp(rawValue: 1)]
    init() {}
  }
}

enum FormsF2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Parcel.self] }

  struct Stamp: RawRepresentable, Codable, Hashable, Sendable { var rawValue: UInt64 }
  struct Size: Codable, Hashable, Sendable { var width = 0 }

  @Model final class Parcel {
    var stamp: Stamp = Stamp(rawValue: 6)
    var stamps: [String: Stamp] = [:]
    var size: Size = Size()
    init() {}
  }
}

enum FormsFPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FormsF1.self, FormsF2.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: FormsF1.self, toVersion: FormsF2.self)] }
  static var steps: [MigrationSteps] {
    [
      MigrationSteps(
        fromVersion: FormsF1.self, toVersion: FormsF2.self,
        [
          .fill(FormsF1.Parcel.Snapshot.self, FormsF2.Parcel.Snapshot.self, ["stamp", "stamps", "size"]) { old, new in
            new.stamp = FormsF2.Stamp(rawValue: UInt64(old.stamp?.rawValue ?? 0))
            new.stamps = old.stamps.mapValues { FormsF2.Stamp(rawValue: UInt64($0.rawValue)) }
            new.size = FormsF2.Size(width: old.stamp?.rawValue ?? 0)
          }
        ])
    ]
  }
}

enum FormsG: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Box.self, Crate.self] }

  @Model final class Box {
    var count: Int = 1
    init() {}
  }
  @Model final class Crate {
    var count: UInt64 = 2
    init() {}
  }
}

enum FormsH: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Box.self, Crate.self] }

  @Model(originalName: "Crate") final class Box {
    var count: UInt64 = 2
    init() {}
  }
  @Model(originalName: "Box") final class Crate {
    var count: Int = 1
    init() {}
  }
}
