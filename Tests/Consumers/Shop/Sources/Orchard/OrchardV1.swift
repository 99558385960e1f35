import Foundation
import SwiftData

extension OrchardV1 {
  @Model
  final class Farm {
    var name: String
    var founded: Date
    var location: Coordinate = Coordinate.home
    @Relationship(deleteRule: .cascade, inverse: \Field.farm) var fields: [Field] = []

    init(name: String, founded: Date) {
      self.name = name
      self.founded = founded
    }
  }

  @Model
  final class Field {
    var code: String
    var hectares: Double
    var farm: Farm?
    @Relationship(deleteRule: .cascade, inverse: \Tree.field) var trees: [Tree] = []

    init(code: String, hectares: Double, farm: Farm?) {
      self.code = code
      self.hectares = hectares
      self.farm = farm
    }
  }

  @Model
  final class Tree {
    var code: String
    var plantedAt: Date?
    var height: Int
    var field: Field?
    var variety: Variety?
    @Relationship(deleteRule: .cascade, inverse: \Harvest.tree) var harvests: [Harvest] = []

    init(code: String, height: Int, field: Field?, variety: Variety?) {
      self.code = code
      self.height = height
      self.field = field
      self.variety = variety
    }
  }

  @Model
  final class Variety {
    var name: String
    var kind: FruitKind = FruitKind.apple
    @Relationship(inverse: \Tree.variety) var trees: [Tree] = []

    init(name: String, kind: FruitKind) {
      self.name = name
      self.kind = kind
    }
  }
}

extension OrchardV1 {
  @Model
  final class Harvest {
    var pickedAt: Date
    var kilograms: Double
    var tree: Tree?

    init(pickedAt: Date, kilograms: Double, tree: Tree?) {
      self.pickedAt = pickedAt
      self.kilograms = kilograms
      self.tree = tree
    }
  }

  @Model
  final class Shed {
    var name: String
    var area: Float = 0

    init(name: String, area: Float) {
      self.name = name
      self.area = area
    }
  }
}
