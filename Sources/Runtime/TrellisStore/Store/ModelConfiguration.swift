public import Foundation

/// The place, the models and the options of a default store.
///
///     ModelConfiguration()                              // ~/.local/share/<program>/default.store
///     ModelConfiguration(isStoredInMemoryOnly: true)
///     ModelConfiguration("archive", schema: Schema(Trip.self), url: file)
public struct ModelConfiguration: DataStoreConfiguration, Hashable, Sendable {
  /// The store the configuration is for.
  public typealias Store = DefaultStore

  /// The name of the configuration in the container, and of the file. `default` when not given.
  public let name: String
  /// The models of the store; nil for all models of the container.
  public var schema: Schema?
  /// The store's file. It has no meaning for a store in memory.
  public let url: URL
  /// Whether nothing is written to disk and the models go with the container.
  public let isStoredInMemoryOnly: Bool
  /// Whether the store can be written.
  public let allowsSave: Bool
  /// The group of programs whose folder the default location is in, see ``GroupContainer``.
  public let groupContainer: GroupContainer
  /// Accepted for the sake of code shared with Apple's platforms; has no effect.
  public let cloudKitDatabase: CloudKitDatabase
  /// Durability after a power failure. Not in SwiftData.
  public var durability: Durability = .standard
  /// The migration of older stores. Not in SwiftData.
  public var migration = MigrationOptions()
  /// Recording of changes, and the time for which the store keeps them. Not in SwiftData.
  public var history = HistoryOptions()
  /// The effect of a save on concurrently saved values. Not in SwiftData.
  public var conflictPolicy = ConflictPolicy.overwrite
  /// Receives every statement that the store runs, with duration and purpose. Not in SwiftData.
  ///
  ///     configuration.trace = { statement in
  ///       if statement.duration > .milliseconds(20) { print(statement) }
  ///     }
  ///
  /// A container reports to the closure that is set when it opens. Without one nothing is measured.
  ///
  /// The closure runs on the thread that runs the statement, when the statement ends, and the operation waits for it.
  /// Several threads may call it at once. A statement that fails is reported too. Fetching and saving in models of the
  /// store throw ``SwiftDataError/contextInUse`` inside the closure, and it must not wait for a thread that does
  /// either. It may start tasks that do. What the closure does to other stores is not reported.
  ///
  /// Two configurations that differ only in their traces are equal. <doc:SlowOperations> shows what to look for.
  public var trace: (@Sendable (TracedStatement) -> Void)? {
    get { listener.value }
    set { listener.value = newValue }
  }
  private var listener = Uncompared<(@Sendable (TracedStatement) -> Void)?>(nil)

  /// False when the default location was requested and this system has none.
  let hasLocation: Bool
  /// Whether ``url`` was derived from ``name``.
  let isDefaultLocation: Bool

  /// A configuration for all models of the container.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A configuration for the given models and those their relationships lead to.
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(
      nil, schema: forTypes.isEmpty ? nil : Schema(forTypes),
      isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A configuration at the default location, or in memory.
  ///
  /// The default location is `$XDG_DATA_HOME` (without it `~/.local/share`), a folder with the
  /// program's name, and the file `<name>.store`; on Apple's platforms the program's folder in
  /// Application Support. With `groupContainer: .identifier("group.trips")` it is
  /// `$XDG_DATA_HOME/group-containers/group.trips/<name>.store`, which all programs of the user that name the
  /// group share. Folders are made when the store opens.
  ///
  /// - Parameters:
  ///   - name: names the configuration and its file.
  ///   - schema: the models of the store; nil for all models of the container.
  ///   - isStoredInMemoryOnly: whether nothing is written to disk.
  ///   - allowsSave: false for a store that is only read.
  ///   - groupContainer: the group of programs that share the default location. Has no effect in memory.
  ///   - cloudKitDatabase: has no effect.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    let name = name ?? Self.defaultName
    let location = isStoredInMemoryOnly ? Self.memory : StoreLocation.current.url(named: name, in: groupContainer)
    self.name = name
    self.schema = schema
    self.url = location ?? Self.memory
    self.hasLocation = location != nil
    self.isDefaultLocation = !isStoredInMemoryOnly
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.allowsSave = allowsSave
    self.groupContainer = groupContainer
    self.cloudKitDatabase = cloudKitDatabase
  }

  /// A configuration for the store at `url`.
  ///
  /// Opening the store makes the folder of the file, but not the folders around it: a mistyped path throws
  /// ``StoreProblem/noFolder``.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? Self.defaultName
    self.schema = schema
    self.url = url
    self.hasLocation = true
    self.isDefaultLocation = false
    self.isStoredInMemoryOnly = false
    self.allowsSave = allowsSave
    self.groupContainer = .automatic
    self.cloudKitDatabase = cloudKitDatabase
  }

  static let defaultName = "default"

  /// The `url` of stores without a file.
  private static let memory = URL(fileURLWithPath: "/dev/null")
}

extension ModelConfiguration: Identifiable {
  /// The location of the store.
  public var id: URL { url }
}

extension ModelConfiguration {
  /// Durability after a power failure. A killed process never loses a save.
  public enum Durability: String, Sendable, Hashable {
    /// The last moments may be lost; the store stays consistent.
    case standard
    /// No save is lost: each save waits for the disk.
    case full
  }

  /// A group of programs whose default stores lie in one folder: an application and its widget, a service and its
  /// command line tool.
  ///
  ///     let shared = ModelConfiguration("trips", groupContainer: .identifier("group.trips"))
  ///     // ~/.local/share/group-containers/group.trips/trips.store
  ///
  /// The folder of a group is `group-containers/<identifier>` in the data folder of the user, which is
  /// `$XDG_DATA_HOME`, and without it `~/.local/share`. It is made when the first store in it opens, for this user
  /// alone (mode 0700). A configuration with a `url`, or in memory, has no use for a group.
  ///
  /// Apple's platforms choose the folder and check that the program is entitled to it. Here every program of the
  /// user may name every group.
  public struct GroupContainer: Sendable, Hashable {
    let identifier: String?
    let isAutomatic: Bool

    /// The first group the program is entitled to. Programs have entitlements on Apple's platforms alone: here
    /// it is ``none``.
    public static var automatic: GroupContainer {
      GroupContainer(identifier: nil, isAutomatic: true)
    }
    /// No group: the folder of the program.
    public static var none: GroupContainer { GroupContainer(identifier: nil, isAutomatic: false) }
    /// The group of that name.
    ///
    /// - Parameter groupName: any file name, such as `group.com.example.trips`. Opening a store throws
    ///   ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` for one that is empty, `.` or `..`, or
    ///   has a slash or a control character, and ``SwiftDataError/configurationFileNameTooLong`` beyond 255 bytes.
    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(identifier: groupName, isAutomatic: false)
    }
  }

  /// The cloud database an Apple platform synchronises with. Has no effect elsewhere.
  public struct CloudKitDatabase: Sendable, Hashable {
    let identifier: String?
    let isAutomatic: Bool

    /// The database the program is entitled to, where there are such databases.
    public static var automatic: CloudKitDatabase {
      CloudKitDatabase(identifier: nil, isAutomatic: true)
    }
    /// No database.
    public static var none: CloudKitDatabase {
      CloudKitDatabase(identifier: nil, isAutomatic: false)
    }
    /// The private database of that name.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(identifier: privateDBName, isAutomatic: false)
    }
  }

  /// The group named in ``groupContainer``.
  public var groupAppContainerIdentifier: String? { groupContainer.identifier }

  /// The database named in ``cloudKitDatabase``.
  public var cloudKitContainerIdentifier: String? { cloudKitDatabase.identifier }
}

extension ModelConfiguration: CustomDebugStringConvertible {
  public var debugDescription: String {
    let place = isStoredInMemoryOnly ? "in memory" : url.path
    return "ModelConfiguration(\(name), \(place)\(allowsSave ? "" : ", read only"))"
  }
}

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
    ///
    /// Two options that differ only in their observers are equal.
    public var observer: (@Sendable (MigrationProgress) -> Void)? {
      get { listener.value }
      set { listener.value = newValue }
    }
    private var listener = Uncompared<(@Sendable (MigrationProgress) -> Void)?>(nil)

    /// The program migrates, with a backup.
    public init() {}
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

extension ModelConfiguration {
  /// Checks that the store and its group can have the names they were given.
  ///
  /// - Throws: ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` or
  ///   ``SwiftDataError/configurationFileNameTooLong``.
  public func validate() throws {
    guard !isStoredInMemoryOnly else { return }
    try validateGroup()
    let file = isDefaultLocation ? "\(name).store" : url.lastPathComponent
    if isDefaultLocation {
      if !Self.isFileName(name) {
        throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained(
          "'\(name)' cannot be part of a file name: leave out '/' and control characters, or give "
            + "the configuration a 'url'")
      }
    } else if file.unicodeScalars.contains(where: Self.isInvalid) {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained(
        "'\(file)' has characters a file name cannot have", path: url.path)
    }
    if file.utf8.count > CompanionFile.longestStoreName {
      throw SwiftDataError.configurationFileNameTooLong.explained(
        "'\(file)' has \(file.utf8.count) bytes, \(CompanionFile.longestStoreName) are allowed")
    }
  }

  private func validateGroup() throws {
    guard isDefaultLocation, let group = groupContainer.identifier else { return }
    guard Self.isFileName(group) else {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained(
        "'\(group)' cannot be the identifier of a group container, which names a folder: leave out '/' and control "
          + "characters, as in 'group.com.example.trips'")
    }
    if group.utf8.count > 255 {
      throw SwiftDataError.configurationFileNameTooLong.explained(
        "the identifier of the group container '\(group)' has \(group.utf8.count) bytes, 255 are allowed")
    }
  }

  /// Whether a text names one file or folder.
  static func isFileName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.unicodeScalars.contains(where: isInvalid)
  }

  private static func isInvalid(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 32 || scalar.value == 127 || scalar == "/"
  }

  /// The file to open.
  ///
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` when the default location was requested
  ///   and this user has no home folder; as ``validate()`` for a group that cannot be.
  func storePath() throws -> String {
    try validateGroup()
    guard hasLocation else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "configuration '\(name)' has no place for its store, because this user has no home folder: "
          + "set XDG_DATA_HOME or give the configuration a 'url'")
    }
    return targetPath
  }

  /// The path of ``url`` with symbolic links followed, also for a missing file. Companion files use this path, so each link to
  /// a store finds the same files.
  private var targetPath: String {
    var path = url.path
    // Linux follows up to 40 links.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = next.hasPrefix("/") ? next : URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + next
    }
    return path
  }
}

/// The folder in which stores without a `url` are kept.
struct StoreLocation {
  var environment: [String: String]
  var home: String?
  var program: String

  static var current: StoreLocation {
    let environment = ProcessInfo.processInfo.environment
    return StoreLocation(
      environment: environment, home: environment["HOME"] ?? NSHomeDirectory(),
      program: ProcessInfo.processInfo.processName)
  }

  /// The file of a configuration; nil if there is no home folder.
  func url(named name: String, in group: ModelConfiguration.GroupContainer = .none) -> URL? {
    guard var folder else { return nil }
    if let identifier = group.identifier {
      // One that names no folder is refused before a store opens, and must not lead elsewhere until then.
      folder.appendPathComponent("group-containers", isDirectory: true)
      folder.appendPathComponent(
        ModelConfiguration.isFileName(identifier) ? identifier : "invalid", isDirectory: true)
    } else {
      folder.appendPathComponent(program, isDirectory: true)
    }
    return folder.appendingPathComponent("\(name).store", isDirectory: false)
  }

  private var folder: URL? {
    #if canImport(Darwin)
      return FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    #else
      // A relative XDG_DATA_HOME is to be ignored, says the specification.
      if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
        return URL(fileURLWithPath: data, isDirectory: true)
      }
      guard let home, !home.isEmpty, home != "/" else { return nil }
      return URL(fileURLWithPath: home, isDirectory: true)
        .appendingPathComponent(".local/share", isDirectory: true)
    #endif
  }
}
