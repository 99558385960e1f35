import Foundation
import Trellis

/// Measures relationship maintenance in growing lists and contexts.
enum ScaleRelations {
  typealias Cost = ScaleOperation.Cost

  /// Adds members to a list by setting the inverse.
  static func add(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trip = ScaleData.trip(0)
    context.insert(trip)
    let items = (0..<size).map { ScaleData.item($0, of: nil) }
    let (_, time) = try Sample.time {
      for item in items { item.trip = trip }
      try context.save()
    }
    return Cost(time: time, rows: size)
  }

  static func assign(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trip = ScaleData.trip(0)
    context.insert(trip)
    let items = (0..<size).map { ScaleData.item($0, of: nil) }
    let (_, time) = try Sample.time {
      trip.bucketList = items
      try context.save()
    }
    return Cost(time: time, rows: size)
  }

  /// Appends to the array property, which copies and compares the array each time.
  static func append(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trip = ScaleData.trip(0)
    context.insert(trip)
    trip.bucketList = (0..<size).map { ScaleData.item($0, of: nil) }
    try context.save()
    let items = (0..<100).map { ScaleData.item($0, of: nil) }
    let (_, time) = Sample.time { for item in items { trip.bucketList.append(item) } }
    return Cost(time: time, rows: items.count * size)
  }

  /// Assigns a different trip to each item.
  static func move(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<Trip>())
    let items = try context.fetch(FetchDescriptor<BucketListItem>())
    let (_, time) = try Sample.time {
      for (item, trip) in zip(items, trips.reversed()) { item.trip = trip }
      try context.save()
    }
    return Cost(time: time, rows: size)
  }

  /// Moves a loaded list's members to different trips.
  static func leave(_ container: ModelContainer, _ size: Int) throws -> Cost {
    let context = ModelContext(container)
    let trip = ScaleData.trip(0)
    context.insert(trip)
    trip.bucketList = (0..<size).map { ScaleData.item($0, of: nil) }
    let others = (0..<100).map(ScaleData.trip)
    for other in others { context.insert(other) }
    try context.save()
    let items = trip.bucketList
    let (_, time) = try Sample.time {
      for (number, item) in items.enumerated() { item.trip = others[number % others.count] }
      try context.save()
    }
    return Cost(time: time, rows: size)
  }
}
