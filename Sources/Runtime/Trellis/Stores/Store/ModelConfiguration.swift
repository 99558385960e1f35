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
    get { listener.body }
    set { listener.body = newValue }
  }
  private var listener = TraceListener()

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
