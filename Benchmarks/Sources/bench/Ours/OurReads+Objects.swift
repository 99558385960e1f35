import Foundation
import Trellis

/// Measures the memory and release of objects.
extension OurReads {
  static func memory(_ container: ModelContainer) throws -> Sample {
    try withContext(container) { context in
      let (trips, growth) = try Sample.growth { try context.fetch(FetchDescriptor<Trip>()) }
      return Sample(value: growth, checksum: checksum(trips))
    }
  }

  /// Includes releasing the context and the data that it keeps about the objects.
  static func release(_ container: ModelContainer) throws -> Sample {
    let context = Holder { ModelContext(container) }
    let trips = try Holder { try context.read { try $0.fetch(FetchDescriptor<Trip>()) } ?? [] }
    let checksum = trips.read(checksum)
    let (_, time) = Sample.time {
      trips.release()
      context.release()
    }
    return Sample(value: time, checksum: checksum)
  }

  static func properties(_ container: ModelContainer) throws -> Sample {
    try withContext(container) { context in
      let trips = try context.fetch(FetchDescriptor<Trip>())
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
  }
}
