extension ModelConfiguration {
  /// Who brings the store to a new version. Not in SwiftData.
  public enum MigrationRole: String, Sendable, Hashable {
    /// This program does, when it opens an older store.
    case owner
    /// Another program does: opening an older store is an error that says so, and changes nothing.
    case client
  }

  /// What to do with a store that was written with a schema the migration plan does not know. Not in
  /// SwiftData.
  public enum UnknownSchemaPolicy: String, Sendable, Hashable {
    /// Opening it is an error that lists the differences.
    case refuse
    /// Where everything the program's schema has on top can simply be added, it is.
    case openWhenAdditive
  }

  /// What opening does with a store that does not fit the schema while no version of the schema is released. Not in
  /// SwiftData.
  ///
  /// During development a model changes often, and the only stores with its former properties are the program's own.
  /// See ``MigrationOptions/whileUnreleased``.
  public enum UnreleasedPolicy: String, Sendable, Hashable {
    /// Opening throws ``SwiftDataError/unknownDataStoreSchema``, and the store stays unchanged.
    case refuse
    /// The store moves to `<name>.<date>.old`, together with its companion files, and an empty store takes its place. A
    /// message on standard error names the new file. Containers that have the store open throw
    /// ``SwiftDataError/backwardMigration`` afterwards.
    case moveAside
  }

  /// What a migration does with columns that other programs have added to the tables of a store. Without one
  /// they stay. Not in SwiftData.
  public enum StrayColumnPolicy: String, Sendable, Hashable {
    /// It is an error, before anything is touched, that names them.
    case refuse
    /// They go with their values; the copy of the store has them.
    case drop
  }

  /// How a store is brought to a new version. Not in SwiftData.
  ///
  ///     var configuration = ModelConfiguration(url: url)
  ///     configuration.migration.observer = { progress in print(progress.fraction) }
  public struct MigrationOptions: Sendable, Hashable {
    /// Who brings the store to a new version.
    public var role = MigrationRole.owner
    /// What to do with a store whose schema is not in the plan.
    public var unknownSchema = UnknownSchemaPolicy.refuse
    /// What to do with a store that does not fit the schema while no version of the schema is released.
    ///
    ///     var configuration = ModelConfiguration()
    ///     #if DEBUG
    ///       configuration.migration.whileUnreleased = .moveAside
    ///     #endif
    ///
    /// ``UnreleasedPolicy/moveAside`` applies to the file of a ``DefaultStore`` that this program may write and migrate.
    /// It has no effect once a version is frozen, or the migration plan has several versions. A store that a program
    /// with such versions has opened for writing records that, and a program without them refuses it as well.
    public var whileUnreleased = UnreleasedPolicy.refuse
    /// What to do with columns that no version of the schema has.
    public var strayColumns = StrayColumnPolicy.refuse
    /// Whether the store is copied beside itself, to `<name>.backup-<version>`, before rows are
    /// rewritten. The copy is kept, and opens like any store of the older version. The files of
    /// `.externalStorage` are in `<name>.backup-<version>-external`: under a second name, which takes no
    /// room before the store has removed its own, or copied where a file system has no second names.
    public var keepsBackup = true
    /// Whether the room that the old rows had is given back to the file system after rows were
    /// rewritten. The file has twice its size otherwise, until new rows have used the room. It takes
    /// about as long as the migration, and room for another copy; when it fails, the file stays large.
    public var compacts = false
    /// Hears how far a migration is, at least every 10,000 rows, on the thread that opens the store.
    public var observer: (@Sendable (MigrationProgress) -> Void)?

    /// The program migrates, with a backup.
    public init() {}

    /// The receiver of the progress is not compared.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.role == rhs.role && lhs.unknownSchema == rhs.unknownSchema
        && lhs.whileUnreleased == rhs.whileUnreleased && lhs.strayColumns == rhs.strayColumns
        && lhs.keepsBackup == rhs.keepsBackup && lhs.compacts == rhs.compacts
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(role)
      hasher.combine(unknownSchema)
      hasher.combine(whileUnreleased)
      hasher.combine(strayColumns)
      hasher.combine(keepsBackup)
      hasher.combine(compacts)
    }
  }

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

    /// The limit that recording applies; nil to keep all transactions.
    package var limit: HistoryLimit? {
      switch self {
      case .all: nil
      case .age(let age): .seconds(Double(age.components.seconds) + Double(age.components.attoseconds) * 1e-18)
      case .newest(let count): .transactions(Int64(max(1, count)))
      }
    }
  }
}
