import Foundation
import SwiftData

/// Creates a store as the first release left it: five trees of three varieties, one of which exists twice.
private func createFirstStore(at url: URL) throws {
  let schema = Schema(versionedSchema: OrchardV1.self)
  let container = try ModelContainer(for: schema, configurations: ModelConfiguration(url: url))
  let context = ModelContext(container)
  let farm = OrchardV1.Farm(name: "Old", founded: date(-30_000))
  farm.location.latitude = 61.5
  let field = OrchardV1.Field(code: "F1", hectares: 3.25, farm: farm)
  let varieties = [
    OrchardV1.Variety(name: "Gravenstein", kind: .apple), OrchardV1.Variety(name: "Opal", kind: .plum),
    OrchardV1.Variety(name: "Gravenstein", kind: .apple),
  ]
  context.insert(farm)
  for variety in varieties { context.insert(variety) }
  for index in 0..<5 {
    let tree = OrchardV1.Tree(
      code: "X\(index)", height: 150 + index * 25, field: field, variety: varieties[[0, 0, 1, 2, 1][index]])
    tree.plantedAt = index == 3 ? nil : date(-1000 - index)
    context.insert(tree)
    for year in 0...index % 2 {
      context.insert(OrchardV1.Harvest(pickedAt: date(-365 * year), kilograms: 10.5 + Double(index), tree: tree))
    }
  }
  context.insert(OrchardV1.Shed(name: "Press house", area: 42.5))
  try context.save()
}

func openFarm(at url: URL) throws -> ModelContext {
  let schema = Schema(versionedSchema: OrchardV3.self)
  let container = try ModelContainer(
    for: schema, migrationPlan: OrchardMigrationPlan.self,
    configurations: ModelConfiguration(schema: schema, url: url))
  return ModelContext(container)
}

func migrateInTwoSteps(at url: URL, _ report: Report) throws {
  try createFirstStore(at: url)
  do {
    let container = try ModelContainer(
      for: Schema(versionedSchema: OrchardV2.self), migrationPlan: FormerMigrationPlan.self,
      configurations: ModelConfiguration(url: url))
    let context = ModelContext(container)
    let trees = try context.fetch(FetchDescriptor<OrchardV2.Tree>(sortBy: [SortDescriptor(\.label)]))
    report.same("labels", trees.map(\.label), ["X0", "X1", "X2", "X3", "X4"])
    report.same("heights", trees.map(\.height), [150, 175, 200, 225, 250])
    report.same("health", trees.map(\.health), [.good, .good, .good, .good, .good])
    report.same("planting", trees.map(\.plantedAt), [date(-1000), date(-1001), date(-1002), nil, date(-1004)])
    report.same("harvests", trees.map(\.harvests.count), [1, 2, 1, 2, 1])
    report.same("soil", trees.map { $0.field?.soil }, [.loam, .loam, .loam, .loam, .loam])
    report.same("latitude", trees.first?.field?.farm?.location, Coordinate(latitude: 61.5, longitude: 6.5))
    report.same("sheds", try context.fetch(FetchDescriptor<OrchardV2.Shed>()).map(\.area), [42.5])
    let picker = OrchardV2.Worker(name: "Per")
    picker.wage = Decimal(string: "199.99")!
    context.insert(picker)
    for harvest in trees[1].harvests { harvest.worker = picker }
    let extra = OrchardV2.Variety(name: "Opal", kind: .plum, ripensInWeek: 34)
    context.insert(extra)
    let inn = OrchardV2.Buyer(name: "Inn")
    context.insert(OrchardV2.Sale(soldAt: date(3), amount: Decimal(string: "88.40")!, buyer: inn))
    trees[4].health = .poor
    try context.save()
  }
  report.section("migration to 1.4.0")

  let context = try openFarm(at: url)
  let trees = try context.fetch(FetchDescriptor<Tree>(sortBy: [SortDescriptor(\.label)]))
  report.same("addresses", trees.first?.address, "Old/F1/X0")
  report.same("centimetres", trees.map(\.centimetres), [150, 175, 200, 225, 250])
  report.same("metres", trees.map(\.metres), [1.5, 1.75, 2, 2.25, 2.5])
  report.same("health", trees.map(\.health), [.good, .good, .good, .good, .poor])
  report.same(
    "varieties of trees", trees.map { $0.variety?.name },
    [
      "Gravenstein", "Gravenstein", "Opal", "Gravenstein", "Opal",
    ])
  let varieties = try context.fetch(FetchDescriptor<Variety>(sortBy: [SortDescriptor(\.name)]))
  report.same("names of varieties", varieties.map(\.name), ["Gravenstein", "Opal"])
  report.same("the week of the lost variety", varieties.map(\.ripensInWeek), [nil, 34])
  let seasons = try context.fetch(FetchDescriptor<Season>(sortBy: [SortDescriptor(\.year)]))
  report.same("seasons", seasons.map { [$0.year, $0.harvests.count] }, [[2023, 2], [2024, 5]])
  report.same("farms of seasons", seasons.map { $0.farm?.name }, ["Old", "Old"])
  let sale = try context.fetch(FetchDescriptor<Sale>()).first
  report.same("total", sale?.total, Decimal(string: "88.4"))
  report.same("lines of the sale", sale?.lines.map(\.product), ["Fruit"])
  report.same("buyer", sale?.buyer?.name, "Inn")
  report.same("a reference is made", sale?.reference.count, 36)
  let picker = try context.first(#Predicate<Worker> { $0.name == "Per" })
  report.same("harvests of a worker", picker?.harvests.count, 2)
  report.same("wage", picker?.wage, Decimal(string: "199.99"))
  report.expect("no entity for sheds", context.container.schema.entitiesByName["Shed"] == nil)
  report.section("migration to 2.0.0")
}

func migrateAtOnce(at url: URL, _ report: Report) throws {
  try createFirstStore(at: url)
  var lines: [String] = []
  do {
    let context = try openFarm(at: url)
    lines = try contents(of: context)
    report.same("varieties", try context.number(of: Variety.self), 2)
    report.same("seasons", try context.number(of: Season.self), 2)
    report.same("sales", try context.number(of: Sale.self), 0)
    let tall = try context.fetch(FetchDescriptor(predicate: Tree.tall(over: 2)))
    report.same("tall trees", tall.map(\.label).sorted(), ["X3", "X4"])
  }
  report.same("nothing is migrated twice", try contents(of: try openFarm(at: url)), lines)
  report.section("migration from 1.0.0 to 2.0.0")
}
