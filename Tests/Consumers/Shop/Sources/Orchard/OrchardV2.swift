import Foundation
import SwiftData

extension OrchardV2 {
  @Model
  final class Farm {
    var name: String
    var founded: Date
    var location: Coordinate = Coordinate.home
    var isOrganic: Bool = false
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
    var soil: Soil = Soil.loam
    var farm: Farm?
    @Relationship(deleteRule: .cascade, inverse: \Tree.field) var trees: [Tree] = []

    init(code: String, hectares: Double) {
      self.code = code
      self.hectares = hectares
    }
  }

  @Model
  final class Tree {
    @Attribute(originalName: "code") var label: String
    var plantedAt: Date?
    var height: Int
    var health: Health = Health.good
    var field: Field?
    var variety: Variety?
    @Relationship(deleteRule: .cascade, inverse: \Harvest.tree) var harvests: [Harvest] = []

    init(label: String, height: Int, field: Field?) {
      self.label = label
      self.height = height
      self.field = field
    }
  }

  @Model
  final class Variety {
    var name: String
    var kind: FruitKind = FruitKind.apple
    var ripensInWeek: Int16?
    @Relationship(inverse: \Tree.variety) var trees: [Tree] = []

    init(name: String, kind: FruitKind, ripensInWeek: Int16? = nil) {
      self.name = name
      self.kind = kind
      self.ripensInWeek = ripensInWeek
    }
  }
}

extension OrchardV2 {
  @Model
  final class Harvest {
    var pickedAt: Date
    var kilograms: Double
    var tree: Tree?
    var worker: Worker?

    init(pickedAt: Date, kilograms: Double) {
      self.pickedAt = pickedAt
      self.kilograms = kilograms
    }
  }

  @Model
  final class Shed {
    var name: String
    var area: Float = 0

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Worker {
    var name: String
    var wage: Decimal = 180
    @Relationship(inverse: \Harvest.worker) var harvests: [Harvest] = []

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Buyer {
    var name: String
    @Relationship(deleteRule: .nullify, inverse: \Sale.buyer) var sales: [Sale] = []

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Sale {
    var soldAt: Date
    var amount: Decimal
    var buyer: Buyer?

    init(soldAt: Date, amount: Decimal, buyer: Buyer) {
      self.soldAt = soldAt
      self.amount = amount
      self.buyer = buyer
    }
  }
}
