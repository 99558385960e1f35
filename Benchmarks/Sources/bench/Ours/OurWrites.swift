import Foundation
import Trellis

/// Writes through a context: models are created, inserted or changed, and saved.
enum OurWrites {
  static func bulk(_ container: ModelContainer) throws -> Sample {
    try insert(container, saves: 1, of: Workload.tripCount)
  }

  static func batches(_ container: ModelContainer) throws -> Sample {
    try insert(container, saves: 100, of: 100)
  }

  static func singles(_ container: ModelContainer) throws -> Sample {
    try insert(container, saves: 1000, of: 1)
  }

  /// Many saves, so that the write-ahead log is reset several times.
  static func steady(_ container: ModelContainer) throws -> Sample {
    try insert(container, saves: 10_000, of: 1)
  }

  private static func insert(
    _ container: ModelContainer, saves: Int, of size: Int
  ) throws -> Sample {
    let values = Workload.trips(saves * size)
    let context = ModelContext(container)
    let (trips, time) = try Sample.time {
      var trips: [Trip] = []
      trips.reserveCapacity(values.count)
      for start in stride(from: 0, to: values.count, by: size) {
        for value in values[start..<start + size] {
          let trip = Trip(value)
          context.insert(trip)
          trips.append(trip)
        }
        try context.save()
      }
      return trips
    }
    return withExtendedLifetime((trips, context)) { Sample(value: time) }
  }

  static func update(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    let all = try context.fetch(FetchDescriptor<Trip>())
    let trips = Workload.touched.map { all[$0] }
    let revisions = Workload.revisions()
    let (_, time) = try Sample.time {
      for (trip, revision) in zip(trips, revisions) { trip.set(revision) }
      try context.save()
    }
    return Sample(value: time)
  }

  static func delete(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    let all = try context.fetch(FetchDescriptor<Trip>())
    let trips = Workload.touched.map { all[$0] }
    let (_, time) = try Sample.time {
      for trip in trips { context.delete(trip) }
      try context.save()
    }
    return Sample(value: time)
  }

  /// Fills a store with the complete workload.
  static func fill(_ container: ModelContainer, isIndexed: Bool) throws {
    let context = ModelContext(container)
    let items = Workload.items()
    for (number, value) in Workload.trips().enumerated() {
      if isIndexed {
        context.insert(IndexedTrip(value))
        continue
      }
      let trip = Trip(value)
      context.insert(trip)
      for position in 0..<Workload.itemsPerTrip {
        let item = items[number * Workload.itemsPerTrip + position]
        context.insert(BucketListItem(title: item.title, isInPlan: item.isInPlan, trip: trip))
      }
    }
    try context.save()
  }
}
