/// The features of an engine that speaks PostgreSQL's protocol.
///
/// ```swift
/// var configuration = PostgresConfiguration(url: "postgres://trips@db.example.com:26257/trips")
/// configuration.engine = .cockroach
/// ```
///
/// The store never uses savepoints, temporary tables, triggers or session settings, so a profile does not mention
/// them. The article <doc:Engines> lists the differences between the engines.
///
/// Always open a store with the profile that it was created with. Not in SwiftData.
public struct Capabilities: Sendable, Hashable {
  /// True if processes can notify each other with LISTEN and NOTIFY. Otherwise a process notices external saves at its
  /// next fetch, or within two seconds if it fetches nothing.
  public var listens: Bool
  /// True if the engine supports `pg_current_snapshot()` and the type `xid8`. Otherwise each save takes a number from
  /// a row that remains locked until COMMIT, so saves that record history are committed sequentially.
  public var hasSnapshots: Bool
  /// True if the engine checks foreign keys at the end of a transaction. Otherwise the store creates none, as if
  /// ``PostgresConfiguration/usesForeignKeys`` were false.
  public var defersKeys: Bool
  /// True if the engine supports `pg_advisory_xact_lock`. Otherwise processes that create a store at the same time
  /// detect the conflict by an error, and all except the first start over.
  public var hasAdvisoryLocks: Bool
  /// True if columns need and accept `COLLATE "C"`; false if the engine orders text by byte.
  public var acceptsCollations: Bool
  /// True if the engine supports the column types `json` and `jsonb` and returns `json` unchanged. Otherwise JSON is
  /// stored as text.
  public var hasJSONColumns: Bool
  /// True if the engine supports `float8send`, which converts a number to binary.
  public var hasSendFunctions: Bool
}

extension Capabilities {
  /// PostgreSQL 13 and later.
  public static let postgres = Capabilities(
    listens: true, hasSnapshots: true, defersKeys: true, hasAdvisoryLocks: true, acceptsCollations: true,
    hasJSONColumns: true, hasSendFunctions: true)

  /// CockroachDB. Never tested against the engine itself, see <doc:Engines>.
  public static let cockroach = Capabilities(
    listens: false, hasSnapshots: false, defersKeys: false, hasAdvisoryLocks: false, acceptsCollations: false,
    hasJSONColumns: false, hasSendFunctions: false)

  /// YugabyteDB. Never tested against the engine itself, see <doc:Engines>.
  public static let yugabyte = Capabilities(
    listens: false, hasSnapshots: false, defersKeys: true, hasAdvisoryLocks: false, acceptsCollations: true,
    hasJSONColumns: true, hasSendFunctions: true)
}
