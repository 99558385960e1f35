/// The features of an engine that speaks PostgreSQL's protocol.
///
/// ```swift
/// var configuration = PostgresConfiguration(url: "postgres://trips@db.example.com:26257/trips")
/// configuration.engine = .cockroach
/// ```
///
/// The store never uses savepoints, temporary tables, triggers or session settings, so a profile does not mention them.
/// The article <doc:Engines> lists the differences between the engines.
///
/// A store is created for a profile. Open it with the same one afterwards. Not in SwiftData.
public struct Capabilities: Sendable, Hashable {
  /// True if programs can notify each other with LISTEN and NOTIFY. Otherwise a program notices the saves of others with
  /// its next fetch, and without one within two seconds.
  public var listens: Bool
  /// True for `pg_current_snapshot()` and the type `xid8`. Otherwise each save takes its number from a row that it locks
  /// until it is committed, so saves that record history are committed one after the other.
  public var hasSnapshots: Bool
  /// True if the engine checks foreign keys at the end of a transaction. Otherwise the store creates none, as if
  /// ``PostgresConfiguration/usesForeignKeys`` were false.
  public var defersKeys: Bool
  /// True for `pg_advisory_xact_lock`. Otherwise programs that create a store at the same time find out by an error, and
  /// all but one begin again.
  public var hasAdvisoryLocks: Bool
  /// True if columns need and accept `COLLATE "C"`; false for an engine that orders text by its bytes.
  public var acceptsCollations: Bool
  /// True for columns of the types `json` and `jsonb` that return a `json` as it was written. Otherwise the columns are text.
  public var hasJSONColumns: Bool
  /// True for `float8send`, which converts a number to the bytes of its binary form.
  public var hasSendFunctions: Bool
}

extension Capabilities {
  /// PostgreSQL 13 and later.
  public static let postgres = Capabilities(
    listens: true, hasSnapshots: true, defersKeys: true, hasAdvisoryLocks: true, acceptsCollations: true,
    hasJSONColumns: true, hasSendFunctions: true)

  /// CockroachDB. Never run against the engine itself, see <doc:Engines>.
  public static let cockroach = Capabilities(
    listens: false, hasSnapshots: false, defersKeys: false, hasAdvisoryLocks: false, acceptsCollations: false,
    hasJSONColumns: false, hasSendFunctions: false)

  /// YugabyteDB. Never run against the engine itself, see <doc:Engines>.
  public static let yugabyte = Capabilities(
    listens: false, hasSnapshots: false, defersKeys: true, hasAdvisoryLocks: false, acceptsCollations: true,
    hasJSONColumns: true, hasSendFunctions: true)
}
