import Foundation
import Trellis

// The type of a property changes in a custom stage, as in SwiftData.

enum Fares1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Ride.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Ride {
    var name: String
    var price: Double
    init(name: String, price: Double) {
      self.name = name
      self.price = price
    }
  }
}

/// A version that the stage cannot reach, because the property keeps its name.
enum FaresDirectly: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Ride.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Ride {
    var name: String
    var price: Int
    var seats: Int
    init(name: String, price: Int, seats: Int) {
      self.name = name
      self.price = price
      self.seats = seats
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Fares1.self, FaresDirectly.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Fares1.self, toVersion: FaresDirectly.self, willMigrate: nil,
          didMigrate: { context in
            for ride in try context.fetch(FetchDescriptor<FaresDirectly.Ride>()) { ride.price = 0 }
            try context.save()
          })
      ]
    }
  }
}

/// The version with the two properties that the error recommends.
enum Fares2: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Ride.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Ride {
    var name: String
    @Attribute(originalName: "price") var formerPrice: Double
    var price: Int = 0
    init(name: String, formerPrice: Double) {
      self.name = name
      self.formerPrice = formerPrice
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Fares1.self, Fares2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Fares1.self, toVersion: Fares2.self, willMigrate: nil,
          didMigrate: { context in
            for ride in try context.fetch(FetchDescriptor<Fares2.Ride>()) {
              ride.price = Int((ride.formerPrice * 100).rounded())
            }
            try context.save()
          })
      ]
    }
  }
}
