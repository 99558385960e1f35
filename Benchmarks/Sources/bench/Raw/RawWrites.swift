import Foundation

/// Writes with the C API. The measured time includes creating the objects, which receive keys.
enum RawWrites {
  static func bulk(_ store: RawStore) throws -> Sample {
    try insert(store, saves: 1, of: Workload.tripCount)
  }

  static func batches(_ store: RawStore) throws -> Sample {
    try insert(store, saves: 100, of: 100)
  }

  static func singles(_ store: RawStore) throws -> Sample {
    try insert(store, saves: 1000, of: 1)
  }

  /// Many saves, so that the write-ahead log is reset several times.
  static func steady(_ store: RawStore) throws -> Sample {
    try insert(store, saves: 10_000, of: 1)
  }

  private static func insert(_ store: RawStore, saves: Int, of size: Int) throws -> Sample {
    let values = Workload.trips(saves * size)
    let (trips, time) = try Sample.time {
      var trips: [RawTrip] = []
      trips.reserveCapacity(values.count)
      for start in stride(from: 0, to: values.count, by: size) {
        try store.transaction {
          for value in values[start..<start + size] {
            let trip = RawTrip(value)
            try store.insert(trip)
            trips.append(trip)
          }
        }
      }
      return trips
    }
    return withExtendedLifetime(trips) { Sample(value: time) }
  }

  static func update(_ store: RawStore) throws -> Sample {
    let all = try store.fetchAll()
    let trips = Workload.touched.map { all[$0] }
    let revisions = Workload.revisions()
    let (_, time) = try Sample.time {
      try store.transaction {
        for (trip, revision) in zip(trips, revisions) {
          trip.set(revision)
          try store.update(trip)
        }
      }
    }
    return Sample(value: time)
  }

  static func delete(_ store: RawStore) throws -> Sample {
    let all = try store.fetchAll()
    let trips = Workload.touched.map { all[$0] }
    let (_, time) = try Sample.time {
      try store.transaction {
        for trip in trips {
          store.deleteTrip.bind(1, trip.id)
          try store.deleteTrip.run()
        }
      }
    }
    return Sample(value: time)
  }

  /// Fills a store with the complete workload.
  static func fill(_ store: RawStore) throws {
    let items = Workload.items()
    try store.transaction {
      for (number, value) in Workload.trips().enumerated() {
        let trip = RawTrip(value)
        try store.insert(trip)
        for position in 0..<Workload.itemsPerTrip {
          try store.insert(items[number * Workload.itemsPerTrip + position], trip: trip.id)
        }
      }
    }
  }
}
