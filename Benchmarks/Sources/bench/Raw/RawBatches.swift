import CSQLiteRaw
import Foundation

/// Writes and reads batches of structs with the C API.
enum RawBatches {
  static func insert(_ store: RawStore) throws -> Sample {
    let values = Workload.trips()
    let (_, time) = try Sample.time {
      try store.transaction { for value in values { try store.insert(value) } }
    }
    return Sample(value: time)
  }

  /// Writes arriving values in transactions of 4,096. No transaction is open while waiting for a value, because it
  /// would block concurrent writers.
  static func stream(_ store: RawStore) throws -> Sample {
    let values = Arriving(Workload.trips())
    nonisolated(unsafe) let store = store
    return try Arriving<TripValues>.waiting {
      let start = Sample.now
      var chunk: [TripValues] = []
      chunk.reserveCapacity(4_096)
      for await value in values {
        chunk.append(value)
        if chunk.count == 4_096 { try write(&chunk, to: store) }
      }
      try write(&chunk, to: store)
      return Sample(value: Sample.now - start)
    }
  }

  private static func write(_ chunk: inout [TripValues], to store: RawStore) throws {
    try store.transaction { for value in chunk { try store.insert(value) } }
    chunk.removeAll(keepingCapacity: true)
  }

  static func fetch(_ store: RawStore) throws -> Sample {
    let (trips, time) = try Sample.time {
      try store.transaction {
        var trips: [RawValues] = []
        while try store.allTrips.step() { trips.append(values(store.allTrips)) }
        return trips
      }
    }
    return Sample(value: time, checksum: trips.checksum { $0.add($1.values) })
  }

  static func enumerate(_ store: RawStore) throws -> Sample {
    var checksum = Checksum()
    let (_, time) = try Sample.time {
      try store.transaction {
        while try store.allTrips.step() { checksum.add(values(store.allTrips).values) }
      }
    }
    return Sample(value: time, checksum: checksum.text)
  }

  static func upsert(_ store: RawStore) throws -> Sample {
    let stations = try RawStations(store)
    let values = Workload.stations(Workload.upsertedStations, seed: 8)
    try store.transaction {
      for value in Workload.stations(Workload.knownStations, seed: 7) { try stations.upsert(value) }
    }
    let (_, time) = try Sample.time {
      try store.transaction { for value in values { try stations.upsert(value) } }
    }
    return Sample(value: time, checksum: try stations.checksum())
  }

  static func importMillion(_ store: RawStore) throws -> Sample {
    let (_, peak) = try Sample.peak {
      try store.transaction {
        for value in TripStream(count: Workload.million) { try store.insert(value) }
      }
    }
    return Sample(value: peak)
  }

  static func enumerateMillion(_ store: RawStore) throws -> Sample {
    var checksum = Checksum()
    let (_, peak) = try Sample.peak {
      try store.transaction {
        while try store.allTrips.step() { checksum.add(values(store.allTrips).values) }
      }
    }
    return Sample(value: peak, checksum: checksum.text)
  }

  static func deleteAll(_ store: RawStore) throws -> Sample {
    let (_, peak) = try Sample.peak {
      try store.transaction { try RawStatement(store.connection, "DELETE FROM Trip").run() }
    }
    return Sample(value: peak)
  }

  static func fillMillion(_ store: RawStore) throws {
    try store.transaction {
      for value in TripStream(count: Workload.million) { try store.insert(value) }
    }
  }

  private struct RawValues {
    var id: Int64
    var values: TripValues
  }

  @inline(__always) private static func values(_ row: RawStatement) -> RawValues {
    RawValues(
      id: row.integer(0),
      values: TripValues(
        name: row.text(1), destination: row.text(2), startDate: row.date(3),
        endDate: row.date(4), budget: row.real(5), isFavorite: row.integer(6) != 0,
        notes: row.optionalText(7)))
  }
}

extension RawStore {
  func insert(_ trip: TripValues) throws {
    try insertTrip.bind(trip) { try insertTrip.run() }
  }
}

extension RawStatement {
  /// Binds the values, starting at position 1, and runs the body while the strings are valid.
  @inline(__always)
  func bind(_ trip: TripValues, _ body: () throws -> Void) throws {
    var name = trip.name
    var destination = trip.destination
    bind(3, trip.startDate)
    bind(4, trip.endDate)
    bind(5, trip.budget)
    bind(6, trip.isFavorite ? 1 : 0 as Int64)
    try name.withUTF8 { name in
      bind(1, name)
      try destination.withUTF8 { destination in
        bind(2, destination)
        if var notes = trip.notes {
          try notes.withUTF8 { notes in
            bind(7, notes)
            try body()
          }
        } else {
          bindNull(7)
          try body()
        }
      }
    }
  }
}

/// A table of stations with a unique code.
struct RawStations {
  private let statement, rows: RawStatement

  init(_ store: RawStore) throws {
    let table = """
      CREATE TABLE IF NOT EXISTS Station (
        id INTEGER PRIMARY KEY, code TEXT NOT NULL, name TEXT NOT NULL, height REAL NOT NULL,
        opened REAL NOT NULL, isActive INTEGER NOT NULL, notes TEXT);
      CREATE UNIQUE INDEX IF NOT EXISTS Station_code ON Station(code);
      """
    guard sqlite3_exec(store.connection, table, nil, nil, nil) == SQLITE_OK else {
      throw RawFailure(description: String(cString: sqlite3_errmsg(store.connection)))
    }
    statement = try RawStatement(
      store.connection,
      """
      INSERT INTO Station (code, name, height, opened, isActive, notes) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (code) DO UPDATE SET name = excluded.name, height = excluded.height,
      opened = excluded.opened, isActive = excluded.isActive, notes = excluded.notes
      """)
    rows = try RawStatement(
      store.connection,
      "SELECT code, name, height, opened, isActive, notes FROM Station ORDER BY id")
  }

  func upsert(_ station: StationValues) throws {
    var code = station.code
    var name = station.name
    statement.bind(3, station.height)
    statement.bind(4, station.opened)
    statement.bind(5, station.isActive ? 1 : 0 as Int64)
    try code.withUTF8 { code in
      statement.bind(1, code)
      try name.withUTF8 { name in
        statement.bind(2, name)
        if var notes = station.notes {
          try notes.withUTF8 { notes in
            statement.bind(6, notes)
            try statement.run()
          }
        } else {
          statement.bindNull(6)
          try statement.run()
        }
      }
    }
  }

  func checksum() throws -> String {
    var checksum = Checksum()
    while try rows.step() {
      checksum.add(
        StationValues(
          code: rows.text(0), name: rows.text(1), height: rows.real(2), opened: rows.date(3),
          isActive: rows.integer(4) != 0, notes: rows.optionalText(5)))
    }
    return checksum.text
  }
}
