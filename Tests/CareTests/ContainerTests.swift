import Foundation
import SampleTripsGolden
import Synchronization
import Testing
import Trellis

/// The library calls of a container.
@Suite struct ContainerCareTests {
  private let folder: TemporaryFolder
  private let url: URL
  private let container: ModelContainer

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "trips.store")
    container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
    let context = ModelContext(container)
    for number in 0..<20 {
      let trip = Trip(name: "\(number)", destination: "Bergen", startDate: .now, endDate: .now)
      trip.photo = number == 0 ? Data(repeating: 1, count: 200_000) : nil
      context.insert(trip)
    }
    try context.save()
  }

  @Test func aBackupCanBeOpenedLikeTheStore() throws {
    let parts = Mutex<[Double]>([])
    let copies = try container.backup(to: folder.url.appending(path: "copies")) { part in
      parts.withLock { $0.append(part) }
    }
    #expect(copies.map(\.lastPathComponent) == ["trips.store"])
    #expect(parts.withLock { $0 }.last == 1)
    let copy = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: copies[0]))
    let trips = try ModelContext(copy).fetch(FetchDescriptor<Trip>())
    #expect(trips.count == 20)
    #expect(trips.contains { $0.photo?.count == 200_000 })
    #expect(try copy.check().isEmpty)
    // A second backup does not replace the first.
    #expect(throws: SwiftDataError.self) { try container.backup(to: folder.url.appending(path: "copies")) }
    #expect(try ModelContext(copy).fetchCount(FetchDescriptor<Trip>()) == 20)
  }

  @Test func aStoreInMemoryHasNoBackup() throws {
    let memory = try ModelContainer(
      for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let error = #expect(throws: SwiftDataError.self) { try memory.backup(to: folder.url.appending(path: "copies")) }
    #expect(error?.explanation?.contains("only in memory") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("copies")))
    #expect(try memory.check().isEmpty)
  }

  @Test func aCheckFindsEachKindOfProblem() throws {
    let parts = Mutex<[Double]>([])
    #expect(try container.check { part in parts.withLock { $0.append(part) } }.isEmpty)
    #expect(parts.withLock { $0 } == [0.7, 0.9])
    let other = try Connection(url.path, .existing)
    try other.execute("PRAGMA foreign_keys = OFF")
    try other.execute(
      "INSERT INTO BucketListItem (title, details, isInPlan, priority, trip) VALUES ('a', '', 0, 0, 99)")
    try other.execute("DROP INDEX LivingAccommodation_placeName_index")
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path + "-external") {
      try FileManager.default.moveItem(
        atPath: "\(url.path)-external/\(name)",
        toPath: "\(url.path)-external/\(String(repeating: "b", count: 32))-200000")
    }
    let issues = try container.check()
    #expect(issues.map(\.kind) == [.danglingReference, .tableDifference, .missingFile, .orphanedFile])
    #expect(issues[0].description == "'BucketListItem', row 1: no row in 'Trip'")
  }

  @Test func compactingReturnsFreePages() throws {
    let context = ModelContext(container)
    for number in 0..<2_000 { context.insert(BucketListItem(title: String(repeating: "\(number)", count: 100))) }
    try context.save()
    try context.delete(model: BucketListItem.self)
    try context.save()
    let parts = Mutex<[Double]>([])
    try container.compact { part in parts.withLock { $0.append(part) } }
    #expect(parts.withLock { $0 } == [1])
    let connection = try Connection(url.path, .readOnly)
    #expect(try connection.integers("PRAGMA freelist_count") == [0])
    #expect(try (FileManager.default.attributesOfItem(atPath: url.path + "-wal")[.size] as? Int) == 0)
    // The container still works.
    context.insert(BucketListItem(title: "after"))
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 20)
    #expect(try container.check().isEmpty)
  }
}
