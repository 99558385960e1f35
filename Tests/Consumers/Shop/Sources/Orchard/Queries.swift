import Foundation
import SwiftData

/// The filter settings of the list of trees on the screen.
struct TreeFilter {
  var hidesFelled = false
  var onlyLabelled = false
  var onlyWithRow = false
  var minimum = 0
  var text = ""

  var predicate: Predicate<Tree> {
    let (hidesFelled, onlyLabelled, onlyWithRow) = (self.hidesFelled, self.onlyLabelled, self.onlyWithRow)
    let (minimum, text) = (self.minimum, self.text)
    return #Predicate<Tree> {
      (!hidesFelled || !$0.isFelled) && (!onlyLabelled || $0.isLabelled) && (!onlyWithRow || $0.row != nil)
        && (minimum == 0 || $0.centimetres >= minimum) && (text == "" || $0.label.localizedStandardContains(text))
    }
  }

  func selects(_ tree: Tree) -> Bool {
    if hidesFelled && tree.isFelled || onlyLabelled && !tree.isLabelled { return false }
    if onlyWithRow && tree.row == nil { return false }
    return tree.centimetres >= minimum && (text.isEmpty || tree.label.contains(text))
  }
}

func checkTrees(in context: ModelContext, _ report: Report) throws {
  let label = "T105"
  let limit = 300
  let good = Health.good
  let bad: Set<Health> = [.dead, .poor]
  let year = date(-730)
  let earlier = date(-3_000)
  let word = "crooked"
  let codes = ["A1", "B1"]

  report.check("label", #Predicate<Tree> { $0.label == label }, in: context) { $0.label == "T105" }
  report.check("felled", #Predicate<Tree> { $0.isFelled }, in: context) { $0.isFelled }
  report.check("three flags", #Predicate<Tree> { !$0.isFelled && !$0.isLabelled && $0.row == nil }, in: context) {
    !$0.isFelled && !$0.isLabelled && $0.row == nil
  }
  report.check("standing and high", #Predicate<Tree> { $0.centimetres > limit && $0.isFelled == false }, in: context) {
    $0.centimetres > 300 && !$0.isFelled
  }
  report.check("health", #Predicate<Tree> { $0.health == good }, in: context) { $0.health == .good }
  report.check("health by case", #Predicate<Tree> { $0.health == .excellent || $0.health == .dead }, in: context) {
    $0.health == .excellent || $0.health == .dead
  }
  report.check("bad health", #Predicate<Tree> { bad.contains($0.health) }, in: context) { $0.health.rawValue < 20 }
  report.check("never planted", #Predicate<Tree> { $0.plantedAt == nil }, in: context) { $0.plantedAt == nil }
  report.check(
    "planted before or unknown", #Predicate<Tree> { $0.plantedAt == nil || $0.plantedAt! < year }, in: context
  ) { ($0.plantedAt ?? .distantPast) < year }
  report.check(
    "planted between",
    #Predicate<Tree> {
      if let planted = $0.plantedAt {
        planted >= earlier && planted < year
      } else {
        false
      }
    }, in: context
  ) { tree in tree.plantedAt.map { (earlier..<year).contains($0) } == true }
  report.check("notes", #Predicate<Tree> { $0.notes.contains(word) }, in: context) { $0.notes.contains("crooked") }
  report.check("no notes", #Predicate<Tree> { $0.notes.isEmpty }, in: context) { $0.notes.isEmpty }
  report.check("parent", #Predicate<Tree> { $0.parent?.label == "T101" }, in: context) { $0.parent?.label == "T101" }
  report.check("not of a pear", #Predicate<Tree> { $0.variety?.name != "Clara" }, in: context) {
    $0.variety?.name != "Clara"
  }
  report.check("species", #Predicate<Tree> { $0.variety?.species?.latinName == "Malus domestica" }, in: context) {
    $0.variety?.species?.latinName == "Malus domestica"
  }
  report.check(
    "farm of the row", #Predicate<Tree> { $0.row?.field?.farm?.name == "Hill" && !$0.isFelled }, in: context
  ) { $0.row?.field?.farm?.name == "Hill" && !$0.isFelled }
  report.check(
    "fields by code", #Predicate<Tree> { $0.field.flatMap { codes.contains($0.code) } ?? false }, in: context
  ) { codes.contains($0.field?.code ?? "") }
  report.check("grafted", #Predicate<Tree> { !$0.grafts.isEmpty }, in: context) { !$0.grafts.isEmpty }
  report.check(
    "orphans", #Predicate<Tree> { $0.harvests.count == 0 && $0.sightings.count == 0 }, in: context
  ) { $0.harvests.isEmpty && $0.sightings.isEmpty }
  report.check(
    "every harvest is rich", #Predicate<Tree> { $0.harvests.allSatisfy { $0.kilograms > 20 } }, in: context
  ) { $0.harvests.allSatisfy { $0.kilograms > 20 } }
  report.check(
    "picked by a driver's crew",
    #Predicate<Tree> { $0.harvests.contains { $0.worker?.foreman?.name == "Lars" } }, in: context
  ) { $0.harvests.contains { $0.worker?.foreman?.name == "Lars" } }
  report.check(
    "heavy crates", #Predicate<Tree> { $0.harvests.contains { $0.crates.contains { $0.weight >= 10 } } }, in: context
  ) { $0.harvests.contains { $0.crates.contains { $0.weight >= 10 } } }
  let tall = Tree.tall(over: 2.5)
  report.check("tall", tall, in: context) { !$0.isFelled && $0.metres > 2.5 }
  report.check("tall with sightings", #Predicate<Tree> { tall.evaluate($0) && !$0.sightings.isEmpty }, in: context) {
    !$0.isFelled && $0.metres > 2.5 && !$0.sightings.isEmpty
  }
  let filters = [
    TreeFilter(), TreeFilter(hidesFelled: true, minimum: 200), TreeFilter(onlyLabelled: true, onlyWithRow: true),
    TreeFilter(hidesFelled: true, onlyLabelled: true, onlyWithRow: true, minimum: 150, text: "1"),
  ]
  for (number, filter) in filters.enumerated() {
    report.check("filter \(number)", filter.predicate, in: context) { filter.selects($0) }
  }
}

func checkTrade(in context: ModelContext, _ report: Report) throws {
  let price: Decimal = 200
  let ripe = Ripeness.ripe
  let buyer = "Market"
  let start = date(20)
  let big: Int64 = 5_000_000_010
  let numbers: [Int64] = [5_000_000_001, 5_000_000_004, 9]
  let harvests = try context.fetch(FetchDescriptor<Harvest>(predicate: #Predicate { $0.kilograms < 16 }))
  let identifiers = Set(harvests.map(\.persistentModelID))
  let names: [String] = []

  report.check("crates of large numbers", #Predicate<Crate> { $0.number >= big }, in: context) { $0.number >= big }
  report.check("crates by number", #Predicate<Crate> { numbers.contains($0.number) }, in: context) {
    numbers.contains($0.number)
  }
  report.check("light and ripe", #Predicate<Crate> { $0.ripeness == ripe && $0.weight < 8 }, in: context) {
    $0.ripeness == .ripe && $0.weight < 8
  }
  report.check("overfull", #Predicate<Crate> { $0.weight > $0.capacity }, in: context) { $0.weight > $0.capacity }
  report.check("crates of a tree", #Predicate<Crate> { $0.harvest.tree?.label == "T102" }, in: context) {
    $0.harvest.tree?.label == "T102"
  }
  report.check(
    "crates picked by Kari",
    #Predicate<Crate> {
      if let worker = $0.harvest.worker, let sale = $0.line {
        worker.name == "Kari" && sale.price > 0
      } else {
        false
      }
    }, in: context
  ) { $0.harvest.worker?.name == "Kari" && ($0.line?.price ?? 0) > 0 }
  report.check("unsold", #Predicate<Crate> { $0.line == nil }, in: context) { $0.line == nil }
  report.check("harvests", #Predicate<Harvest> { identifiers.contains($0.persistentModelID) }, in: context) {
    $0.kilograms < 16
  }
  report.check("other harvests", #Predicate<Harvest> { !identifiers.contains($0.persistentModelID) }, in: context) {
    $0.kilograms >= 16
  }
  report.check(
    "pickers, if any are chosen",
    #Predicate<Harvest> {
      if !names.isEmpty {
        names.contains($0.worker?.name ?? "")
      } else {
        $0.worker != nil
      }
    }, in: context
  ) { $0.worker != nil }
  report.check(
    "late or of Shore", #Predicate<Harvest> { $0.pickedAt >= start || $0.season?.farm?.name == "Shore" }, in: context
  ) { $0.pickedAt >= start || $0.season?.farm?.name == "Shore" }
  report.check("expensive sales", #Predicate<Sale> { $0.total > price }, in: context) { $0.total > price }
  report.check("paid by the market", #Predicate<Sale> { $0.buyer?.name == buyer && $0.isPaid }, in: context) {
    $0.buyer?.name == "Market" && $0.isPaid
  }
  report.check("not of wholesale", #Predicate<Sale> { $0.buyer?.isWholesale != true }, in: context) {
    $0.buyer?.isWholesale != true
  }
  report.check("buyers without discount", #Predicate<Buyer> { $0.discount == nil }, in: context) { $0.discount == nil }
  report.check("buyers by name", #Predicate<Buyer> { $0.name.localizedStandardContains("cafe") }, in: context) {
    $0.name == "Café Æble"
  }
  let dear = #Expression<[SaleLine], Int> { $0.filter { $0.price > 100 }.count }
  let cheap = #Expression<[SaleLine], Int> { $0.filter { $0.price <= 100 }.count }
  report.check(
    "sales with two lines", #Predicate<Sale> { dear.evaluate($0.lines) + cheap.evaluate($0.lines) == 2 }, in: context
  ) { $0.lines.count == 2 }
}

func checkCare(in context: ModelContext, _ report: Report) throws {
  let soil = Soil.loam
  let serial = UInt64.max - 1_500
  let query = "CHORE 3"
  let south = 0.0
  let done = Chore.State.done
  let titles = ["Chore 1", "Chore 4"]
  let others = ["Chore 2"]

  report.check("southern farms", #Predicate<Farm> { $0.location.latitude < south }, in: context) {
    $0.location.latitude < 0
  }
  report.check("farms that grow apples", #Predicate<Farm> { $0.fields.contains { $0.soil == soil } }, in: context) {
    $0.fields.contains { $0.soil == .loam }
  }
  report.check("sensors", #Predicate<Sensor> { $0.serial > serial && $0.field != nil }, in: context) {
    $0.serial > serial && $0.field != nil
  }
  report.check("full scale", #Predicate<Reading> { $0.value * 2 >= 1 && $0.raw == 65_535 }, in: context) {
    $0.value * 2 >= 1 && $0.raw == .max
  }
  report.check(
    "chores by state", #Predicate<Chore> { $0.state == done || $0.due == nil }, in: context
  ) { $0.state == .done || $0.due == nil }
  report.check(
    "chores of two lists",
    #Predicate<Chore> {
      ($0.state == .open && !titles.contains($0.title)) || ($0.state != .open && !others.contains($0.title))
    }, in: context
  ) { $0.state == .open ? !titles.contains($0.title) : !others.contains($0.title) }
  report.check(
    "search",
    #Predicate<Chore> { query.isEmpty ? true : ($0.title.localizedStandardContains(query) || $0.workers.isEmpty) },
    in: context
  ) { $0.title == "Chore 3" || $0.workers.isEmpty }
  report.check("chores of Lars", #Predicate<Chore> { $0.workers.contains { $0.name == "Lars" } }, in: context) {
    $0.workers.contains { $0.name == "Lars" }
  }
  report.check("pollinated", #Predicate<Variety> { $0.pollinators.contains { $0.name == "Aroma" } }, in: context) {
    $0.pollinators.contains { $0.name == "Aroma" }
  }
  report.check("weeks", #Predicate<Variety> { ($0.ripensInWeek ?? 0) > 36 }, in: context) {
    ($0.ripensInWeek ?? 0) > 36
  }
}
