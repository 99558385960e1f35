import Foundation
import Trellis

/// A run's stores, in a temporary folder.
struct Fixtures {
  let folder: URL

  /// Writes a side's store with a million trips.
  func buildMillion(_ side: Side) throws {
    let url = file(.million, side)
    switch side {
    case .raw: try RawBatches.fillMillion(try openRaw(url, .million))
    case .ours: try OurBatches.fillMillion(try openOurs(url, .million))
    }
  }

  /// Writes a side's full stores.
  func build(_ side: Side) throws {
    for fixture in [Operation.Fixture.full, .indexed] {
      let url = file(fixture, side)
      switch side {
      case .raw: try RawWrites.fill(try openRaw(url, fixture))
      case .ours: try OurWrites.fill(try openOurs(url, fixture), isIndexed: fixture == .indexed)
      }
    }
  }

  /// The store for an execution.
  func url(_ fixture: Operation.Fixture, _ side: Side, _ round: Int) throws -> URL {
    switch fixture {
    case .full, .indexed, .million: return file(fixture, side)
    case .empty, .copy, .stations:
      let url = folder.appendingPathComponent("\(side)-\(fixture)-\(round).store")
      let full = file(.full, side)
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: url.path + suffix)
      }
      if fixture == .copy {
        try FileManager.default.copyItem(at: full, to: url)
        if FileManager.default.fileExists(atPath: full.path + "-wal") {
          try FileManager.default.copyItem(atPath: full.path + "-wal", toPath: url.path + "-wal")
        }
      }
      return url
    }
  }

  func openRaw(_ url: URL, _ fixture: Operation.Fixture) throws -> RawStore {
    try RawStore(url, isIndexed: fixture == .indexed)
  }

  /// Opens a store with history turned off, because the C side records none. Separate rows measure history.
  func openOurs(_ url: URL, _ fixture: Operation.Fixture) throws -> ModelContainer {
    try openOurs(url, fixture, recordsHistory: false)
  }

  func openOurs(
    _ url: URL, _ fixture: Operation.Fixture, recordsHistory: Bool
  ) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: url)
    configuration.history.isRecorded = recordsHistory
    return switch fixture {
    case .indexed: try ModelContainer(for: IndexedTrip.self, configurations: configuration)
    case .stations: try ModelContainer(for: Station.self, configurations: configuration)
    case .empty, .full, .copy, .million:
      try ModelContainer(for: Trip.self, configurations: configuration)
    }
  }

  /// The store that a side reads. Both raw sides read the same store.
  private func file(_ fixture: Operation.Fixture, _ side: Side) -> URL {
    let side = side == .ours ? side : .raw
    return folder.appendingPathComponent("\(side)-\(fixture).store")
  }
}
