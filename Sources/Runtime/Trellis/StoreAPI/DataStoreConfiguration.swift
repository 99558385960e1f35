/// What a container needs to open a store of some kind.
///
/// Replacing the configuration replaces the store; models and the code that uses them stay as they
/// are. A conforming type names its store as `Store`, or as `StoreType` in the spelling of 2024.
public protocol DataStoreConfiguration: Hashable {
  /// The store the configuration opens.
  associatedtype Store: DataStore = StoreType where Self == Store.Configuration
  /// The spelling of 2024.
  associatedtype StoreType: DataStore = Store where Self == StoreType.Configuration

  /// Names the configuration among those of its container.
  var name: String { get }
  /// The models of the store. The container fills it in before it makes the store.
  var schema: Schema? { get set }
  /// What saves to the store do with values that others have saved meanwhile, unless
  /// ``ModelContext/conflictPolicy`` says otherwise; ``ConflictPolicy/overwrite`` unless a configuration says
  /// so. Not in SwiftData.
  var conflictPolicy: ConflictPolicy { get }
  /// Checks the configuration before its store is made.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts the configuration: nothing is known that could be wrong with it.
  ///
  /// - Throws: an implementation throws ``SwiftDataError`` for a configuration that cannot be opened.
  public func validate() throws {}

  /// The last save wins.
  public var conflictPolicy: ConflictPolicy { .overwrite }
}
