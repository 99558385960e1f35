/// A store that contexts may call at the same time.
///
/// A container calls any other store from one context at a time, under a lock of its own. Being
/// `Sendable` alone cannot be seen at run time, so a store says it here. Not in SwiftData.
public protocol ConcurrentDataStore: DataStore, Sendable {}
