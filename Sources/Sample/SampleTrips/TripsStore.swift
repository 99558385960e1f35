import Foundation
public import Trellis

/// The store of all programs that use the trips.
public enum TripsStore {
  /// - Parameter path: The path of the store; nil for the store that all programs share.
  public static func configuration(_ path: String?) -> ModelConfiguration {
    if let path { return ModelConfiguration(url: URL(fileURLWithPath: path)) }
    // By default, each program has its own folder. These programs share a group's folder.
    return ModelConfiguration("trips", groupContainer: .identifier("trips"))
  }

  /// Opens the store, migrates it if necessary, and creates it if it does not exist.
  public static func container(_ configuration: any DataStoreConfiguration) throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self, migrationPlan: SampleTripsMigrationPlan.self, configurations: configuration)
  }
}
