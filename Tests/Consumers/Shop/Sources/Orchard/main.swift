import Foundation
import SwiftData

func emptyStore(_ name: String, in folder: String) throws -> URL {
  let place = URL(filePath: folder, directoryHint: .isDirectory).appending(path: name)
  try? FileManager.default.removeItem(at: place)
  try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  return place.appending(path: "orchard.store")
}

func createAndReopen(at url: URL, _ report: Report) throws {
  var before: [String] = []
  do {
    let context = try openFarm(at: url)
    try plantSamples(in: context)
    try context.save()
    before = try contents(of: context)
    report.expect("nothing is pending", context.insertedModelsArray.isEmpty && !context.hasChanges)
  }
  let context = try openFarm(at: url)
  report.same("values", try contents(of: context), before)
  report.same("trees", try context.number(of: Tree.self), 24)
  report.same("sprayings without the refused ones", try context.number(of: Spraying.self), 3)
  let hill = try context.first(#Predicate<Farm> { $0.name == "Hill" })
  report.same("area", hill?.hectares, 3.75)
  report.same("logo", hill?.logo, Data([0x89, 0x50, 0x4E, 0x47, 0x00, 0xFF]))
  report.same("website", hill?.website, URL(string: "https://hill.example/?lang=nn&page=1"))
  let upper = try context.first(#Predicate<Field> { $0.code == "A1" })
  report.same("layers", upper?.layers.map(\.soil), [.loam, .clay])
  report.same("stones", upper?.layers.map(\.stones), [nil, true])
  let serial = UInt64.max - 1_000
  let sensor = try context.first(#Predicate<Sensor> { $0.serial == serial })
  report.same("serial above Int64.max", sensor?.serial, 18_446_744_073_709_550_615)
  report.same("calibrations", sensor?.history.map(\.factor), [1.25, 1.25])
  report.same("readings", sensor?.readings.map(\.raw), [65_535, 65_535])
  let fog = try context.fetch(FetchDescriptor<Harvest>()).filter { $0.weather == .fog }
  report.expect("fog", !fog.isEmpty && fog.allSatisfy { $0.tree != nil })
  let aroma = try context.first(#Predicate<Variety> { $0.name == "Aroma" })
  report.same("pollinators", aroma?.pollinators.map(\.name).sorted(), ["Discovery", "Victoria"])
  report.same("pollinates", aroma?.pollinates.map(\.name), ["Discovery"])
  report.same("names", aroma?.species?.commonNames, ["no": "eple", "en": "apple"])
  let crate = try context.first(#Predicate<Crate> { $0.number == 5_000_000_000 })
  report.expect("a required owner", crate?.harvest.crates.contains { $0.number == 5_000_000_000 } == true)
  report.section("create and reopen")
}

func search(at url: URL, _ report: Report) throws {
  let context = try openFarm(at: url)
  try checkTrees(in: context, report)
  try checkTrade(in: context, report)
  try checkCare(in: context, report)
  var descriptor = FetchDescriptor<Tree>(
    predicate: #Predicate { $0.variety != nil },
    sortBy: [SortDescriptor(\.variety?.name, order: .reverse), SortDescriptor(\.centimetres)])
  descriptor.fetchLimit = 7
  let trees = try context.fetch(descriptor)
  let wanted = try context.fetch(FetchDescriptor<Tree>()).filter { $0.variety != nil }.sorted {
    ($1.variety!.name, $0.centimetres) < ($0.variety!.name, $1.centimetres)
  }
  report.same("sorted by a related name", trees.map(\.label), wanted.prefix(7).map(\.label))
  report.section("\(report.predicates) predicates, \(report.partial) of them find a part")
}

func changeAndReopen(at url: URL, _ report: Report) throws {
  do {
    let context = try openFarm(at: url)
    let trees = try context.fetch(FetchDescriptor<Tree>(sortBy: [SortDescriptor(\.label)]))
    trees[0].fell(noting: "storm")
    trees[1].parent = trees[2]
    trees[3].variety = nil
    trees[4].row?.spacing = 2.125
    let workers = try context.fetch(FetchDescriptor<Worker>(sortBy: [SortDescriptor(\.name)]))
    workers[2].chores.removeAll()
    workers[3].hours["fri"] = 4
    let chore = try context.first(#Predicate<Chore> { $0.title == "Chore 6" })
    chore?.recurrence = .weekdays([2, 4])
    chore?.workers = [workers[0], workers[3]]
    chore?.isExpanded = true
    let crate = try context.first(#Predicate<Crate> { $0.number == 5_000_000_003 })
    crate?.ripeness = .overripe
    report.expect("the chore has changes", chore?.hasChanges == true)
    try context.save()
  }
  let context = try openFarm(at: url)
  let trees = try context.fetch(FetchDescriptor<Tree>(sortBy: [SortDescriptor(\.label)]))
  report.same("notes", trees[0].notes, ["crooked", "old", "storm"])
  report.same("health", trees[0].health, .dead)
  report.same("grafts", trees[2].grafts.map(\.label).sorted(), ["T101", "T122"])
  report.same("no variety", trees[3].variety?.name, nil)
  report.same("spacing", trees[4].row?.spacing, 2.125)
  let workers = try context.fetch(FetchDescriptor<Worker>(sortBy: [SortDescriptor(\.name)]))
  report.same("chores", workers.map { $0.chores.filter { $0.title == "Chore 6" }.count }, [1, 0, 0, 1])
  report.same("chores of Mona", workers[2].chores.count, 0)
  report.same("hours", workers[3].hours, ["fri": 4])
  let chore = try context.first(#Predicate<Chore> { $0.title == "Chore 6" })
  report.same("recurrence", chore?.recurrence, .weekdays([2, 4]))
  report.same("a transient property", chore?.isExpanded, false)
  report.section("change and reopen")
}

func deleteAndReopen(at url: URL, _ report: Report) throws {
  var trees = 0
  var harvests = 0
  var crates = 0
  do {
    let context = try openFarm(at: url)
    guard let hill = try context.first(#Predicate<Farm> { $0.name == "Hill" }),
      let moth = try context.first(#Predicate<Pest> { $0.danger == 3 })
    else { return report.expect("models to delete", false) }
    let gone = hill.fields.flatMap(\.trees)
    trees = try context.number(of: Tree.self) - gone.count
    harvests = try context.number(of: Harvest.self) - gone.reduce(0) { $0 + $1.harvests.count }
    crates = try context.number(of: Crate.self) - gone.flatMap(\.harvests).reduce(0) { $0 + $1.crates.count }
    context.delete(hill)
    context.delete(moth)
    try context.delete(model: Buyer.self, where: #Predicate { $0.name == "Market" })
    report.expect("the farm is deleted", hill.isDeleted)
    try context.save()
  }
  let context = try openFarm(at: url)
  report.same("trees", try context.number(of: Tree.self), trees)
  report.same("harvests", try context.number(of: Harvest.self), harvests)
  report.same("crates", try context.number(of: Crate.self), crates)
  report.same("seasons", try context.number(of: Season.self), 1)
  report.same("rows", try context.number(of: TreeRow.self), 0)
  report.same("sensors", try context.number(of: Sensor.self), 2)
  report.same("fields", try context.fetch(FetchDescriptor<Field>()).map(\.code).sorted(), ["B1", "C9"])
  report.same("hives", try context.number(of: Hive.self, where: #Predicate { $0.field == nil }), 3)
  report.same("sales", try context.number(of: Sale.self), 6)
  report.same("sales without a buyer", try context.number(of: Sale.self, where: #Predicate { $0.buyer == nil }), 4)
  report.expect("no moth", try context.fetch(FetchDescriptor<Sighting>()).allSatisfy { $0.pest?.name == "Aphid" })
  report.expect("no lost crate", try context.fetch(FetchDescriptor<Crate>()).allSatisfy { $0.harvest.tree != nil })
  report.expect("no lost line", try context.fetch(FetchDescriptor<SaleLine>()).allSatisfy { $0.sale != nil })
  report.section("delete and reopen")
}

guard CommandLine.arguments.count == 2 else {
  print("usage: Orchard FOLDER")
  exit(2)
}
let report = Report()
do {
  let url = try emptyStore("farm", in: CommandLine.arguments[1])
  try createAndReopen(at: url, report)
  try search(at: url, report)
  try changeAndReopen(at: url, report)
  try deleteAndReopen(at: url, report)
  try migrateInTwoSteps(at: try emptyStore("steps", in: CommandLine.arguments[1]), report)
  try migrateAtOnce(at: try emptyStore("once", in: CommandLine.arguments[1]), report)
} catch {
  report.expect("stopped by \(error)", false)
}
exit(report.end(of: "Orchard"))
