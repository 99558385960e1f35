public import Foundation

/// The location, models and options for a default store.
///
/// ```swift
/// let trips = ModelConfiguration("trips")  // ~/.local/share/<process name>/trips.store
/// let container = try ModelContainer(for: Trip.self, configurations: trips)
/// ```
///
/// A configuration can also keep the store in memory, or specify any file:
///
/// ```swift
/// let inMemory = ModelConfiguration(isStoredInMemoryOnly: true)
/// var file = ModelConfiguration(url: URL(filePath: "/srv/trips/trips.store"))
/// file.durability = .full
/// ```
public struct ModelConfiguration: DataStoreConfiguration, Hashable, Sendable {
  /// The store type that the configuration opens.
  public typealias Store = DefaultStore

  /// The name of the configuration and its default file. Defaults to `default`.
  public let name: String
  /// The store's models; `nil` for all models in the container.
  public var schema: Schema?
  /// The store file. Unused for an in-memory store.
  public let url: URL
  /// True if nothing is written to disk. The models are discarded with the container.
  public let isStoredInMemoryOnly: Bool
  /// True if models can be saved. False if the store is opened read-only: the file must exist, and saves throw
  /// ``SwiftDataError/loadIssueModelContainer``.
  public let allowsSave: Bool
  /// The group whose shared folder is the default location; see ``GroupContainer``.
  public let groupContainer: GroupContainer
  /// Accepted for source compatibility with Apple platforms. Has no effect.
  public let cloudKitDatabase: CloudKitDatabase
  /// Durability after a power failure. Not in SwiftData.
  public var durability: Durability = .standard
  /// How older stores are migrated. Not in SwiftData.
  public var migration = MigrationOptions()
  /// Recording and retention of the change history. Not in SwiftData.
  public var history = HistoryOptions()
  /// How a save treats values that were saved concurrently. Not in SwiftData.
  public var conflictPolicy = ConflictPolicy.overwrite
  /// Receives every statement that the store runs, with duration and purpose. Not in SwiftData.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration("trips")
  /// configuration.trace = { statement in
  ///   if statement.duration > .milliseconds(20) { print(statement) }
  /// }
  /// ```
  ///
  /// A container uses the closure that is set when the container is created. If it is `nil`, nothing is measured.
  ///
  /// The closure is called when a statement ends, including failed statements, on the thread that ran the statement.
  /// The operation waits for the closure. Several threads may call it concurrently. Inside the closure, fetching or
  /// saving models in this store throws ``SwiftDataError/contextInUse``, and operations on other stores are not
  /// reported. The closure must not wait for a thread that fetches or saves, but may start tasks that do.
  ///
  /// Two configurations that differ only in the trace are equal. <doc:SlowOperations> describes how to find slow
  /// statements.
  public var trace: (@Sendable (TracedStatement) -> Void)? {
    get { listener.value }
    set { listener.value = newValue }
  }
  private var listener = Uncompared<(@Sendable (TracedStatement) -> Void)?>(nil)

  /// False if the default location was requested but does not exist on this system.
  let hasLocation: Bool
  /// True if ``url`` was derived from ``name``.
  let isDefaultLocation: Bool

  /// Creates a configuration for all models in the container.
  ///
  /// ```swift
  /// // A test with an empty store
  /// let container = try ModelContainer(
  ///   for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  /// ```
  ///
  /// - Parameter isStoredInMemoryOnly: True to write nothing to disk; false for the file `default.store` in the default
  ///   folder.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates a configuration for the given models and all models related to them.
  ///
  /// ```swift
  /// let configuration = ModelConfiguration(for: Trip.self, isStoredInMemoryOnly: true)
  /// // Trip, BucketListItem and LivingAccommodation
  /// ```
  ///
  /// - Parameters:
  ///   - forTypes: The models; none for all models in the container.
  ///   - isStoredInMemoryOnly: True to write nothing to disk; false for the file `default.store` in the default folder.
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(
      nil, schema: forTypes.isEmpty ? nil : Schema(forTypes),
      isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates a configuration at the default location, or in memory.
  ///
  /// The default file is `<name>.store`, in a folder with the app's process name inside `$XDG_DATA_HOME` (if unset,
  /// `~/.local/share`); on Apple platforms, in the app's Application Support folder. If `groupContainer` is
  /// `.identifier("group.trips")`, the file is `$XDG_DATA_HOME/group-containers/group.trips/<name>.store`, shared by
  /// all of the user's apps that specify this group. Missing folders are created when the store opens.
  ///
  /// ```swift
  /// let trips = ModelConfiguration("trips", schema: Schema(Trip.self))
  /// let archive = ModelConfiguration("archive", schema: Schema(Wish.self), allowsSave: false)
  /// let container = try ModelContainer(for: Trip.self, Wish.self, configurations: trips, archive)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the configuration and its file; `nil` for `default`.
  ///   - schema: The store's models; `nil` for all models in the container.
  ///   - isStoredInMemoryOnly: True to write nothing to disk.
  ///   - allowsSave: False to open the store read-only.
  ///   - groupContainer: The group that shares the default location. Has no effect in memory.
  ///   - cloudKitDatabase: Has no effect.
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

  /// Creates a configuration for the store at `url`.
  ///
  /// Opening the store creates the file's folder but no parent folders: with a mistyped path, the container's
  /// initializer throws a ``SwiftDataError`` with the problem ``StoreProblem/noFolder``.
  ///
  /// ```swift
  /// let file = URL.homeDirectory.appending(path: "Trips/trips.store")
  /// let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: file))
  /// ```
  ///
  /// - Parameters:
  ///   - name: The configuration name; `nil` for `default`.
  ///   - schema: The store's models; `nil` for all models in the container.
  ///   - url: The store file.
  ///   - allowsSave: False to open the store read-only.
  ///   - cloudKitDatabase: Has no effect.
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

  /// The `url` for in-memory stores.
  private static let memory = URL(fileURLWithPath: "/dev/null")
}

extension ModelConfiguration: Identifiable {
  /// The store location.
  public var id: URL { url }
}

extension ModelConfiguration {
  /// Durability after a power failure. If only the process is killed, no save is lost.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration("bookings")
  /// configuration.durability = .full
  /// ```
  public enum Durability: String, Sendable, Hashable {
    /// The most recent saves may be lost; the store remains consistent.
    case standard
    /// No save is lost: each save waits for the disk.
    case full
  }

  /// A group of apps that keep default stores in a shared folder, such as an app and its widget, or a service and its
  /// command-line tool.
  ///
  /// ```swift
  /// let shared = ModelConfiguration("trips", groupContainer: .identifier("group.trips"))
  /// // ~/.local/share/group-containers/group.trips/trips.store
  /// ```
  ///
  /// The shared folder is `group-containers/<identifier>` in `$XDG_DATA_HOME` (if unset, `~/.local/share`). It is
  /// created when the first store in it opens, with permissions for the current user only (mode 0700). Configurations
  /// with a `url` and in-memory configurations ignore the group.
  ///
  /// Apple platforms choose the folder and check the app's entitlements. On other platforms, any of the user's apps
  /// may use any group.
  public struct GroupContainer: Sendable, Hashable {
    let identifier: String?
    let isAutomatic: Bool

    /// The first group in the app's entitlements. Entitlements exist only on Apple platforms; elsewhere, this is equal
    /// to ``none``.
    public static var automatic: GroupContainer {
      GroupContainer(identifier: nil, isAutomatic: true)
    }
    /// No group: the app's own folder.
    public static var none: GroupContainer { GroupContainer(identifier: nil, isAutomatic: false) }
    /// Returns the group with the given identifier.
    ///
    /// - Parameter groupName: A valid file name, such as `group.com.example.trips`. Opening a store throws
    ///   ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` if it is empty, `.` or `..`, or contains a
    ///   slash or control character, and ``SwiftDataError/configurationFileNameTooLong`` if it exceeds 255 bytes.
    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(identifier: groupName, isAutomatic: false)
    }
  }

  /// The cloud database that an Apple platform synchronizes with. Has no effect elsewhere.
  ///
  /// ```swift
  /// let configuration = ModelConfiguration("trips", cloudKitDatabase: .none)  // shared SwiftData code compiles
  /// ```
  public struct CloudKitDatabase: Sendable, Hashable {
    let identifier: String?
    let isAutomatic: Bool

    /// The database in the app's entitlements, on platforms that support cloud databases.
    public static var automatic: CloudKitDatabase {
      CloudKitDatabase(identifier: nil, isAutomatic: true)
    }
    /// No database.
    public static var none: CloudKitDatabase {
      CloudKitDatabase(identifier: nil, isAutomatic: false)
    }
    /// Returns the private database with the given name.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(identifier: privateDBName, isAutomatic: false)
    }
  }

  /// The group identifier in ``groupContainer``.
  public var groupAppContainerIdentifier: String? { groupContainer.identifier }

  /// The database identifier in ``cloudKitDatabase``.
  public var cloudKitContainerIdentifier: String? { cloudKitDatabase.identifier }
}

extension ModelConfiguration: CustomDebugStringConvertible {
  public var debugDescription: String {
    let place = isStoredInMemoryOnly ? "in memory" : url.path
    return "ModelConfiguration(\(name), \(place)\(allowsSave ? "" : ", read only"))"
  }
}

extension ModelConfiguration {
  /// Which app migrates the store to a new version. Not in SwiftData.
  ///
  /// ```swift
  /// // A widget opens the app's store, and only the app migrates it.
  /// var configuration = ModelConfiguration("trips", groupContainer: .identifier("group.trips"))
  /// configuration.migration.role = .client
  /// ```
  public enum MigrationRole: String, Sendable, Hashable {
    /// This app migrates an older store on opening.
    case owner
    /// A different app migrates the store. Opening an older store throws an error and changes nothing.
    case client
  }

  /// How to open a store whose schema is missing from the migration plan. Not in SwiftData.
  ///
  /// ```swift
  /// // Stores of a beta have a schema between two released versions.
  /// var configuration = ModelConfiguration("trips")
  /// configuration.migration.unknownSchema = .openWhenAdditive
  /// ```
  public enum UnknownSchemaPolicy: String, Sendable, Hashable {
    /// Opening throws an error that lists the differences.
    case refuse
    /// The store is migrated if the app's schema only adds to the store's schema.
    case openWhenAdditive
  }

  /// How to open a store that does not match the schema while no schema version is released. Not in SwiftData.
  ///
  /// During development, models change often, and only the developer's own stores contain the former properties. See
  /// ``MigrationOptions/whileUnreleased``.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration("trips")
  /// #if DEBUG
  ///   configuration.migration.whileUnreleased = .moveAside
  /// #endif
  /// ```
  public enum UnreleasedPolicy: String, Sendable, Hashable {
    /// Opening throws ``SwiftDataError/unknownDataStoreSchema``, and the store remains unchanged.
    case refuse
    /// The store and its companion files are moved to `<name>.<date>.old`, and an empty store is created. A message on
    /// standard error contains the new file name. Containers that have the store open throw
    /// ``SwiftDataError/backwardMigration`` afterwards.
    case moveAside
  }

  /// How a migration treats columns that were added outside of Trellis. Not in SwiftData.
  ///
  /// ```swift
  /// // ALTER TABLE Trip ADD COLUMN note: discard the values, of which the backup has a copy.
  /// var configuration = ModelConfiguration("trips")
  /// configuration.migration.strayColumns = .drop
  /// ```
  ///
  /// If the store is opened with no plan, the columns are kept.
  public enum StrayColumnPolicy: String, Sendable, Hashable {
    /// The migration throws an error that lists the columns and changes nothing.
    case refuse
    /// The columns and values are dropped. The backup still contains them.
    case drop
  }

  /// How a store is migrated to a new version. Not in SwiftData.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration(url: url)
  /// configuration.migration.keepsBackup = false
  /// configuration.migration.observer = { progress in print(progress.fraction) }
  /// ```
  public struct MigrationOptions: Sendable, Hashable {
    /// Which app migrates the store.
    public var role = MigrationRole.owner
    /// How to open a store whose schema is missing from the plan.
    public var unknownSchema = UnknownSchemaPolicy.refuse
    /// How to open a store that does not match the schema while no schema version is released.
    ///
    /// ``UnreleasedPolicy/moveAside`` applies to ``DefaultStore`` files that this app may write and migrate. It has no
    /// effect once a version is frozen or the migration plan has several versions. The store records that an app with
    /// a released version has opened it for writing. Afterwards, apps with no released version also refuse to move the
    /// store aside.
    public var whileUnreleased = UnreleasedPolicy.refuse
    /// How to treat columns that no schema version declares.
    public var strayColumns = StrayColumnPolicy.refuse
    /// True to copy the store to `<name>.backup-<version>` before rows are rewritten. The backup is kept and can be
    /// opened like any store with the older version. External files are in `<name>.backup-<version>-external`: they
    /// are hard links, which use no space until the store removes the original, or copies if the file system does not
    /// support hard links.
    public var keepsBackup = true
    /// True to return unused space to the file system after rows were rewritten. Otherwise, the file remains about
    /// twice as large as necessary until new rows fill the space. Compacting takes about as long as the migration and
    /// requires space for an additional copy. If it fails, the file remains large.
    public var compacts = false
    /// Called with migration progress, at least every 10,000 rows, on the thread that opens the store.
    ///
    /// Two options that differ only in the observer are equal.
    public var observer: (@Sendable (MigrationProgress) -> Void)? {
      get { listener.value }
      set { listener.value = newValue }
    }
    private var listener = Uncompared<(@Sendable (MigrationProgress) -> Void)?>(nil)

    /// Creates default options: the app migrates the store and keeps a backup.
    public init() {}
  }

  /// Whether a store records changes, and how long it keeps them. Not in SwiftData, where a store always records
  /// changes and never deletes history by itself.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration(url: url)
  /// configuration.history.retention = .age(.seconds(30 * 24 * 3600))
  /// ```
  public struct HistoryOptions: Sendable, Hashable {
    /// True to record saves. After an app opens the store with recording off, earlier tokens expire.
    public var isRecorded = true
    /// The transactions to keep.
    public var retention = Retention.all

    /// Creates default options: all changes are recorded and kept.
    public init() {}
  }

  /// The history transactions to keep. Older transactions are deleted in batches during saves, and earlier tokens
  /// expire.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration("trips")
  /// configuration.history.retention = .newest(1000)
  /// ```
  public enum Retention: Sendable, Hashable {
    /// All transactions, until ``ModelContext/deleteHistory(_:)`` deletes them.
    case all
    /// Transactions up to a maximum age.
    case age(Duration)
    /// The newest transactions, at least 1.
    case newest(Int)

    /// The limit applied when recording; `nil` to keep all transactions.
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
  /// Checks that the store and group names are valid.
  ///
  /// A container validates its configurations before it opens them. Call this function for a name that a user has
  /// entered:
  ///
  /// ```swift
  /// do {
  ///   try ModelConfiguration("2026/summer").validate()
  /// } catch SwiftDataError.configurationFileNameContainsInvalidCharacters {
  ///   print("Choose a name without '/'.")
  /// }
  /// ```
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
        "'\(file)' contains characters that are not allowed in a file name", path: url.path)
    }
    if file.utf8.count > CompanionFile.longestStoreName {
      throw SwiftDataError.configurationFileNameTooLong.explained(
        "'\(file)' is \(file.utf8.count) bytes long; at most \(CompanionFile.longestStoreName) are allowed")
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
        "the group container identifier '\(group)' is \(group.utf8.count) bytes long; at most 255 are allowed")
    }
  }

  /// Returns true if the text is a valid file or folder name.
  static func isFileName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.unicodeScalars.contains(where: isInvalid)
  }

  private static func isInvalid(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 32 || scalar.value == 127 || scalar == "/"
  }

  /// Returns the path of the file to open.
  ///
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` if the default location was requested and this user has no
  ///   home folder; the same errors as ``validate()`` for an invalid group.
  package func storePath() throws -> String {
    try validateGroup()
    guard hasLocation else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "configuration '\(name)' has no location for its store, because this user has no home folder: "
          + "set XDG_DATA_HOME or give the configuration a 'url'")
    }
    return targetPath
  }

  /// The path in ``url`` with symbolic links resolved, even if the file is missing. Companion files use this path, so
  /// that every link to a store finds the same files.
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

/// The default folder for stores.
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

  /// Returns a configuration's file; `nil` if there is no home folder.
  func url(named name: String, in group: ModelConfiguration.GroupContainer = .none) -> URL? {
    guard var folder else { return nil }
    if let identifier = group.identifier {
      // An invalid identifier is rejected before a store opens, and must not resolve to a different folder until then.
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
      // The XDG specification requires relative paths to be ignored.
      if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
        return URL(fileURLWithPath: data, isDirectory: true)
      }
      guard let home, !home.isEmpty, home != "/" else { return nil }
      return URL(fileURLWithPath: home, isDirectory: true)
        .appendingPathComponent(".local/share", isDirectory: true)
    #endif
  }
}
