import Foundation
import Trellis

/// Fetches models, each time in a new context.
enum OurReads {
  /// Runs the body with a new context that is retained until the checksum is computed.
  static func withContext(
    _ container: ModelContainer, _ body: (ModelContext) throws -> Sample
  ) rethrows -> Sample {
    let context = ModelContext(container)
    return try withExtendedLifetime(context) { try body(context) }
  }

  static func fetchAll(_ container: ModelContainer) throws -> Sample {
    try withContext(container, fetchAll)
  }

  static func refetch(_ container: ModelContainer) throws -> Sample {
    try withContext(container) { context in
      let known = try context.fetch(FetchDescriptor<Trip>())
      return try withExtendedLifetime(known) { try fetchAll(context) }
    }
  }

  private static func fetchAll(_ context: ModelContext) throws -> Sample {
    let (trips, time) = try Sample.time { try context.fetch(FetchDescriptor<Trip>()) }
    return Sample(value: time, checksum: checksum(trips))
  }

  static func filtered(_ container: ModelContainer) throws -> Sample {
    try withContext(container) { context in
      let (trips, time) = try Sample.time {
        try Workload.queried.map { destination in
          var descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.destination == destination },
            sortBy: [SortDescriptor(\.startDate)])
          descriptor.fetchLimit = 1000
          return try context.fetch(descriptor)
        }
      }
      return Sample(value: time, checksum: checksum(Array(trips.joined())))
    }
  }

  static func filteredIndexed(_ container: ModelContainer) throws -> Sample {
    try withContext(container) { context in
      let (trips, time) = try Sample.time {
        try Workload.queried.map { destination in
          var descriptor = FetchDescriptor<IndexedTrip>(
            predicate: #Predicate { $0.destination == destination },
            sortBy: [SortDescriptor(\.startDate)])
          descriptor.fetchLimit = 1000
          return try context.fetch(descriptor)
        }
      }
      let values = trips.joined().map(\.values)
      return Sample(value: time, checksum: values.checksum { $0.add($1) })
    }
  }

  static func byPairs(_ container: ModelContainer) throws -> Sample {
    let pairs = Workload.pairs(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.values))
    return try withContext(container) { context in
      let (trips, time) = try Sample.time {
        try context.fetch(
          FetchDescriptor<Trip>(
            predicate: #Predicate { trip in
              pairs.contains { $0.name == trip.name && $0.destination == trip.destination }
            }))
      }
      return Sample(value: time, checksum: checksum(trips))
    }
  }

  static func byKey(_ container: ModelContainer) throws -> Sample {
    let keys = try touchedKeys(container)
    return try withContext(container) { context in
      let (trips, time) = try Sample.time {
        try keys.map { key in
          try context.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == key }))[0]
        }
      }
      return Sample(value: time, checksum: checksum(trips))
    }
  }

  static func modelByKey(_ container: ModelContainer) throws -> Sample {
    let keys = try touchedKeys(container)
    return withContext(container) { models(keys, in: $0) }
  }

  static func registeredByKey(_ container: ModelContainer) throws -> Sample {
    try withContext(container) { context in
      let trips = try context.fetch(FetchDescriptor<Trip>())
      let keys = Workload.wanted.map { trips[$0].persistentModelID }
      return withExtendedLifetime(trips) { models(keys, in: context) }
    }
  }

  private static func models(_ keys: [PersistentIdentifier], in context: ModelContext) -> Sample {
    let (models, time) = Sample.time { keys.map { context.model(for: $0) } }
    return Sample(value: time, checksum: checksum(models.compactMap { $0 as? Trip }))
  }

  private static func touchedKeys(_ container: ModelContainer) throws -> [PersistentIdentifier] {
    let keys = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Trip>())
    return Workload.wanted.map { keys[$0] }
  }

  static func checksum(_ trips: [Trip]) -> String { trips.checksum { $0.add($1.values) } }
}
