import Foundation
import SwiftData

@Model
final class Harvest {
  var pickedAt: Date
  var kilograms: Double
  var weather: Weather?
  var tree: Tree?
  var worker: Worker?
  var season: Season?
  @Relationship(deleteRule: .cascade, inverse: \Crate.harvest) var crates: [Crate] = []

  init(pickedAt: Date, kilograms: Double, tree: Tree, worker: Worker? = nil, season: Season? = nil) {
    self.pickedAt = pickedAt
    self.kilograms = kilograms
    self.tree = tree
    self.worker = worker
    self.season = season
  }
}

@Model
final class Crate {
  @Attribute(.unique) var number: Int64
  var weight: Float
  var capacity: Float = 20
  var ripeness: Ripeness = Ripeness.ripe
  var harvest: Harvest
  var line: SaleLine?

  init(number: Int64, weight: Float, harvest: Harvest) {
    self.number = number
    self.weight = weight
    self.harvest = harvest
  }
}

@Model
final class Buyer {
  var name: String
  var discount: Decimal?
  var isWholesale: Bool?
  var emails: [String]?
  @Relationship(deleteRule: .nullify, inverse: \Sale.buyer) var sales: [Sale] = []

  init(name: String, discount: Decimal? = nil) {
    self.name = name
    self.discount = discount
  }
}

@Model
final class Sale {
  var reference: String = UUID().uuidString
  var soldAt: Date
  @Attribute(originalName: "amount") var total: Decimal
  var isPaid: Bool = false
  var buyer: Buyer?
  @Relationship(deleteRule: .cascade, inverse: \SaleLine.sale) var lines: [SaleLine] = []

  init(soldAt: Date, total: Decimal = 0, buyer: Buyer?) {
    self.soldAt = soldAt
    self.total = total
    self.buyer = buyer
  }

  /// A sale of crates at one price per kilogram.
  convenience init<Crates: Collection>(
    of crates: Crates, at price: Decimal, on date: Date, to buyer: Buyer?
  ) where Crates.Element == Crate {
    self.init(soldAt: date, buyer: buyer)
    for crate in crates {
      let line = SaleLine(product: "Crate \(crate.number)", price: price * Decimal(Int(crate.weight)), sale: self)
      line.crates = [crate]
      total += line.price
    }
  }
}

@Model
final class SaleLine {
  var product: String
  var price: Decimal
  var sale: Sale?
  @Relationship(inverse: \Crate.line) var crates: [Crate]?

  init(product: String, price: Decimal, sale: Sale?) {
    self.product = product
    self.price = price
    self.sale = sale
  }
}

@Model
final class Worker {
  var name: String
  var wage: Decimal = 180
  var skills: [Skill] = []
  var hours: [String: Int] = [:]
  var foreman: Worker?
  @Relationship(inverse: \Worker.foreman) var crew: [Worker] = []
  @Relationship(inverse: \Harvest.worker) var harvests: [Harvest] = []
  @Relationship(inverse: \Chore.workers) var chores: [Chore] = []

  init(name: String, skills: [Skill] = [], foreman: Worker? = nil) {
    self.name = name
    self.skills = skills
    self.foreman = foreman
  }
}
