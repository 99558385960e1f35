import Foundation
import SampleTripsGolden
import StoreStudio
import Testing
import Trellis

/// A store with trips in a temporary folder, and the studio's answers about it.
final class TripStore {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
  let url: URL
  var api: StudioAPI
  private var container: ModelContainer?

  /// - Parameters:
  ///   - trips: The number of trips. Each has two items and an accommodation.
  ///   - referenced: The number of accommodations with a booking reference.
  init(trips: Int, referenced: Int = 0) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "trips.store")
    let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
    self.container = container
    let context = ModelContext(container)
    context.author = "writer"
    for number in 0..<trips {
      let start = Date(timeIntervalSinceReferenceDate: Double(number + 1))
      let trip = Trip(
        name: "Trip \(number)", destination: "Bergen", startDate: start, endDate: start + 86_400,
        kind: number % 2 == 0 ? .business : .personal)
      context.insert(trip)
      trip.bucketList = ["a", "b"].map { BucketListItem(title: "Item \(number)\($0)") }
      trip.livingAccommodation = LivingAccommodation(
        placeName: "Place \(number)", bookingReference: number < referenced ? String(format: "R%03d", number) : nil,
        address: Address(street: "Street \(number)", city: "Bergen"))
    }
    try context.save()
    api = StudioAPI(try StudioStore(url))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func response(_ name: String, _ query: [String: String] = [:]) -> HTTPResponse { api.response(name, query) }

  func object(_ name: String, _ query: [String: String] = [:], status: Int = 200) throws -> [String: Any] {
    try api.object(name, query, status: status)
  }

  /// Changes the first trip in a context with another author.
  func change(_ body: (Trip) -> Void) throws {
    let context = ModelContext(try #require(container))
    context.author = "changer"
    body(try #require(try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])).first))
    try context.save()
  }

  /// Deletes all trips.
  func delete() throws {
    let context = ModelContext(try #require(container))
    context.author = "deleter"
    for trip in try context.fetch(FetchDescriptor<Trip>()) { context.delete(trip) }
    try context.save()
  }

  /// Writes a backup in the folder of a store.
  func backup(in store: TripStore) throws -> URL {
    let copies = store.folder.appending(path: "copies")
    try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
    return try #require(try container?.backup(to: copies).first)
  }

  /// Replaces the file by a copy of another store, as a restored backup does.
  func replace(by other: TripStore) throws {
    let copy = try other.backup(in: self)
    container = nil
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    #expect(rename(copy.path, url.path) == 0)
  }
}

extension StudioAPI {
  func response(_ name: String, _ query: [String: String] = [:]) -> HTTPResponse {
    var parameters = HTTPQuery()
    for (name, value) in query { parameters.append(name, value) }
    return response(to: HTTPRequest(path: ["token", "api", name], query: parameters))
  }

  func object(_ name: String, _ query: [String: String] = [:], status: Int = 200) throws -> [String: Any] {
    let response = response(name, query)
    #expect(response.status == status, "\(String(decoding: response.body, as: UTF8.self))")
    return try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
  }
}
