/// The configuration of an asynchronous store.
///
/// A container is given it inside an ``AsyncConfiguration``.
public protocol AsyncDataStoreConfiguration: Hashable, Sendable {
  /// The store the configuration opens.
  associatedtype AsyncStore: AsyncDataStore where AsyncStore.Configuration == Self

  /// Names the configuration among those of its container.
  var name: String { get }
  /// The models of the store. The container fills it in before it makes the store.
  var schema: Schema? { get set }
  /// The policy for values that another context has saved meanwhile. The default is ``ConflictPolicy/overwrite``.
  var conflictPolicy: ConflictPolicy { get }
  /// Checks the configuration before its store is made.
  func validate() throws
}

extension AsyncDataStoreConfiguration {
  /// Accepts the configuration.
  ///
  /// - Throws: an implementation throws ``SwiftDataError`` for a configuration that cannot be opened.
  public func validate() throws {}

  /// The last save wins.
  public var conflictPolicy: ConflictPolicy { .overwrite }
}

/// The configuration of an asynchronous store, as a container takes it.
///
///     let container = try ModelContainer(
///       for: Trip.self, configurations: AsyncConfiguration(RemoteConfiguration(host: host)))
public struct AsyncConfiguration<Base: AsyncDataStoreConfiguration>: DataStoreConfiguration {
  /// The store the configuration is for.
  public typealias Store = AsyncStoreBridge<Base>

  /// The configuration of the store.
  public var base: Base

  /// The configuration of an asynchronous store.
  public init(_ base: Base) { self.base = base }

  /// That of ``base``.
  public var name: String { base.name }

  /// Those of ``base``.
  public var schema: Schema? {
    get { base.schema }
    set { base.schema = newValue }
  }

  /// That of ``base``.
  public var conflictPolicy: ConflictPolicy { base.conflictPolicy }

  /// Checks ``base``.
  ///
  /// - Throws: an implementation throws ``SwiftDataError`` for a configuration that cannot be opened.
  public func validate() throws { try base.validate() }
}
