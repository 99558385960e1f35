/// The configuration that a container needs to open a store.
///
/// An application changes its store by changing the configuration; its models and other code stay unchanged. A
/// conforming type names its store as `Store`, or as `StoreType`, the name used in 2024.
public protocol DataStoreConfiguration: Hashable {
  /// The type of the store that the configuration opens.
  associatedtype Store: DataStore = StoreType where Self == Store.Configuration
  /// The name of ``Store`` in 2024.
  associatedtype StoreType: DataStore = Store where Self == StoreType.Configuration

  /// The name of the configuration, unique within its container.
  var name: String { get }
  /// The models of the store. The container sets the schema before it creates the store.
  var schema: Schema? { get set }
  /// The conflict policy of saves to the store: how a save treats values that another context or process has saved
  /// since they were read.
  ///
  /// The default is ``ConflictPolicy/overwrite``. ``ModelContext/conflictPolicy`` takes precedence. Not in SwiftData.
  var conflictPolicy: ConflictPolicy { get }
  /// Validates the configuration before the container creates the store.
  ///
  /// - Throws: An error if a store cannot be opened with the configuration.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts the configuration.
  ///
  /// - Throws: An implementation throws ``SwiftDataError`` for a configuration that cannot be opened.
  public func validate() throws {}

  /// ``ConflictPolicy/overwrite``: the last save wins.
  public var conflictPolicy: ConflictPolicy { .overwrite }
}
