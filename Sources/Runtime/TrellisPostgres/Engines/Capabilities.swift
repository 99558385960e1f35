/// What an engine that speaks PostgreSQL's protocol offers to a store.
///
/// ```swift
/// var configuration = PostgresConfiguration(url: "postgres://trips@db.example.com:26257/trips")
/// configuration.engine = .cockroach
/// ```
///
/// The store never uses savepoints, temporary tables, triggers or settings of a session, so a profile says nothing of them.
/// The article <doc:Engines> lists the differences between the engines.
///
/// A store is created for a profile. Open it with the same one afterwards. Not in SwiftData.
public struct Capabilities: Sendable, Hashable {
  /// The name of the engine, for errors.
  public var name: String
  /// True if programs can notify each other with LISTEN and NOTIFY. Otherwise a program notices the saves of others with
  /// its next fetch, and without one within two seconds.
  public var listens = true
  /// True for `pg_current_snapshot()` and the type `xid8`. Otherwise each save takes its number from a row that it locks
  /// until it is committed, so saves that record history are committed one after the other.
  public var hasSnapshots = true
  /// True if the engine checks foreign keys at the end of a transaction. Otherwise the store creates none, as if
  /// ``PostgresConfiguration/usesForeignKeys`` were false.
  public var defersKeys = true
  /// The number of values that a session reserves of a sequence; at least 1. Each value stands for 1,000 row numbers.
  public var sequenceCache = 1
  /// True for `pg_advisory_xact_lock`. Otherwise programs that create a store at the same time find out by an error, and
  /// all but one begin again.
  public var hasAdvisoryLocks = true
  /// True if a transaction can create several tables and write to them. Otherwise a program that ends while it creates a
  /// store leaves some tables, and the next one creates the rest.
  public var definesInTransactions = true
  /// True if indexes must be created with `CREATE INDEX ASYNC`. Unique constraints may not hold until the index is ready.
  public var indexesAsynchronously = false
  /// True for TRUNCATE, which `erase()` uses. Otherwise it deletes the rows, subject to ``rowsPerTransaction``.
  public var truncates = true
  /// True if columns need and accept `COLLATE "C"`; false for an engine that orders text by its bytes.
  public var acceptsCollations = true
  /// True for columns of the types `json` and `jsonb` that return a `json` as it was written. Otherwise the columns are text.
  public var hasJSONColumns = true
  /// True for functions such as `int8send`, which convert a value to the bytes of its binary form.
  public var hasSendFunctions = true
  /// The greatest number of rows that a transaction may write; nil without a limit. A save with more rows throws
  /// ``PostgresError/Code/tooManyRows`` before it begins.
  public var rowsPerTransaction: Int?
  /// How the tables of the models are distributed among the servers of Citus.
  public var distribution = Distribution.coordinator

  /// An engine with all that PostgreSQL has.
  ///
  /// - Parameter name: the name of the engine, for errors.
  public init(name: String) { self.name = name }

  /// Where Citus keeps the tables of the models. The tables of the history stay on the coordinator.
  public enum Distribution: String, Sendable, Hashable {
    /// On the coordinator, as PostgreSQL does. Also for every other engine.
    case coordinator
    /// A copy on every server: `create_reference_table`.
    case replicated
    /// In parts by their row numbers: `create_distributed_table`. The distribution column of a table of models is its
    /// primary key; that of a table with the pairs of a relationship is the first column of its key. Citus has no unique
    /// constraints without the distribution column, so a table with one is replicated. The store creates no foreign keys.
    case byRow
  }
}

extension Capabilities {
  /// PostgreSQL 13 and later.
  public static let postgres = Capabilities(name: "PostgreSQL")

  /// CockroachDB. Not tested with the engine itself, see <doc:Engines>.
  public static let cockroach = {
    var engine = Capabilities(name: "CockroachDB")
    engine.listens = false
    engine.hasSnapshots = false
    engine.defersKeys = false
    engine.hasAdvisoryLocks = false
    engine.acceptsCollations = false
    engine.hasJSONColumns = false
    engine.hasSendFunctions = false
    return engine
  }()

  /// YugabyteDB. Not tested with the engine itself, see <doc:Engines>.
  public static let yugabyte = {
    var engine = Capabilities(name: "YugabyteDB")
    engine.listens = false
    engine.hasSnapshots = false
    engine.hasAdvisoryLocks = false
    return engine
  }()

  /// Amazon Aurora DSQL. Not tested with the engine itself, see <doc:Engines>.
  public static let dsql = {
    var engine = Capabilities(name: "Aurora DSQL")
    engine.listens = false
    engine.hasSnapshots = false
    engine.defersKeys = false
    engine.hasAdvisoryLocks = false
    engine.definesInTransactions = false
    engine.indexesAsynchronously = true
    engine.truncates = false
    engine.acceptsCollations = false
    engine.hasJSONColumns = false
    engine.rowsPerTransaction = 3_000
    return engine
  }()

  /// Citus, with all tables on the coordinator. Not tested with the engine itself, see <doc:Engines>.
  ///
  /// ```swift
  /// configuration.engine = .citus
  /// configuration.engine.distribution = .byRow
  /// ```
  public static let citus = Capabilities(name: "Citus")
}
