import Foundation
import Trellis

/// A table row: the same work on both sides.
struct Operation: Sendable {
  /// The store at the start of an execution.
  enum Fixture: Sendable {
    /// A new, empty store.
    case empty
    /// The full store, for reading only.
    case full
    /// A copy of the full store for each execution.
    case copy
    /// The full store with indexes for destination and start.
    case indexed
    /// A store with a million trips, for reading only.
    case million
    /// An empty store for stations.
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
  /// The number of unmeasured executions. 0 if the first execution in a process is measured.
  var warmups = 1
  /// The number of measured executions per process.
  var samples = 1
  /// The largest acceptable ratio to the raw side.
  var limit: Double?
  /// True if the limit applies to Trellis's value instead of the ratio to the raw side.
  var isAbsolute = false
  var raw: @Sendable (RawStore) throws -> Sample
  var ours: @Sendable (ModelContainer) throws -> Sample
}

/// The measured implementation.
enum Side: String, CaseIterable, Sendable {
  case raw
  case ours
}
