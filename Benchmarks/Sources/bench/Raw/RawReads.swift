import Foundation

/// Reads with the C API, each in a single read transaction.
enum RawReads {
  static func fetchAll(_ store: RawStore) throws -> Sample {
    let (trips, time) = try Sample.time { try store.fetchAll() }
    return Sample(value: time, checksum: checksum(trips))
  }

  static func refetch(_ store: RawStore) throws -> Sample {
    let known = try store.fetchAll()
    return try withExtendedLifetime(known) { try fetchAll(store) }
  }

  static func filtered(_ store: RawStore) throws -> Sample {
    let (trips, time) = try Sample.time {
      try store.transaction {
        try Workload.queried.map { destination in
          store.tripsByDestination.bindCopy(1, destination)
          return try store.trips(store.tripsByDestination)
        }
      }
    }
    return Sample(value: time, checksum: checksum(Array(trips.joined())))
  }

  static func byPairs(_ store: RawStore) throws -> Sample {
    let pairs = Workload.pairs(try store.fetchAll().map(\.values))
    let (trips, time) = try Sample.time {
      let list = try JSONEncoder().encode(pairs.map { [$0.name, $0.destination] })
      return try store.transaction {
        store.tripsByPairs.bindCopy(1, String(decoding: list, as: UTF8.self))
        return try store.trips(store.tripsByPairs)
      }
    }
    return Sample(value: time, checksum: checksum(trips))
  }

  static func byKey(_ store: RawStore) throws -> Sample {
    let keys = try store.fetchAll().map(\.id)
    let wanted = Workload.wanted.map { keys[$0] }
    let (trips, time) = try Sample.time {
      try store.transaction {
        try wanted.map { key in
          store.tripByKey.bind(1, key)
          return try store.trips(store.tripByKey)[0]
        }
      }
    }
    return Sample(value: time, checksum: checksum(trips))
  }

  static func lists(_ store: RawStore) throws -> Sample {
    let (lists, time) = try Sample.time {
      try store.transaction {
        store.firstTrips.bind(1, 1000 as Int64)
        return try store.trips(store.firstTrips).map { trip in
          store.itemsOfTrip.bind(1, trip.id)
          return try store.items(store.itemsOfTrip)
        }
      }
    }
    return Sample(value: time, checksum: checksum(lists))
  }

  static func prefetchedLists(_ store: RawStore) throws -> Sample {
    let (lists, time) = try Sample.time {
      try store.transaction {
        store.firstTrips.bind(1, 1000 as Int64)
        let trips = try store.trips(store.firstTrips)
        store.itemsOfFirstTrips.bind(1, 1000 as Int64)
        let items = try store.items(store.itemsOfFirstTrips)
        var next = 0
        return trips.map { trip in
          let start = next
          while next < items.count, items[next].trip == trip.id { next += 1 }
          return Array(items[start..<next])
        }
      }
    }
    return Sample(value: time, checksum: checksum(lists))
  }

  static func countLists(_ store: RawStore) throws -> Sample {
    let keys = try store.fetchAll().prefix(1000).map(\.id)
    let (counts, time) = try Sample.time {
      try store.transaction {
        try keys.map { key in
          store.countItemsOfTrip.bind(1, key)
          return try count(store.countItemsOfTrip)
        }
      }
    }
    return Sample(value: time, checksum: counts.checksum { $0.add($1) })
  }

  static func countAll(_ store: RawStore) throws -> Sample {
    let (counts, time) = try Sample.time {
      try (0..<10).map { _ in try store.transaction { try count(store.countItems) } }
    }
    return Sample(value: time, checksum: counts.checksum { $0.add($1) })
  }

  static func groups(_ store: RawStore) throws -> Sample {
    let (groups, time) = try Sample.time {
      try store.transaction {
        var groups: [(String, Int, Double, Double)] = []
        let statement = store.groupTrips
        while try statement.step() {
          groups.append(
            (
              statement.text(0), Int(statement.integer(1)), statement.real(2), statement.real(3)
            ))
        }
        return groups
      }
    }
    return Sample(value: time, checksum: checksum(groups))
  }

  /// The checksum, excluding the least significant bits of sums, which depend on row order.
  static func checksum(_ groups: [(String, Int, Double, Double)]) -> String {
    groups.checksum { checksum, group in
      checksum.add(group.0)
      checksum.add(group.1)
      checksum.add(group.2.bitPattern)
      checksum.add(Int(group.3.rounded()))
    }
  }

  static func countFiltered(_ store: RawStore) throws -> Sample {
    let (counts, time) = try Sample.time {
      try (0..<10).map { step in
        store.countFavorites.bind(1, Double(step) * 400)
        return try store.transaction { try count(store.countFavorites) }
      }
    }
    return Sample(value: time, checksum: counts.checksum { $0.add($1) })
  }

  static func memory(_ store: RawStore) throws -> Sample {
    let (trips, growth) = try Sample.growth { try store.fetchAll() }
    return Sample(value: growth, checksum: checksum(trips))
  }

  static func release(_ store: RawStore) throws -> Sample {
    let trips = try Holder { try store.fetchAll() }
    let checksum = trips.read(checksum)
    let (_, time) = Sample.time { trips.release() }
    return Sample(value: time, checksum: checksum)
  }

  static func properties(_ store: RawStore) throws -> Sample {
    let trips = try store.fetchAll()
    let (digest, time) = Sample.time {
      var digest = 0
      for trip in trips {
        digest &+= trip.name.utf8.count &+ trip.destination.utf8.count
        digest &+= Int(trip.startDate.timeIntervalSinceReferenceDate)
        digest &+= Int(trip.endDate.timeIntervalSinceReferenceDate)
        digest &+= Int(trip.budget) &+ (trip.isFavorite ? 1 : 0)
        digest &+= trip.notes?.utf8.count ?? 0
      }
      return digest
    }
    return Sample(value: time, checksum: String(digest))
  }

  private static func count(_ statement: RawStatement) throws -> Int {
    var count = 0
    while try statement.step() { count = Int(statement.integer(0)) }
    return count
  }

  private static func checksum(_ trips: [RawTrip]) -> String {
    trips.checksum { $0.add($1.values) }
  }

  private static func checksum(_ lists: [[RawItem]]) -> String {
    lists.checksum { checksum, list in
      checksum.add(list.count)
      for item in list { checksum.add(item.values) }
    }
  }
}
