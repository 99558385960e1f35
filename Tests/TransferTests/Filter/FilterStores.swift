import Foundation
import SampleTripsGolden
import SchemaDriver
import SchemaFixtures
import SchemaModel
import SchemaVersions
import StoreTransfer
import TestSchemas
import TestSupport
import Trellis

/// A schema in `Schemas` without its classes, as a tool sees it.
struct DescribedSchema {
  let resolved: ResolvedSchema
  let runtime: Schema
  let fixture: SchemaFixture

  init(_ name: String, rows: Int = 40) throws {
    let folder = Repository.root.appendingPathComponent("Schemas/\(name)").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    let project = try SchemaProject(
      heads: names.filter { $0.hasSuffix(".schema") && !$0.contains("/") }.map { "\(folder)/\($0)" },
      inputs: names.filter { $0.hasPrefix("versions/") && ($0.hasSuffix(".schema") || $0.hasSuffix(".lock")) }
        .map { "\(folder)/\($0)" },
      isTarget: true)
    guard let history = project.histories.first else { throw CocoaError(.fileNoSuchFile) }
    let module = SchemaPlans.module(ofFolder: name)
    resolved = history.head
    runtime = try SchemaFixture.schema(of: resolved, in: history, files: project.files, module: module)
    fixture = try SchemaFixture(resolved, of: history, files: project.files, module: module, rows: rows)
  }

  func filter(_ text: String, _ entity: String) throws -> RowFilter { try RowFilter(text, entity: entity, resolved, runtime) }
}

/// A store with rows, which is opened with its classes and without them.
struct FilterStore {
  let schema: DescribedSchema
  let container: ModelContainer
  let connection: Connection
  let folder: URL

  /// - Parameter fill: Inserts rows; nil for the rows of a fixture.
  init(_ name: String, _ models: Schema, rows: Int = 40, fill: ((ModelContext) throws -> Void)? = nil) throws {
    schema = try DescribedSchema(name, rows: rows)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("filter-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent("rows.store")
    if fill == nil { try schema.fixture.write(to: url) }
    container = try ModelContainer(for: models, configurations: ModelConfiguration(url: url))
    if let fill {
      let context = ModelContext(container)
      try fill(context)
      try context.save()
    }
    connection = try Connection(url.path, .readOnly)
    try RowFilter.prepare(connection)
  }

  /// The keys of the rows that a fetch with the predicate finds.
  func fetched<Model: PersistentModel>(_ predicate: Predicate<Model>) throws -> [Int64] {
    try ModelContext(container).fetch(FetchDescriptor(predicate: predicate)).compactMap(\.persistentModelID.row).sorted()
  }

  /// True if the fetch evaluates the predicate in the store.
  func runsInStore<Model: PersistentModel>(_ predicate: Predicate<Model>) throws -> Bool {
    try FetchDescriptor(predicate: predicate).explain(in: ModelContext(container)).runsInStore
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// A filter as text, and the predicate that the compiler creates from the same text.
struct FilterCase<Model: PersistentModel>: Sendable, CustomTestStringConvertible {
  let text: String
  let predicate: Predicate<Model>

  init(_ text: String, _ predicate: Predicate<Model>) {
    self.text = text
    self.predicate = predicate
  }

  var testDescription: String { text }
}

/// Trips with different values in every property.
func insertTrips(_ context: ModelContext) {
  let names = [
    "Oslo in autumn", "Bergen", "Café de Flore", "Cafe\u{301} Central", "oslo again", "", "Ski week", "ÅNGSTRÖM", "100%",
    "Grandma's 80th", "Harbour_walk", "x",
  ]
  let cities = ["Oslo", "Bergen", "Roma", "東京", "São Paulo"]
  let kinds = [TripKind.personal, .business, .reunion]
  let day = 86_400.0
  for number in 0..<48 {
    let start = Date(timeIntervalSinceReferenceDate: day * 10 * Double(number - 12))
    let trip = Trip(
      name: "\(names[number % names.count])", destination: cities[number % cities.count], startDate: start,
      endDate: start.addingTimeInterval(day * Double(number % 9)), kind: kinds[number % 3],
      budget: number % 4 == 0 ? nil : Decimal(number * 100) + Decimal(5) / 10,
      address: number % 3 == 1
        ? nil
        : Address(
          street: "Street \(number)", city: cities[(number + 1) % cities.count],
          postalCode: number % 2 == 0 ? nil : "\(number)00", country: number % 5 == 0 ? "Iceland" : "Norway"),
      tags: [[], ["family"], ["family", "ski"], ["Café"], ["work", "far away", "ski"]][number % 5],
      photo: number % 6 == 0 ? Data(repeating: 7, count: number) : nil)
    context.insert(trip)
    for item in 0..<(number % 4) {
      context.insert(
        BucketListItem(
          title: item == 0 ? "Museum" : "Walk \(number)", details: item == 2 ? "bring water" : "",
          isInPlan: (number + item) % 2 == 0, priority: [.someday, .likely, .essential][(number + item) % 3], trip: trip))
    }
    if number % 2 == 1 {
      context.insert(
        LivingAccommodation(
          placeName: number % 3 == 0 ? "Hotel Central" : "Cabin \(number)",
          bookingReference: number % 4 == 1 ? "B\(number)" : nil,
          address: Address(street: "Road \(number)", city: "Oslo", postalCode: nil), isConfirmed: number % 3 == 0,
          pricePerNight: number % 5 == 0 ? nil : Decimal(number) * 3 / 2, trip: number % 7 == 0 ? nil : trip))
    }
  }
  context.insert(BucketListItem(title: "Nowhere yet", priority: .essential))
}
