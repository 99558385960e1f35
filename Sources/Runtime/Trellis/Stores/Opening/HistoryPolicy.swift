extension ModelConfiguration {
  /// Whether a store remembers what was changed, and for how long. Not in SwiftData, whose store always
  /// does and forgets nothing by itself.
  ///
  ///     var configuration = ModelConfiguration(url: url)
  ///     configuration.history.retention = .age(.seconds(30 * 24 * 3600))
  public struct HistoryOptions: Sendable, Hashable {
    /// Whether saves are recorded. Once a program has opened the store without, tokens from before are
    /// expired.
    public var isRecorded = true
    /// Which transactions are kept.
    public var retention = Retention.all

    /// Everything is recorded and kept.
    public init() {}
  }

  /// Which transactions of a history are kept. Older ones are forgotten while others are saved, some at
  /// a time; tokens from before them are expired then.
  public enum Retention: Sendable, Hashable {
    /// All, until ``ModelContext/deleteHistory(_:)`` forgets them.
    case all
    /// Those that are no older than this.
    case age(Duration)
    /// So many of the newest; at least 1.
    case newest(Int)
  }
}
