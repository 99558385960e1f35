import Foundation
import SwiftData

/// Collects the results of a run.
final class Report {
  private var passed = 0
  private var failures: [String] = []
  private var total: Int { passed + failures.count }
  private var printed = 0
  private(set) var predicates = 0
  private(set) var partial = 0

  func expect(_ name: String, _ condition: @autoclosure () throws -> Bool) {
    do {
      if try condition() { passed += 1 } else { failures.append(name) }
    } catch {
      failures.append("\(name): \(error)")
    }
  }

  func same<Value: Equatable>(_ name: String, _ found: @autoclosure () throws -> Value, _ wanted: Value) {
    do {
      let value = try found()
      if value == wanted { passed += 1 } else { failures.append("\(name): \(value) is not \(wanted)") }
    } catch {
      failures.append("\(name): \(error)")
    }
  }

  /// Checks that a predicate and a closure select the same models.
  func check<T: PersistentModel>(
    _ name: String, _ predicate: Predicate<T>, in context: ModelContext, _ expected: (T) -> Bool
  ) {
    predicates += 1
    do {
      let models = try context.fetch(FetchDescriptor<T>())
      let wanted = models.filter(expected)
      let found = try context.fetch(FetchDescriptor(predicate: predicate))
      let identifiers = try context.fetchIdentifiers(FetchDescriptor(predicate: predicate))
      same(name, found.map(\.persistentModelID).sorted(), wanted.map(\.persistentModelID).sorted())
      same("\(name), identifiers", Set(identifiers), Set(wanted.map(\.persistentModelID)))
      if !wanted.isEmpty, wanted.count != models.count { partial += 1 }
    } catch {
      failures.append("\(name): \(error)")
    }
  }

  func section(_ name: String) {
    print("\(name): \(total - printed) checks")
    printed = total
  }

  func end(of program: String) -> Int32 {
    failures.forEach { print("failed: \($0)") }
    print(failures.isEmpty ? "\(program): ok, \(total) checks" : "\(program): \(failures.count) of \(total) failed")
    return failures.isEmpty ? 0 : 1
  }
}

/// Returns a value as text. Dictionaries are sorted.
private func written(_ value: Any?) -> String {
  guard let value else { return "nil" }
  if let date = value as? Date { return "\(date.timeIntervalSinceReferenceDate)" }
  if let data = value as? Data { return data.map { String($0, radix: 16) }.joined() }
  if let table = value as? [String: String] { return "\(table.sorted { $0.key < $1.key })" }
  if let table = value as? [String: Int] { return "\(table.sorted { $0.key < $1.key })" }
  if let table = value as? [String: Double] { return "\(table.sorted { $0.key < $1.key })" }
  return "\(value)"
}

/// Returns all values in a store, with a line for each model.
func contents(of context: ModelContext) throws -> [String] {
  var lines: [String] = []
  func add<T: PersistentModel>(_ type: T.Type, _ values: (T) -> [Any?]) throws {
    lines += try context.fetch(FetchDescriptor<T>()).map { model in
      "\(type): " + values(model).map(written).joined(separator: ", ")
    }.sorted()
  }
  try add(Farm.self) {
    [$0.name, $0.founded, $0.location, $0.isOrganic, $0.owner, $0.website, $0.logo, $0.fields.map(\.code).sorted()]
  }
  try add(Field.self) {
    [
      $0.code, $0.hectares, $0.soil, $0.layers, $0.corners, $0.farm?.name, $0.trees.count, $0.rows.count,
      $0.sensors.map(\.serial).sorted(), $0.sprayings.count, $0.chores.map(\.title).sorted(), $0.hives.count,
    ]
  }
  try add(TreeRow.self) { [$0.number, $0.direction, $0.spacing, $0.field?.code, $0.trees?.map(\.label).sorted()] }
  try add(Tree.self) {
    [
      $0.label, $0.plantedAt, $0.centimetres, $0.metres, $0.health, $0.isFelled, $0.isLabelled, $0.notes,
      $0.field?.code, $0.row?.number, $0.variety?.name, $0.parent?.label, $0.grafts.map(\.label).sorted(),
    ]
  }
  try add(Variety.self) {
    [
      $0.name, $0.kind, $0.ripensInWeek, $0.aromas, $0.species?.latinName, $0.trees.map(\.label).sorted(),
      $0.pollinators.map(\.name).sorted(), $0.pollinates.map(\.name).sorted(),
    ]
  }
  try add(Species.self) { [$0.latinName, $0.commonNames, $0.varieties.map(\.name).sorted()] }
  try add(Season.self) { [$0.year, $0.farm?.name, $0.firstFrost, $0.harvests.map(\.pickedAt).sorted()] }
  try add(Harvest.self) {
    [$0.pickedAt, $0.kilograms, $0.weather, $0.tree?.label, $0.worker?.name, $0.crates.map(\.number).sorted()]
  }
  try add(Crate.self) { [$0.number, $0.weight, $0.capacity, $0.ripeness, $0.harvest.pickedAt, $0.line?.product] }
  try add(Buyer.self) { [$0.name, $0.discount, $0.isWholesale, $0.emails, $0.sales.map(\.soldAt).sorted()] }
  try add(Sale.self) { [$0.soldAt, $0.total, $0.isPaid, $0.buyer?.name, $0.lines.map(\.product).sorted()] }
  try add(SaleLine.self) { [$0.product, $0.price, $0.sale?.soldAt, $0.crates?.map(\.number).sorted()] }
  try add(Worker.self) {
    [$0.name, $0.wage, $0.skills, $0.hours, $0.foreman?.name, $0.crew.count, $0.chores.map(\.title).sorted()]
  }
  try add(Chore.self) { [$0.title, $0.due, $0.createdAt, $0.state, $0.recurrence, $0.workers.map(\.name).sorted()] }
  try add(Spraying.self) { [$0.date, $0.litres, $0.wind, $0.field?.code, $0.substance?.name] }
  try add(Substance.self) { [$0.name, $0.approval, $0.isPermitted, $0.limits, $0.sprayings.count] }
  try add(Sensor.self) { [$0.serial, $0.kind, $0.calibration, $0.history, $0.field?.code, $0.readings.count] }
  try add(Reading.self) { [$0.takenAt, $0.value, $0.raw, $0.sensor?.serial] }
  try add(Pest.self) { [$0.id, $0.name, $0.danger, $0.picture, $0.sightings.count] }
  try add(Sighting.self) { [$0.seenAt, $0.count, $0.pest?.name, $0.tree?.label] }
  try add(Hive.self) { [$0.colour, $0.strength, $0.queenBornAt, $0.field?.code, $0.keeper?.name] }
  try add(Beekeeper.self) { [$0.name, $0.phone, $0.hives.map(\.colour).sorted()] }
  return lines
}

/// The properties that all kinds of plants on the map share.
protocol Mapped {
  var label: String { get }
  var field: Field? { get }
}

extension Mapped {
  var address: String { "\(field?.farm?.name ?? "nowhere")/\(field?.code ?? "-")/\(label)" }
}

extension Tree: Mapped {
  var isTall: Bool { metres > 3 }

  static func tall(over metres: Double) -> Predicate<Tree> {
    #Predicate<Tree> { !$0.isFelled && $0.metres > metres }
  }

  func fell(noting note: String) {
    isFelled = true
    health = .dead
    notes.append(note)
  }
}

extension ModelContext {
  /// Returns the first model in a given order that satisfies a predicate.
  func first<T: PersistentModel>(_ predicate: Predicate<T>, by order: [SortDescriptor<T>] = []) throws -> T? {
    var descriptor = FetchDescriptor<T>(predicate: predicate, sortBy: order)
    descriptor.fetchLimit = 1
    return try fetch(descriptor).first
  }

  func number<T: PersistentModel>(of type: T.Type, where predicate: Predicate<T>? = nil) throws -> Int {
    try fetchCount(FetchDescriptor<T>(predicate: predicate))
  }
}
