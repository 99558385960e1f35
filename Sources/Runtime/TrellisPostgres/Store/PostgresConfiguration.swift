public import Trellis

/// The location of a store in a PostgreSQL database, and its connection settings.
///
/// ```swift
/// let container = try ModelContainer(
///   for: Trip.self, configurations: PostgresConfiguration(url: "postgres://trips@db.example.com/trips"))
/// ```
///
/// The target needs the product `TrellisPostgres`, and the build machine needs libpq with headers (`libpq-dev` on
/// Debian and Ubuntu). libpq reads the password from `~/.pgpass` or from the variable `PGPASSWORD`. A remote server
/// must have a certificate that the client trusts, unless you change ``tls``.
///
/// If the server cannot be reached or rejects the connection, the container's initializer throws ``PostgresError``. If
/// the tables do not match the models, it throws `SwiftDataError`. See <doc:AServerStore>. Not in SwiftData.
public struct PostgresConfiguration: DataStoreConfiguration, Sendable {
  /// The store type that this configuration opens.
  public typealias Store = PostgresStore

  /// The configuration's name within the container. Default: `default`.
  public let name: String
  /// The store's models; `nil` for all models in the container.
  public var schema: Schema?
  /// The database schema that contains the tables; `nil` for the first schema on the user's search path.
  public var schemaName: String?
  /// Connection settings for the server itself.
  ///
  /// Set this if `url` points to a pooler that does not keep sessions, such as pgbouncer in transaction mode. Leave it
  /// `nil` if `url` points to the server. It may contain a password.
  ///
  /// ```swift
  /// var configuration = PostgresConfiguration(url: "postgres://trips@pooler.example.com:6432/trips")
  /// configuration.directURL = "postgres://trips@db.example.com/trips"
  /// ```
  ///
  /// The store uses this connection to listen for saves by other processes. If it is `nil`, a store behind such a
  /// pooler polls for saves every two seconds instead.
  public var directURL: String?
  /// False to open the store read-only.
  public var allowsSave = true
  /// The maximum number of connections; at least 1. Default: 8.
  public var poolSize = 8
  /// Supplies the password for each new connection, for passwords that expire.
  ///
  /// ```swift
  /// var configuration = PostgresConfiguration(url: "postgres://trips@db.example.com/trips")
  /// configuration.password = { try String(contentsOfFile: "/run/secrets/trips", encoding: .utf8) }
  /// ```
  ///
  /// `nil` to use the password from the URL, a password file or the environment. Ignored when configurations are
  /// compared.
  public var password: (@Sendable () throws -> String)? {
    get { passwordSource.value }
    set { passwordSource.value = newValue }
  }
  private var passwordSource = Uncompared<(@Sendable () throws -> String)?>(nil)
  /// How connections are encrypted and whether the server is verified. Default: ``TLSMode/verified``.
  public var tls = TLSMode.verified
  /// The time limits for blocking operations.
  public var timeouts = Timeouts()
  /// True to let the server prepare statements.
  ///
  /// Leave this true behind a pooler that does not keep sessions, such as pgbouncer in transaction mode: the store
  /// detects the pooler and stops preparing statements.
  public var preparesStatements = true
  /// True to have the database check references and apply delete rules to rows that no context has read.
  ///
  /// If false, inserting many rows with references is several times faster. The choice is fixed when the store is
  /// created.
  public var usesForeignKeys = true
  /// The database engine at the URL. Default: PostgreSQL.
  public var engine = Capabilities.postgres
  /// Whether the store records changes, and how long it keeps them.
  public var history = ModelConfiguration.HistoryOptions()
  /// How the store is migrated to a new version.
  public var migration = MigrationOptions()
  /// How saves resolve values that a concurrent save has changed.
  public var conflictPolicy = ConflictPolicy.overwrite
  /// Receives every statement that the store runs, with its duration and the request that caused it, as
  /// `ModelConfiguration.trace` does for a file.
  ///
  /// Statements that share a round trip are reported together, after the last one has ended. Each duration ends when
  /// the statement's own result arrives. `expandedSQL()` contains no values. Ignored when configurations are compared.
  public var trace: (@Sendable (TracedStatement) -> Void)? {
    get { traceListener.value }
    set { traceListener.value = newValue }
  }
  private var traceListener = Uncompared<(@Sendable (TracedStatement) -> Void)?>(nil)

  /// The connection settings, which may contain a password.
  let address: String

  /// Creates a configuration for the store at a URL.
  ///
  /// The name and the schema distinguish the stores in a container:
  ///
  /// ```swift
  /// let server = PostgresConfiguration("server", url: "postgres://trips@db.example.com/trips?connect_timeout=5")
  /// let local = PostgresConfiguration("local", url: "host=/run/postgresql dbname=trips")
  /// print(server.place, local.place)   // db.example.com/trips /run/postgresql/trips
  /// ```
  ///
  /// The settings are checked when the store opens. If they are not valid, the container's initializer throws
  /// ``PostgresError/Code/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - name: The configuration's name within the container.
  ///   - schema: The store's models; `nil` for all models in the container.
  ///   - url: A URL, `postgres://user@host/database`, or a conninfo string, `host=/run/postgresql dbname=trips`. All
  ///     libpq keywords are accepted. In a URL, write `@`, `:` and `/` in a user name or password as `%40`, `%3A` and
  ///     `%2F`.
  public init(_ name: String = "default", schema: Schema? = nil, url: String) {
    self.name = name
    self.schema = schema
    self.address = url
  }

  /// How connections to the server are protected.
  ///
  /// ```swift
  /// var configuration = PostgresConfiguration(url: "postgres://trips@10.0.0.7/trips")
  /// configuration.tls = .unverified   // a server in a private network has a self-signed certificate
  /// ```
  public enum TLSMode: String, Sendable, Hashable {
    /// `sslmode=verify-full` for remote hosts; a URL with a weaker mode is rejected. Connections to the local machine
    /// use the mode in the URL.
    case verified
    /// `sslmode=require`: encrypted, but the server's identity is not verified. Takes precedence over the URL.
    case unverified
    /// `sslmode=disable`: not encrypted, so readable in transit. Takes precedence over the URL.
    case disabled

    var sslmode: String? {
      switch self {
      case .verified: nil
      case .unverified: "require"
      case .disabled: "disable"
      }
    }
  }

  /// Time limits for operations that wait.
  ///
  /// ```swift
  /// // A web server reports an overload instead of queueing requests.
  /// var configuration = PostgresConfiguration(url: "postgres://trips@db.example.com/trips")
  /// configuration.timeouts.pool = .seconds(2)
  /// configuration.timeouts.answer = .seconds(15)
  /// ```
  ///
  /// An operation that exceeds a limit throws ``PostgresError``.
  public struct Timeouts: Sendable, Hashable {
    /// The timeout for a new connection to one host, in whole seconds; libpq before version 17 waits at least two.
    /// Default: 10 s.
    ///
    /// `connect_timeout` in the URL takes precedence.
    public var connection = Duration.seconds(10)
    /// The timeout for getting a free connection from the pool. Default: 30 s.
    public var pool = Duration.seconds(30)
    /// The timeout for a server response. Default: 60 s.
    public var answer = Duration.seconds(60)
    /// The timeout for a migration statement, which may rewrite a table or build an index. Default: one hour.
    public var migration = Duration.seconds(3_600)

    /// Creates the default limits.
    public init() {}
  }

  /// How the store is migrated to a new version.
  ///
  /// ```swift
  /// var configuration = PostgresConfiguration(url: "postgres://trips_owner@db.example.com/trips")
  /// configuration.migration.keepsOlderPrograms = true   // running instances of the older version continue
  /// configuration.migration.observer = { progress in print(progress) }
  /// ```
  public struct MigrationOptions: Sendable, Hashable {
    /// The process that migrates the store. Default: this process, when it opens an older store.
    public var role = ModelConfiguration.MigrationRole.owner
    /// How to treat a store whose schema is not in the plan. Default: opening the store is an error.
    public var unknownSchema = ModelConfiguration.UnknownSchemaPolicy.refuse
    /// True to make only changes that are compatible with the older app version: ``PostgresMigration/Phase/expand``.
    ///
    /// Opening the store is an error if the migration requires other changes. Default: false, which makes all changes
    /// in one transaction.
    public var keepsOlderPrograms = false
    /// The longest time that a migration transaction waits for a lock. Default: 2 s.
    ///
    /// The transaction is then rolled back, so that other processes can use the tables, and retried.
    public var lockTimeout = Duration.seconds(2)
    /// The time limit for all attempts, after which opening the store throws `StoreProblem.locked`. Default: 60 s.
    public var lockWait = Duration.seconds(60)
    /// Receives the migration's progress, on the thread that opens the store. Ignored when options are compared.
    public var observer: (@Sendable (MigrationProgress) -> Void)? {
      get { listener.value }
      set { listener.value = newValue }
    }
    private var listener = Uncompared<(@Sendable (MigrationProgress) -> Void)?>(nil)

    /// Creates the default options: this process migrates the store in one transaction.
    public init() {}
  }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
  /// The server and the database, excluding user and password: `db.example.com/trips`. Empty if the settings are not
  /// valid.
  public var place: String {
    (try? ConnectionAddress(address, .unverified, connectTimeout: timeouts.connection))?.place ?? ""
  }

  /// The name and the place.
  public var description: String { "PostgresConfiguration(\(name), \(place))" }

  /// Omits the connection settings, which may contain a password.
  public var customMirror: Mirror { Mirror(self, children: ["name": name, "schemaName": schemaName as Any]) }
}
