import Foundation
import TestSupport
import Trellis

// Two versions in which enums move from another module into this one.

enum PlantsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Plant.self, Bed.self, RaisedBed.self] }

  /// Attributes whose types are aliases from other modules.
  @Model class Bed {
    enum Shape: String, Codable { case round, square }
    struct Corner: Codable, Equatable { var x = 0 }
    @Attribute(.unique) var label: TestSupport.Label
    var price: TestSupport.Cents
    @Attribute(.unknown(.default)) var formerPrice: TestSupport.Cents = 7
    var note: TestSupport.PossibleLabel
    var season: TestSupport.Season?
    init(_ label: TestSupport.Label, _ price: TestSupport.Cents) {
      self.label = label
      self.price = price
      note = nil
    }
  }

  @Model final class RaisedBed: Bed {
    var soil: TestSupport.PossibleSoil
    var mark: TestSupport.Mark
    var levels: TestSupport.Rank.RawValue
    // Types that are nested in the superclass.
    var shape: Shape = Shape.round
    var corners: [Corner] = []
    init(_ label: TestSupport.Label, _ price: TestSupport.Cents, _ soil: Soil?) {
      self.soil = soil
      mark = .edible
      levels = 2
      super.init(label, price)
    }
  }

  @Model final class Plant {
    var name = ""
    @Attribute(.preserveValueOnDeletion) var season: TestSupport.Season
    @Attribute(.preserveValueOnDeletion) var rank: TestSupport.Rank?
    var formerRank: TestSupport.PossibleRank
    @Attribute(.unknown(.default)) var tolerant: TestSupport.Rank = TestSupport.Rank.low
    var marks: TestSupport.Marks = TestSupport.Marks.rare
    @Attribute(.preserveValueOnDeletion) var soil: Soil = Soil.sand
    @Attribute(.preserveValueOnDeletion) var height: Height = Height(rawValue: nil)
    var formerHeight: Height?
    @Attribute(.codable, .preserveValueOnDeletion) var whole: TestSupport.Season = TestSupport.Season.spring
    var all: [TestSupport.Season] = []
    init(_ name: String, _ season: TestSupport.Season) {
      self.name = name
      formerRank = nil
      self.season = season
    }
  }
}

enum PlantsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Plant.self] }

  enum Season: String, Codable { case spring, summer, autumn }
  enum Rank: Int, Codable { case low = 1, high = 10 }
  struct Marks: OptionSet, Codable, Sendable { var rawValue: Int }

  @Model final class Plant {
    var name = ""
    var season: Season
    var rank: Rank?
    var formerRank: Rank?
    @Attribute(.unknown(.default)) var tolerant: Rank = Rank.low
    var marks: Marks = Marks(rawValue: 1)
    var soil: Soil = Soil.sand
    var height: Height = Height(rawValue: nil)
    var formerHeight: Height?
    @Attribute(.codable) var whole: Season = Season.spring
    var all: [Season] = []
    init(_ name: String, _ season: Season) {
      self.name = name
      self.season = season
    }
  }
}

enum PlantsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PlantsV1.self, PlantsV2.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: PlantsV1.self, toVersion: PlantsV2.self)] }
}
