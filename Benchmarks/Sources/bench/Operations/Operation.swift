import Foundation
import Trellis

/// One row of the table: the same work done on both sides.
struct Operation: Sendable {
  /// Where an execution starts from.
  enum Fixture: Sendable {
    /// A new store with no rows.
    case empty
    /// The full store, read only.
    case full
    /// A fresh copy of the full store for each execution.
    case copy
    /// The full store of trips that are indexed by destination and start.
    case indexed
    /// A store of a million trips, read only.
    case million
    /// An empty store of stations.
    case stations
  }

  enum Unit: String, Codable, Sendable {
    case milliseconds = "ms"
    case mebibytes = "MiB"
  }

  var name: String
  var title: String
  var unit = Unit.milliseconds
  var fixture: Fixture
  /// Executions before those that count. None where the first of a process is what matters.
  var warmups = 1
  /// Executions that count in each process.
  var samples = 1
  var bars: Bars
  /// The limits against the raw side without automatic checkpoints; nil where no checkpoint is due. SQLite
  /// runs them inside COMMIT, Trellis on another thread.
  var barsWithoutCheckpoints: Bars?
  /// Whether the bars are values of ours, not ratios to the raw side.
  var isAbsolute = false
  var raw: @Sendable (RawStore) throws -> Sample
  var ours: @Sendable (ModelContainer) throws -> Sample
}

/// What a row has to reach, as ratio to the raw side.
struct Bars: Codable, Sendable {
  /// The bar every change has to hold today.
  var first: Double?
  var must: Double?
  var aim: Double?
}

/// Which implementation a process measures.
enum Side: String, CaseIterable, Sendable {
  case raw
  /// The C API with `wal_autocheckpoint` off.
  case rawWithoutCheckpoints = "raw-without-checkpoints"
  case ours
}
