import AppleStore
import AppleStoreFiles
import Foundation
import SchemaDiagnostics
import SchemaImport
import StoreTransfer
import TestSupport
import Testing
import Trellis

@Suite struct AppleStoreImportTests {
  /// The imported store is opened with the models that are generated from the imported schema.
  @Test func everyStructureIsImported() throws {
    let store = try VoyageStore.store()
    let before = try store.contents()
    let imported = try store.imported()
    #expect(try store.contents() == before, "the source changed")
    #expect(imported.schema == (try Repository.text("Tests/TransferTests/Apple/Voyages.schema")))
    #expect(imported.copy.isComplete)
    #expect(imported.copy.rejectedCount == 0)
    #expect(try SQLiteShell(imported.store).complaints() == "")

    let container = try ModelContainer(
      for: AppleVoyage.self, AppleVehicle.self, AppleBoat.self, AppleCar.self, AppleSailor.self, AppleLabel.self,
      AppleStop.self, configurations: ModelConfiguration(url: imported.store))
    let context = ModelContext(container)
    let voyages = try context.fetch(FetchDescriptor<AppleVoyage>(sortBy: [SortDescriptor(\.title)]))
    #expect(voyages.map(\.title) == ["North", "South"])
    let (north, south) = (voyages[0], voyages[1])
    #expect(north.start == Date(timeIntervalSinceReferenceDate: 5))
    #expect(north.budget == Decimal(string: "3.3333333333"))
    #expect(south.budget == 7)
    #expect(north.key.uuidString == "00112233-4455-6677-8899-AABBCCDDEEFF")
    #expect(north.link == URL(string: "https://example.org/a"))
    #expect(north.isDone && !south.isDone)
    #expect(north.ratio == 0.1)
    #expect(north.photo == Data([9, 8]))
    #expect(south.photo == Data(VoyageStore.large))
    #expect(north.goal.city == "Oslo" && north.goal.height == 12.5)
    #expect(north.origin?.city == "Bergen" && north.origin?.height == nil)
    #expect(south.goal.city == "Cairo" && south.origin == nil)
    #expect(north.tags == ["ice", "snow"])
    #expect(south.tags == ["sea", "\"wind\""])
    #expect(north.colour == Data("bplist".utf8))
    #expect(north.crew.map(\.name) == ["First", "Second", "Third"])
    #expect(north.labels.map(\.text) == ["long", "cold"])
    #expect(south.labels.map(\.text) == ["long"])
    #expect(north.stops.map(\.place) == ["Hammerfest"])
    #expect((north.vehicle as? AppleBoat)?.code == "F-1")
    #expect(south.vehicle == nil)
    let vehicles = try context.fetch(FetchDescriptor<AppleVehicle>(sortBy: [SortDescriptor(\.name)]))
    #expect(vehicles.map { "\(type(of: $0)) \($0.name)" } == ["AppleBoat Fram", "AppleCar Saab", "AppleVehicle Sled"])
    #expect((vehicles[1] as? AppleCar)?.code == 42)
    #expect((vehicles[1] as? AppleCar)?.doors == 5)
    let labels = try context.fetch(FetchDescriptor<AppleLabel>(sortBy: [SortDescriptor(\.text)]))
    #expect(labels.map { $0.related.map(\.text) } == [["long"], ["cold"], []])
    #expect(try context.fetchCount(FetchDescriptor<AppleSailor>(predicate: #Predicate { $0.voyage == nil })) == 1)

    // The store continues as any other.
    let stop = AppleStop(place: "Bodø")
    context.insert(stop)
    north.stops.append(stop)
    south.photo = nil
    try context.save()
    #expect(try imported.rows("SELECT id FROM AppleStop") == ["1", "2", "3"])
  }

  @Test func theReportCountsEverything() throws {
    let store = try VoyageStore.store()
    let imported = try store.imported()
    #expect(
      imported.report.lines == [
        "AppleBoat: 1 row in ZAPPLEVEHICLE, 1 of 1 properties", "AppleCar: 1 row in ZAPPLEVEHICLE, 2 of 2 properties",
        "AppleLabel: 3 rows in ZAPPLELABEL, 3 of 3 properties",
        "AppleSailor: 4 rows in ZAPPLESAILOR, 2 of 2 properties", "AppleStop: 2 rows in ZAPPLESTOP, 1 of 1 properties",
        "AppleVehicle: 1 row in ZAPPLEVEHICLE, 2 of 2 properties",
        "AppleVoyage: 2 rows in ZAPPLEVOYAGE, 16 of 16 properties",
        "the order of equal column names is assumed: 'AppleVoyage.goal.city' in ZCITY, 'AppleVoyage.origin.city' in "
          + "ZCITY1",
        "the order of equal column names is assumed: 'AppleVoyage.goal.height' in ZHEIGHT, "
          + "'AppleVoyage.origin.height' in ZHEIGHT1",
        "not copied: 1 row of 'ATRANSACTION' (history or synchronization data)",
      ])
    #expect(
      imported.copy.tables.map { "\($0.origin) \($0.entity) \($0.found) \($0.written)" }.sorted() == [
        "ZAPPLELABEL AppleLabel 3 3", "ZAPPLESAILOR AppleSailor 4 4", "ZAPPLESTOP AppleStop 2 2",
        "ZAPPLESTOP AppleVoyage.stops 1 1", "ZAPPLEVEHICLE (AppleBoat) AppleBoat 1 1",
        "ZAPPLEVEHICLE (AppleCar) AppleCar 1 1", "ZAPPLEVEHICLE (AppleVehicle) AppleVehicle 1 1",
        "ZAPPLEVOYAGE AppleVoyage 2 2", "Z_1RELATED AppleLabel.related 2 2", "Z_1VOYAGES AppleLabel.voyages 3 3",
      ])
    let decimals = imported.notes.filter { $0.topic == "decimal" }.map(\.message)
    #expect(
      decimals == ["'AppleVoyage.budget' is a decimal that the store keeps as a double: only about 15 digits are exact"]
    )
    #expect(imported.notes.contains { $0.message.contains("'NSColor', which are kept as data") })
  }

  /// Rows that are only in the write-ahead log are imported, and the source remains as it is.
  @Test func rowsInTheLogAreImported() throws {
    let store = try VoyageStore.store(isOpen: true)
    let before = try store.contents().filter { !$0.key.hasSuffix("-shm") }
    #expect(before["Voyages.store"]?.count ?? .max < 10_000)
    let imported = try store.imported()
    #expect(try store.contents().filter { !$0.key.hasSuffix("-shm") } == before)
    #expect(try imported.rows("SELECT title FROM AppleVoyage ORDER BY id") == ["North", "South"])
  }

  /// A large value is in a file, as in a store that an app wrote.
  @Test func largeValuesAreFiles() throws {
    let store = try VoyageStore.store()
    let imported = try store.imported()
    let names = try imported.rows("SELECT photo FROM AppleVoyage WHERE id = 11")
    let name = try #require(names.first)
    #expect(name.hasSuffix("-200000"))
    let folder = imported.store.path + "-external"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)) == Data(VoyageStore.large))
  }
}
