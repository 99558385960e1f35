public import Trellis

/// The location of a store in a PostgreSQL database, and how to connect to it.
///
/// ```swift
/// let container = try ModelContainer(
///   for: Trip.self, configurations: PostgresConfiguration(url: "postgres://trips@db.example.com/trips"))
/// ```
///
/// Not in SwiftData.
public struct PostgresConfiguration: DataStoreConfiguration, Sendable {
  /// The store the configuration is for.
  public typealias Store = PostgresStore

  /// Names the configuration among those of its container. `default` when not given.
  public let name: String
  /// The models of the store; nil for all models of the container.
  public var schema: Schema?
  /// The schema of the database that contains the tables; nil for the first one on the search path of the user.
  public var schemaName: String?
  /// The connection settings that lead to the server itself, if `url` leads to a pooler that does not keep sessions, such
  /// as pgbouncer in transaction mode; nil if `url` leads to the server. It may contain a password.
  ///
  /// The store listens there for the saves of other programs. Without it, it looks for them every two seconds.
  public var directURL: String?
  /// False for a store that is only read.
  public var allowsSave = true
  /// The maximum number of connections; at least 1. Default: 8.
  public var poolSize = 8
  /// Supplies the password for each new connection, for passwords that expire; nil to use the one in the URL, in a
  /// password file or in the environment. Not compared.
  public var password: (@Sendable () throws -> String)? {
    get { passwordSource.value }
    set { passwordSource.value = newValue }
  }
  private var passwordSource = Uncompared<(@Sendable () throws -> String)?>(nil)
  /// How connections to other hosts are protected.
  public var tls = TLSMode.verified
  /// The limits of waiting.
  public var timeouts = Timeouts()
  /// True to let the server prepare statements. A pooler that does not keep sessions, such as pgbouncer in transaction
  /// mode, needs no change: the store notices it.
  public var preparesStatements = true
  /// True to have the database check references and apply delete rules to rows that no context has read. Inserting many
  /// rows with references is several times faster without. Decided when the store is created.
  public var usesForeignKeys = true
  /// The engine behind the URL. Default: PostgreSQL.
  public var engine = Capabilities.postgres
  /// Whether the store remembers what was changed, and for how long.
  public var history = ModelConfiguration.HistoryOptions()
  /// How the store is brought to a new version.
  public var migration = MigrationOptions()
  /// What saves do with values that others have saved meanwhile.
  public var conflictPolicy = ConflictPolicy.overwrite
  /// Receives every statement that the store runs, with its duration and what the program has requested, as
  /// `ModelConfiguration.trace` does for a file.
  ///
  /// A round trip carries several statements. They are reported when the last one has ended, and the duration of each
  /// ends with its result. `expandedSQL()` has no values. Not compared.
  public var trace: (@Sendable (TracedStatement) -> Void)? {
    get { traceListener.value }
    set { traceListener.value = newValue }
  }
  private var traceListener = Uncompared<(@Sendable (TracedStatement) -> Void)?>(nil)

  /// The connection settings, which may contain a password.
  let address: String

  /// A configuration for the store at a URL.
  ///
  /// - Parameters:
  ///   - name: names the configuration.
  ///   - schema: the models of the store; nil for all models of the container.
  ///   - url: a URL, `postgres://user@host/database`, or a conninfo string, `host=/run/postgresql dbname=trips`. It may
  ///     contain every keyword of libpq.
  public init(_ name: String = "default", schema: Schema? = nil, url: String) {
    self.name = name
    self.schema = schema
    self.address = url
  }

  /// The protection of connections to other hosts. Connections to this machine are left as the URL says.
  public enum TLSMode: String, Sendable, Hashable {
    /// `sslmode=verify-full`. A URL with a weaker mode is refused.
    case verified
    /// `sslmode=require`: encrypted, but the server may be another one than expected.
    case unverified
    /// `sslmode=disable`: readable for everyone on the way.
    case disabled

    var sslmode: String? {
      switch self {
      case .verified: nil
      case .unverified: "require"
      case .disabled: "disable"
      }
    }
  }

  /// The longest times that an operation waits.
  public struct Timeouts: Sendable, Hashable {
    /// For a new connection to one host, in whole seconds; libpq before version 17 waits at least two. Default: 10 s.
    /// `connect_timeout` in the URL takes precedence.
    public var connection = Duration.seconds(10)
    /// For a free connection of the pool. Default: 30 s.
    public var pool = Duration.seconds(30)
    /// For an answer of the server. Default: 60 s.
    public var answer = Duration.seconds(60)
    /// For a statement of a migration, which may rewrite a table or build an index. Default: one hour.
    public var migration = Duration.seconds(3_600)

    public init() {}
  }

  /// How the store is brought to a new version.
  ///
  /// ```swift
  /// // Instances of the former version keep running.
  /// configuration.migration.keepsOlderPrograms = true
  /// ```
  public struct MigrationOptions: Sendable, Hashable {
    /// Who brings the store to a new version. Default: this program, when it opens an older store.
    public var role = ModelConfiguration.MigrationRole.owner
    /// What to do with a store whose schema is not in the plan. Default: opening it is an error.
    public var unknownSchema = ModelConfiguration.UnknownSchemaPolicy.refuse
    /// True to make only the changes that programs of the older version can live with:
    /// ``PostgresMigration/Phase/expand``. Opening is an error if there are others. Default: false, all changes are made
    /// in one transaction.
    public var keepsOlderPrograms = false
    /// The longest time that a transaction of a migration waits for a lock. The transaction is rolled back then, so that
    /// other programs can use the tables, and repeated. Default: 2 s.
    public var lockTimeout = Duration.seconds(2)
    /// The longest time for all repetitions, after which opening the store throws `StoreProblem.locked`. Default: 60 s.
    public var lockWait = Duration.seconds(60)
    /// Receives the progress of a migration, on the thread that opens the store. Not compared.
    public var observer: (@Sendable (MigrationProgress) -> Void)? {
      get { listener.value }
      set { listener.value = newValue }
    }
    private var listener = Uncompared<(@Sendable (MigrationProgress) -> Void)?>(nil)

    /// The program migrates, in one transaction.
    public init() {}
  }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
  /// The server and the database, without user and password: `db.example.com/trips`. Empty for invalid settings.
  public var place: String {
    (try? ConnectionAddress(address, .unverified, connectTimeout: timeouts.connection))?.place ?? ""
  }

  /// The name and the place.
  public var description: String { "PostgresConfiguration(\(name), \(place))" }

  /// Without the connection settings, which may contain a password.
  public var customMirror: Mirror { Mirror(self, children: ["name": name, "schemaName": schemaName as Any]) }
}
