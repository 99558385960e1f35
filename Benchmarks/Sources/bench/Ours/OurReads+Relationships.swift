import Foundation
import Trellis

/// Reads through relationships, and counts.
extension OurReads {
  static func lists(_ container: ModelContainer) throws -> Sample {
    try lists(container, prefetching: [])
  }

  static func prefetchedLists(_ container: ModelContainer) throws -> Sample {
    try lists(container, prefetching: [\.bucketList])
  }

  private static func lists(
    _ container: ModelContainer, prefetching paths: [PartialKeyPath<Trip>]
  ) throws -> Sample {
    try withContext(container) { context in
      let (lists, time) = try Sample.time {
        var descriptor = FetchDescriptor<Trip>()
        descriptor.fetchLimit = 1000
        descriptor.relationshipKeyPathsForPrefetching = paths
        return try context.fetch(descriptor).map(\.bucketList)
      }
      let checksum = lists.checksum { checksum, list in
        checksum.add(list.count)
        for item in list { checksum.add(item.values) }
      }
      return Sample(value: time, checksum: checksum)
    }
  }

  /// Counts the items of each trip on a page with a single query.
  static func countLists(_ container: ModelContainer) throws -> Sample {
    try countPage(container) { context, trips in
      try context.counts(of: \.bucketList, in: trips)
    }
  }

  /// Counts the items of each trip with a query per trip.
  static func countEachList(_ container: ModelContainer) throws -> Sample {
    try countPage(container) { _, trips in try trips.map { try $0.related(\.bucketList).count } }
  }

  private static func countPage(
    _ container: ModelContainer, _ count: (ModelContext, [Trip]) throws -> [Int]
  ) throws -> Sample {
    try withContext(container) { context in
      var page = FetchDescriptor<Trip>()
      page.fetchLimit = 1000
      let trips = try context.fetch(page)
      let (counts, time) = try Sample.time { try count(context, trips) }
      return Sample(value: time, checksum: counts.checksum { $0.add($1) })
    }
  }

  /// Counts the items of each trip with a predicate on items.
  static func countListsByPredicate(_ container: ModelContainer) throws -> Sample {
    let keys = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Trip>()).prefix(1000)
    return try counts(container, of: keys) { context, key in
      try context.fetchCount(
        FetchDescriptor<BucketListItem>(
          predicate: #Predicate { $0.trip?.persistentModelID == key }))
    }
  }

  static func countAll(_ container: ModelContainer) throws -> Sample {
    try counts(container, of: 0..<10) { context, _ in
      try context.fetchCount(FetchDescriptor<BucketListItem>())
    }
  }

  static func countFiltered(_ container: ModelContainer) throws -> Sample {
    try counts(container, of: 0..<10) { context, step in
      let bound = Double(step) * 400
      return try context.fetchCount(
        FetchDescriptor<Trip>(predicate: #Predicate { $0.isFavorite && $0.budget > bound }))
    }
  }

  static func groups(_ container: ModelContainer) throws -> Sample {
    try withContext(container) { context in
      let (groups, time) = try Sample.time {
        try context.groups(
          by: \Trip.destination, computing: .count, .maximum(\.budget), .sum(\.budget))
      }
      return Sample(
        value: time, checksum: RawReads.checksum(groups.map { ($0, $1, $2 ?? 0, $3) }))
    }
  }

  private static func counts<Questions: Collection>(
    _ container: ModelContainer, of questions: Questions,
    _ count: (ModelContext, Questions.Element) throws -> Int
  ) throws -> Sample {
    try withContext(container) { context in
      let (counts, time) = try Sample.time { try questions.map { try count(context, $0) } }
      return Sample(value: time, checksum: counts.checksum { $0.add($1) })
    }
  }
}
