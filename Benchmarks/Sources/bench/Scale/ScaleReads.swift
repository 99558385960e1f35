import Foundation
import Trellis

/// Measures fetches in growing stores and contexts.
enum ScaleReads {
  typealias Cost = ScaleOperation.Cost

  private static let lookups = 2_000

  static func fetch(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    return try fetch(context, size)
  }

  static func refetch(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let known = try context.fetch(FetchDescriptor<Trip>())
    return try withExtendedLifetime(known) { try fetch(context, size) }
  }

  private static func fetch(_ context: ModelContext, _ size: Int) throws -> Cost {
    let (trips, time) = try Sample.time { try context.fetch(FetchDescriptor<Trip>()) }
    try expect(trips.count, size)
    return Cost(time: time, rows: size)
  }

  static func enumerate(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    var count = 0
    let (_, time) = try Sample.time {
      try context.enumerate(FetchDescriptor<Trip>()) { _ in count += 1 }
    }
    try expect(count, size)
    return Cost(time: time, rows: size)
  }

  static func byKey(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let keys = try keys(container, size)
    let context = ModelContext(container)
    return try ScaleWrites.few(keys.count) { number in
      let key = keys[number]
      let found = try context.fetch(
        FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == key }))
      try expect(found.count, 1)
    }
  }

  static func model(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let keys = try keys(container, size)
    let context = ModelContext(container)
    return ScaleWrites.few(keys.count) { _ = context.model(for: keys[$0]) }
  }

  static func registered(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let keys = try keys(container, size)
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<Trip>())
    return withExtendedLifetime(trips) {
      ScaleWrites.few(keys.count) { _ = context.model(for: keys[$0]) }
    }
  }

  static func byCode(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let codes = ScaleData.positions(lookups, below: size)
    let context = ModelContext(container)
    return try ScaleWrites.few(codes.count) { number in
      let code = codes[number]
      let found = try context.fetch(FetchDescriptor<Place>(predicate: #Predicate { $0.code == code }))
      try expect(found.count, 1)
    }
  }

  static func indexed(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let regions = ScaleData.positions(500, below: size / 100)
    let context = ModelContext(container)
    return try ScaleWrites.few(regions.count) { number in
      let region = regions[number]
      var descriptor = FetchDescriptor<Place>(
        predicate: #Predicate { $0.region == region }, sortBy: [SortDescriptor(\.opened)])
      descriptor.fetchLimit = 20
      try expect(try context.fetch(descriptor).count, 20)
    }
  }

  private static func keys(
    _ container: ModelContainer, _ size: Int
  ) throws -> [PersistentIdentifier] {
    let all = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Trip>())
    return ScaleData.positions(lookups, below: size).map { all[$0] }
  }

  private static func expect(_ count: Int, _ expected: Int) throws {
    guard count == expected else {
      throw RawFailure(description: "\(count) were found instead of \(expected)")
    }
  }
}
