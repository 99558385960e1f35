import Foundation
import SwiftData

@Model
final class Farm {
  @Attribute(.unique) var name: String
  var founded: Date
  var location: Coordinate = Coordinate.home
  var isOrganic: Bool = false
  var owner: String?
  var website: URL?
  var logo: Data?
  @Relationship(deleteRule: .cascade, inverse: \Field.farm) var fields: [Field] = []
  @Relationship(deleteRule: .cascade, inverse: \Season.farm) var seasons: [Season] = []

  init(name: String, founded: Date, owner: String? = nil) {
    self.name = name
    self.founded = founded
    self.owner = owner
  }

  var hectares: Double { fields.reduce(0) { $0 + $1.hectares } }
}

@Model
final class Field {
  #Index<Field>([\.code])

  var code: String
  var hectares: Double
  var soil: Soil = Soil.loam
  var layers: [SoilLayer] = []
  var corners: [Coordinate]?
  var farm: Farm?
  @Relationship(deleteRule: .cascade, inverse: \Tree.field) var trees: [Tree] = []
  @Relationship(deleteRule: .cascade, inverse: \TreeRow.field) var rows: [TreeRow] = []
  @Relationship(deleteRule: .cascade, inverse: \Sensor.field) var sensors: [Sensor] = []
  @Relationship(deleteRule: .cascade, inverse: \Spraying.field) var sprayings: [Spraying] = []
  @Relationship(deleteRule: .nullify, inverse: \Chore.field) var chores: [Chore] = []
  @Relationship(inverse: \Hive.field) var hives: [Hive] = []

  init(code: String, hectares: Double, soil: Soil = .loam, farm: Farm? = nil) {
    self.code = code
    self.hectares = hectares
    self.soil = soil
    self.farm = farm
  }
}

@Model
final class TreeRow {
  enum Direction: String, Codable {
    case northSouth = "NS"
    case eastWest = "EW"
  }

  var number: Int
  var direction = Direction.northSouth
  var spacing: Float = 1.5
  var field: Field?
  @Relationship(deleteRule: .nullify, inverse: \Tree.row) var trees: [Tree]?

  init(number: Int, field: Field) {
    self.number = number
    self.field = field
  }
}

@Model
final class Tree {
  #Index<Tree>([\.label], [\.isFelled, \.centimetres])

  var label: String
  var plantedAt: Date?
  @Attribute(originalName: "height") var centimetres: Int
  var metres: Double = 0
  var health: Health = Health.good
  var isFelled: Bool = false
  var isLabelled: Bool = true
  var notes: [String] = []
  var field: Field?
  var row: TreeRow?
  var variety: Variety?
  var parent: Tree?
  @Relationship(deleteRule: .nullify, inverse: \Tree.parent) var grafts: [Tree] = []
  @Relationship(deleteRule: .cascade, inverse: \Harvest.tree) var harvests: [Harvest] = []
  @Relationship(deleteRule: .cascade, inverse: \Sighting.tree) var sightings: [Sighting] = []

  init(label: String, centimetres: Int, field: Field?, variety: Variety? = nil, parent: Tree? = nil) {
    self.label = label
    self.centimetres = centimetres
    self.metres = Double(centimetres) / 100
    self.field = field
    self.variety = variety
    self.parent = parent
  }
}

@Model
final class Variety {
  @Attribute(.unique) var name: String
  var kind: FruitKind = FruitKind.apple
  var ripensInWeek: Int16?
  var aromas: [String] = []
  var species: Species?
  @Relationship(inverse: \Tree.variety) var trees: [Tree] = []
  var pollinators: [Variety] = []
  @Relationship(inverse: \Variety.pollinators) var pollinates: [Variety] = []

  init(_ name: String, kind: FruitKind = .apple, ripensInWeek: Int16? = nil, species: Species? = nil) {
    self.name = name
    self.kind = kind
    self.ripensInWeek = ripensInWeek
    self.species = species
  }
}

@Model
final class Species {
  @Attribute(.unique) var latinName: String
  var commonNames: [String: String] = [:]
  @Relationship(deleteRule: .nullify, inverse: \Variety.species) var varieties: [Variety] = []

  init(latinName: String, commonNames: [String: String] = [:]) {
    self.latinName = latinName
    self.commonNames = commonNames
  }
}

@Model
final class Season {
  #Unique<Season>([\.year, \.farm])

  var year: Int
  var farm: Farm?
  var firstFrost: Date?
  @Relationship(deleteRule: .nullify, inverse: \Harvest.season) var harvests: [Harvest] = []

  init(year: Int, farm: Farm?) {
    self.year = year
    self.farm = farm
  }

  /// Returns the year of a date in the farm's calendar.
  static func year(of date: Date) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.component(.year, from: date)
  }
}
