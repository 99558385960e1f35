/// A store that several contexts can call concurrently.
///
/// A container serializes calls to all other stores with a lock. A conformance to `Sendable` alone cannot be tested at
/// run time, so a store conforms to this protocol. SwiftData does not have it.
public protocol ConcurrentDataStore: DataStore, Sendable {}
