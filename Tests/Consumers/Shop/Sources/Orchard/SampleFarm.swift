import Foundation
import SwiftData

/// Returns noon of a day. Day 0 is 1 August 2024.
func date(_ day: Int) -> Date {
  Date(timeIntervalSinceReferenceDate: 744_206_400 + Double(day) * 86_400)
}

/// Inserts two farms with four fields, 24 trees, and the events on them.
func plantSamples(in context: ModelContext) throws {
  let hill = Farm(name: "Hill", founded: date(-20_000), owner: "Astrid")
  let shore = Farm(name: "Shore", founded: date(-4_000))
  hill.isOrganic = true
  hill.website = URL(string: "https://hill.example/?lang=nn&page=1")
  hill.logo = Data([0x89, 0x50, 0x4E, 0x47, 0x00, 0xFF])
  shore.location = Coordinate(latitude: -59.125, longitude: 5.75)
  let fields = [
    Field(code: "A1", hectares: 2.5, farm: hill), Field(code: "A2", hectares: 1.25, soil: .clay, farm: hill),
    Field(code: "B1", hectares: 4, soil: .sand, farm: shore), Field(code: "C9", hectares: 0.5),
  ]
  fields[0].layers = [SoilLayer(depth: 20, soil: .loam, stones: nil), SoilLayer(depth: 60, soil: .clay, stones: true)]
  fields[1].corners = [Coordinate(latitude: 1.5, longitude: 2.25), .home]
  for field in fields { context.insert(field) }

  let apple = Species(latinName: "Malus domestica", commonNames: ["no": "eple", "en": "apple"])
  let varieties = [
    Variety("Aroma", ripensInWeek: 39, species: apple), Variety("Discovery", ripensInWeek: 36, species: apple),
    Variety("Clara", kind: .pear), Variety("Victoria", kind: .plum, ripensInWeek: 37),
  ]
  varieties[0].aromas = ["honey", "vanilla"]
  for variety in varieties { context.insert(variety) }
  varieties[0].pollinators = [varieties[1], varieties[3]]
  varieties[1].pollinators = [varieties[0]]
  let seasons = [Season(year: 2023, farm: hill), Season(year: 2024, farm: hill), Season(year: 2024, farm: shore)]
  for season in seasons { context.insert(season) }
  seasons[0].firstFrost = date(-280)

  let rows = (1...3).map { TreeRow(number: $0, field: fields[$0 % 2]) }
  rows[2].direction = .eastWest
  for row in rows { context.insert(row) }
  let workers = [
    Worker(name: "Kari", skills: [.pruning, .grafting]), Worker(name: "Lars", skills: [.driving]),
    Worker(name: "Mona"), Worker(name: "Nils", skills: Skill.allCases),
  ]
  for worker in workers.dropFirst() { worker.foreman = worker.name == "Nils" ? workers[1] : workers[0] }
  workers[0].wage = Decimal(string: "245.75")!
  workers[1].hours = ["mon": 8, "tue": 6]
  for worker in workers { context.insert(worker) }
  plantTrees(fields: fields, rows: rows, varieties: varieties, in: context)
  try harvest(workers: workers, seasons: seasons, in: context)
  try addCare(fields: fields, workers: workers, in: context)
}

private func plantTrees(
  fields: [Field], rows: [TreeRow], varieties: [Variety], in context: ModelContext
) {
  var trees: [Tree] = []
  for index in 0..<24 {
    let tree = Tree(
      label: "T\(100 + index)", centimetres: 120 + index * 37 % 400, field: fields[index % 4],
      variety: index % 7 == 6 ? nil : varieties[index % 4], parent: index >= 20 ? trees[index - 20] : nil)
    tree.plantedAt = index % 3 == 0 ? nil : date(-index * 200)
    tree.health = Health.allCases[(index + 2) % 4]
    tree.isFelled = index % 8 == 7
    tree.isLabelled = index % 5 != 2
    tree.notes = index % 6 == 0 ? ["crooked", "old"] : index % 6 == 3 ? ["old"] : []
    tree.row = index % 4 < 2 ? rows[index % 3] : nil
    context.insert(tree)
    trees.append(tree)
  }
}

private func harvest(workers: [Worker], seasons: [Season], in context: ModelContext) throws {
  let trees = try context.fetch(FetchDescriptor<Tree>(sortBy: [SortDescriptor(\.label)]))
  let weathers: [Weather?] = [.sunny(degrees: 21.5), .rain(millimetres: 12, thunder: true), .fog, nil]
  var crates: [Crate] = []
  for (index, tree) in trees.enumerated() where index % 5 != 4 {
    for turn in 0...index % 2 {
      let harvest = Harvest(
        pickedAt: date(index + turn * 30), kilograms: 12.5 * Double(turn + 1) + Double(index), tree: tree,
        worker: index % 6 == 5 ? nil : workers[(index + turn) % 4], season: seasons[(index + turn) % 3])
      harvest.weather = weathers[(index + turn) % 4]
      context.insert(harvest)
      for number in 0..<(index + turn) % 3 {
        let crate = Crate(
          number: 5_000_000_000 + Int64(crates.count), weight: Float(index) + 0.25 * Float(number), harvest: harvest)
        crate.ripeness = number == 1 ? .overripe : index % 4 == 0 ? .unripe : .ripe
        context.insert(crate)
        crates.append(crate)
      }
    }
  }
  let buyers = [
    Buyer(name: "Market", discount: Decimal(string: "0.125")), Buyer(name: "Café Æble"), Buyer(name: "School"),
  ]
  buyers[0].isWholesale = true
  buyers[1].isWholesale = false
  buyers[1].emails = ["orders@cafe.example", "boss@cafe.example"]
  for buyer in buyers { context.insert(buyer) }
  for index in 0..<6 {
    let part = crates[index * 2..<index * 2 + index % 3]
    let buyer = index == 5 ? nil : buyers[index % 2]
    let sale = Sale(of: part, at: Decimal(string: "17.50")!, on: date(60 + index), to: buyer)
    sale.isPaid = index % 2 == 0
    context.insert(sale)
  }
}

private func addCare(fields: [Field], workers: [Worker], in context: ModelContext) throws {
  let copper = Substance(name: "Copper")
  copper.approval = "2021-77"
  copper.limits = ["apple": 2.5, "pear": 1.75]
  let forbidden = Substance(name: "DDT", isPermitted: false)
  context.insert(copper)
  context.insert(forbidden)
  for (index, field) in fields.enumerated() {
    for turn in 0..<index {
      if let spraying = Spraying(
        date: date(-60 + index * 5 + turn), litres: Double(turn * 40), field: field, substance: copper)
      {
        spraying.wind = turn == 1 ? nil : 3.5
        context.insert(spraying)
      }
    }
    let sensor = Sensor(
      serial: UInt64.max - UInt64(index) * 1_000, kind: index == 3 ? .wind : .moisture, field: index == 2 ? nil : field)
    context.insert(sensor)
    let calibration = Calibration(offset: -0.5, factor: 1.25, date: date(-400))
    sensor.calibration = index == 1 ? calibration : nil
    sensor.history = index == 1 ? [calibration, calibration] : []
    for hour in 0..<index * 2 {
      sensor.readings.append(
        Reading(takenAt: date(index).addingTimeInterval(Double(hour) * 3600), value: Float(hour) / 4, raw: 65_535))
    }
  }
  let states: [Chore.State] = [.open, .blocked, .done]
  let recurrences: [Recurrence] = [.once, .every(days: 14), .weekdays([1, 3])]
  for index in 0..<7 {
    let chore = Chore(
      "Chore \(index)", due: index % 3 == 2 ? nil : date(index * 6), field: index % 4 == 3 ? nil : fields[index % 4],
      workers: Array(workers.prefix(index % 4)))
    chore.state = states[index % 3]
    chore.recurrence = recurrences[(index + 1) % 3]
    context.insert(chore)
  }
  let moth = Pest(id: UUID(uuidString: "0B5C3D1E-72A4-4C55-9D0A-5F1E2A3B4C5D")!, name: "Codling moth", danger: 3)
  let aphid = Pest(name: "Aphid")
  moth.picture = Data(repeating: 7, count: 2_000)
  context.insert(moth)
  context.insert(aphid)
  let trees = try context.fetch(FetchDescriptor<Tree>(sortBy: [SortDescriptor(\.label)]))
  for index in stride(from: 0, to: 24, by: 3) {
    let pest = index % 2 == 0 ? moth : aphid
    context.insert(Sighting(of: pest, on: trees[index], count: Int32(index * 50_000), seenAt: date(index)))
  }
  let keeper = Beekeeper(name: "Oda", phone: "555-0300")
  for (index, colour) in ["white", "blue", "yellow"].enumerated() {
    let hive = Hive(colour: colour, field: index == 2 ? nil : fields[index], keeper: index == 1 ? nil : keeper)
    hive.strength = 255 - UInt8(index)
    context.insert(hive)
  }
}
