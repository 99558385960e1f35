import Foundation
import Trellis

/// Measures saves in growing stores and contexts.
enum ScaleWrites {
  typealias Cost = ScaleOperation.Cost

  /// Measures a small operation that is repeated.
  static func few(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Cost {
    let (_, time) = try Sample.time { for number in 0..<count { try body(number) } }
    return Cost(time: time, rows: count)
  }

  static func insert(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let (_, time) = try Sample.time {
      try ScaleData.batches(size, of: ScaleData.batch) { range in
        for number in range { context.insert(ScaleData.trip(number)) }
        try context.save()
      }
    }
    return Cost(time: time, rows: size)
  }

  static func save(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let (_, time) = try Sample.time {
      for number in 0..<size { context.insert(ScaleData.trip(number)) }
      try context.save()
    }
    return Cost(time: time, rows: size)
  }

  static func update(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<Trip>())
    let (_, time) = try Sample.time {
      for trip in trips { trip.budget += 1 }
      try context.save()
    }
    return Cost(time: time, rows: size)
  }

  /// Deletes trips, which cascades to the items.
  static func delete(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<Trip>())
    let (_, time) = try Sample.time {
      for trip in trips { context.delete(trip) }
      try context.save()
    }
    return Cost(time: time, rows: 2 * size)
  }

  /// Inserts every existing place again.
  static func upsert(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let (_, time) = try Sample.time {
      try ScaleData.batches(size, of: ScaleData.largeBatch) { range in
        for number in range { context.insert(ScaleData.place(number, name: "newer")) }
        try context.save()
      }
    }
    return Cost(time: time, rows: size)
  }

  /// Inserts values with a unique constraint.
  static func unique(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let (_, time) = try Sample.time {
      try ScaleData.batches(size, of: ScaleData.largeBatch) { range in
        for number in range {
          context.insert(Ticket(number: "T\(10_000_000 + number)", seat: number))
        }
        try context.save()
      }
    }
    return Cost(time: time, rows: size)
  }

  static func saveOne(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<Trip>())
    let positions = ScaleData.positions(500, below: size)
    return try few(positions.count) { number in
      trips[positions[number]].budget += 1
      try context.save()
    }
  }

  static func insertOne(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<Trip>())
    return try withExtendedLifetime(trips) {
      try few(500) { number in
        context.insert(ScaleData.trip(number))
        try context.save()
      }
    }
  }

  static func upsertOne(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let positions = ScaleData.positions(500, below: size)
    return try few(positions.count) { number in
      context.insert(ScaleData.place(positions[number], name: "newer"))
      try context.save()
    }
  }

  static func deleteOne(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<Trip>())
    let positions = Set(ScaleData.positions(500, below: size)).sorted()
    return try few(positions.count) { number in
      context.delete(trips[positions[number]])
      try context.save()
    }
  }
}
