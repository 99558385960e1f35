import Foundation

import CPostgresRaw
import Trellis
import TrellisPostgres

/// A store on a server, and a libpq connection to tables with the same columns.
final class PostgresWork {
  private let server: RawServer
  private let container: ModelContainer
  private lazy var values = Workload.trips()
  private let keys: [Int64]
  /// The key of the last trip that is kept.
  private let lastKey: Int64
  private let identifiers: [PersistentIdentifier]
  private static let columns =
    "\"id\", \"name\", \"destination\", \"startDate\", \"endDate\", \"budget\", \"isFavorite\", \"notes\""

  private static let schema = "bench"

  private static func open(_ url: String) throws -> ModelContainer {
    var configuration = PostgresConfiguration(url: url)
    configuration.schemaName = schema
    return try ModelContainer(for: Trip.self, configurations: configuration)
  }

  /// Creates both sides' tables. The tables for reading contain 100,000 trips with three items each.
  static func build(_ url: String) throws {
    let context = ModelContext(try open(url))
    for (number, values) in Workload.trips().enumerated() {
      let trip = Trip(values)
      context.insert(trip)
      for item in 0..<3 { BucketListItem(title: "item \(item) of \(number)").trip = trip }
    }
    try context.save()
    let server = try RawServer(url)
    try server.run("SET search_path TO \"\(schema)\"")
    try server.run("CREATE TABLE raw (LIKE \"Trip\" INCLUDING ALL)")
    try server.run("CREATE TABLE raw_history (LIKE trellis_history INCLUDING ALL)")
    try server.run("VACUUM ANALYZE")
  }

  /// Opens both sides' tables.
  init(_ url: String) throws {
    let server = try RawServer(url)
    try server.run("SET search_path TO \"\(Self.schema)\"")
    try server.run("TRUNCATE raw")
    container = try Self.open(url)
    try server.prepare("begin", "BEGIN ISOLATION LEVEL REPEATABLE READ")
    try server.prepare("commit", "COMMIT")
    try server.prepare("insert", "INSERT INTO raw (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
    try server.prepare(
      "history",
      """
      INSERT INTO raw_history ("save", "time", "bundle", "process", "changes")
      VALUES (gen_random_uuid(), $1, 'bench', '1', '\\x0102030405060708090a0b0c') RETURNING "id"
      """)
    self.server = server
    var keys: [Int64] = []
    try server.run("SELECT \"id\" FROM \"Trip\" ORDER BY 1 LIMIT \(Workload.tripCount)") { keys.append($0.key($1, 0)) }
    lastKey = keys.last ?? 0
    var random = Random(seed: 4)
    let chosen = Array(keys.indices.shuffled(using: &random).prefix(5_000))
    self.keys = chosen.map { keys[$0] }
    let all = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Trip>())
    identifiers = chosen.map { all[$0] }
  }

  // MARK: insertions

  private var nextKey: Int64 = 1

  func rawInsert() throws -> Double {
    try server.run("TRUNCATE raw")
    return try Sample.time {
      try server.run("BEGIN")
      try server.copy("COPY raw (\(Self.columns)) FROM STDIN (FORMAT binary)") { bytes, flush in
        for trip in values {
          bytes.add(Int16(8))
          bytes.add(Int32(8))
          bytes.add(nextKey)
          nextKey += 1
          bytes.addField(trip.name)
          bytes.addField(trip.destination)
          for number in [
            trip.startDate.timeIntervalSinceReferenceDate, trip.endDate.timeIntervalSinceReferenceDate, trip.budget,
          ] {
            bytes.add(Int32(8))
            bytes.add(number.bitPattern)
          }
          bytes.add(Int32(1))
          bytes.append(trip.isFavorite ? 1 : 0)
          bytes.addField(trip.notes)
          flush(&bytes)
        }
      }
      try server.run("COMMIT")
    }.value
  }

  func insert() throws -> Double {
    let snapshots = values.map(Trip.Snapshot.init)
    let context = ModelContext(container)
    let time = try Sample.time { try context.insert(contentsOf: snapshots) }.value
    try clear()
    return time
  }

  func insertModels() throws -> Double {
    let context = ModelContext(container)
    let time = try Sample.time {
      for values in values { context.insert(Trip(values)) }
      try context.save()
    }.value
    try clear()
    return time
  }

  /// Deletes the new rows, so that each round begins with the same table.
  private func clear() throws {
    try server.run("DELETE FROM \"Trip\" WHERE \"id\" > \(lastKey)")
    try server.run("VACUUM \"Trip\"")
  }

  func rawSaves() throws -> Double {
    try Sample.time {
      for trip in values.prefix(200) {
        var parameters = RawServer.Parameters()
        parameters.add(nextKey)
        nextKey += 1
        parameters.add(trip.name)
        parameters.add(trip.destination)
        parameters.add(trip.startDate.timeIntervalSinceReferenceDate)
        parameters.add(trip.endDate.timeIntervalSinceReferenceDate)
        parameters.add(trip.budget)
        parameters.add(trip.isFavorite)
        parameters.add(trip.notes)
        var history = RawServer.Parameters()
        history.add(Date.timeIntervalSinceReferenceDate)
        try server.pipeline([
          ("begin", RawServer.Parameters()), ("insert", parameters), ("history", history),
          ("commit", RawServer.Parameters()),
        ])
      }
    }.value
  }

  func saves() throws -> Double {
    let context = ModelContext(container)
    return try Sample.time {
      for values in values.prefix(200) {
        context.insert(Trip(values))
        try context.save()
      }
    }.value
  }

  // MARK: reading

  private func trip(_ result: RawResult, _ row: Int32) -> RawTrip {
    RawTrip(
      id: result.key(row, 0), name: result.text(row, 1) ?? "", destination: result.text(row, 2) ?? "",
      startDate: Date(timeIntervalSinceReferenceDate: result.number(row, 3)),
      endDate: Date(timeIntervalSinceReferenceDate: result.number(row, 4)), budget: result.number(row, 5),
      isFavorite: result.flag(row, 6), notes: result.text(row, 7))
  }

  private func rawTrips(_ rest: String, _ keys: [Int64]? = nil) throws -> [RawTrip] {
    var trips: [RawTrip] = []
    var parameters = RawServer.Parameters()
    if let keys { parameters.add(keys) }
    try server.run("SELECT \(Self.columns) FROM \"Trip\" \(rest)", parameters) { trips.append(trip($0, $1)) }
    return trips
  }

  /// Measures the time for a closure, and releases the result afterwards.
  private func time(_ body: () throws -> some Collection) throws -> Double {
    let (result, time) = try Sample.time(body)
    guard !result.isEmpty else { throw RawFailure(description: "nothing was found") }
    return time
  }

  func rawFetch() throws -> Double { try time { try rawTrips("WHERE \"id\" <= \(lastKey) ORDER BY \"id\"") } }

  func fetch() throws -> Double {
    let context = ModelContext(container)
    return try time { try context.fetch(FetchDescriptor<Trip>()) }
  }

  func rawKeys() throws -> Double { try time { try rawTrips("WHERE \"id\" = ANY ($1)", keys) } }

  func fetchByKey() throws -> Double {
    let context = ModelContext(container)
    let wanted = identifiers
    return try time {
      try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { wanted.contains($0.persistentModelID) }))
    }
  }

  func rawLists() throws -> Double {
    try time {
      let trips = try rawTrips("ORDER BY \"id\" LIMIT 1000")
      var lists: [Int64: [RawItem]] = [:]
      var parameters = RawServer.Parameters()
      parameters.add(trips.map(\.id))
      try server.run(
        "SELECT \"id\", \"title\", \"isInPlan\", \"trip\" FROM \"BucketListItem\" WHERE \"trip\" = ANY ($1) ORDER BY 1",
        parameters
      ) { result, row in
        let item = RawItem(
          id: result.key(row, 0), title: result.text(row, 1) ?? "", isInPlan: result.flag(row, 2),
          trip: result.key(row, 3))
        lists[item.trip, default: []].append(item)
      }
      return trips.map { lists[$0.id] ?? [] }
    }
  }

  func lists() throws -> Double {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Trip>()
    descriptor.fetchLimit = 1_000
    descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
    return try time { try context.fetch(descriptor).map(\.bucketList) }
  }

  // MARK: memory

  func rawMemory() throws -> Double {
    malloc_trim(0)
    let (trips, growth) = try Sample.growth { try rawTrips("WHERE \"id\" <= \(lastKey)") }
    return withExtendedLifetime(trips) { growth }
  }

  func memory() throws -> Double {
    malloc_trim(0)
    let context = ModelContext(container)
    let (trips, growth) = try Sample.growth { try context.fetch(FetchDescriptor<Trip>()) }
    return withExtendedLifetime(trips) { growth }
  }

  func enumerateMemory() throws -> Double {
    let context = ModelContext(container)
    var count = 0
    let (_, peak) = try Sample.peak { try context.enumerate(FetchDescriptor<Trip>()) { _ in count += 1 } }
    guard count >= Workload.tripCount else { throw RawFailure(description: "\(count) trips were found") }
    return peak
  }
}
