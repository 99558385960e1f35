import Foundation
import Trellis

/// Snapshot batches, which create no model objects.
enum OurBatches {
  static func insert(_ container: ModelContainer) throws -> Sample {
    let snapshots = Workload.trips().map(Trip.Snapshot.init)
    let context = ModelContext(container)
    let (_, time) = try Sample.time { try context.insert(contentsOf: snapshots) }
    return Sample(value: time)
  }

  static func stream(_ container: ModelContainer) throws -> Sample {
    let snapshots = Arriving(Workload.trips().map(Trip.Snapshot.init))
    return try Arriving<Trip.Snapshot>.waiting {
      let context = ModelContext(container)
      let start = Sample.now
      try await context.insert(contentsOf: snapshots)
      return Sample(value: Sample.now - start)
    }
  }

  static func fetch(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    let (trips, time) = try Sample.time { try context.fetchSnapshots(as: Trip.Snapshot.self) }
    return Sample(value: time, checksum: trips.checksum { $0.add($1) })
  }

  static func enumerate(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    var checksum = Checksum()
    let (_, time) = try Sample.time {
      try context.enumerateSnapshots(as: Trip.Snapshot.self) { checksum.add($0) }
    }
    return Sample(value: time, checksum: checksum.text)
  }

  static func upsert(_ container: ModelContainer) throws -> Sample {
    let snapshots = Workload.stations(Workload.upsertedStations, seed: 8).map(Station.Snapshot.init)
    let context = ModelContext(container)
    try context.upsert(
      contentsOf: Workload.stations(Workload.knownStations, seed: 7).map(Station.Snapshot.init))
    let (_, time) = try Sample.time { try context.upsert(contentsOf: snapshots) }
    var checksum = Checksum()
    try context.enumerateSnapshots(as: Station.Snapshot.self) { checksum.add($0.values) }
    return Sample(value: time, checksum: checksum.text)
  }

  static func importMillion(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    let (_, peak) = try Sample.peak {
      try context.insert(
        contentsOf: TripStream(count: Workload.million).lazy.map(Trip.Snapshot.init))
    }
    return Sample(value: peak)
  }

  static func enumerateMillion(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    var checksum = Checksum()
    let (_, peak) = try Sample.peak {
      try context.enumerateSnapshots(as: Trip.Snapshot.self) { checksum.add($0.values) }
    }
    return Sample(value: peak, checksum: checksum.text)
  }

  static func enumerateModels(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    var checksum = Checksum()
    let (_, peak) = try Sample.peak {
      try context.enumerate(FetchDescriptor<Trip>()) { checksum.add($0.values) }
    }
    return Sample(value: peak, checksum: checksum.text)
  }

  /// Requests a million objects consecutively in a single context.
  static func touchModels(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    let source = ModelContext(container)
    var checksum = Checksum()
    let (_, peak) = try Sample.peak {
      try source.enumerateSnapshots(as: Trip.Snapshot.self) { snapshot in
        guard let trip = context.model(for: snapshot.persistentIdentifier) as? Trip else { return }
        checksum.add(trip.values)
      }
    }
    return Sample(value: peak, checksum: checksum.text)
  }

  /// Deletes all 100,000 trips with a batch deletion of the model, which cascades to 300,000 items.
  static func deleteAll(_ container: ModelContainer) throws -> Sample {
    let context = ModelContext(container)
    let (_, peak) = try Sample.peak {
      try context.delete(model: Trip.self)
      try context.save()
    }
    return Sample(value: peak)
  }

  static func fillMillion(_ container: ModelContainer) throws {
    try ModelContext(container).insert(
      contentsOf: TripStream(count: Workload.million).lazy.map(Trip.Snapshot.init))
  }
}

extension Checksum {
  mutating func add(_ trip: Trip.Snapshot) {
    add(trip.name)
    add(trip.destination)
    add(trip.startDate)
    add(trip.endDate)
    add(trip.budget.bitPattern)
    add(trip.isFavorite)
    if let notes = trip.notes { add(notes) } else { add(-1) }
  }
}

extension Trip.Snapshot {
  init(_ values: TripValues) {
    self.init(
      name: values.name, destination: values.destination, startDate: values.startDate,
      endDate: values.endDate, budget: values.budget, isFavorite: values.isFavorite,
      notes: values.notes)
  }

  var values: TripValues {
    TripValues(
      name: name, destination: destination, startDate: startDate, endDate: endDate, budget: budget,
      isFavorite: isFavorite, notes: notes)
  }
}

extension Station.Snapshot {
  init(_ values: StationValues) {
    self.init(
      code: values.code, name: values.name, height: values.height, opened: values.opened,
      isActive: values.isActive, notes: values.notes)
  }

  var values: StationValues {
    StationValues(
      code: code, name: name, height: height, opened: opened, isActive: isActive, notes: notes)
  }
}
