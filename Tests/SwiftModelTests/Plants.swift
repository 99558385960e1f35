import Foundation
import TestSupport
import Trellis

// Two versions in which enums move from another module into this one.

enum PlantsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Plant.self] }

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
