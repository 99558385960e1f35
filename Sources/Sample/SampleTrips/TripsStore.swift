import Foundation
public import Trellis

/// The store shared by all trips programs.
public enum TripsStore {
  /// - Parameter path: The store path; nil for the shared store.
  public static func configuration(_ path: String?) -> ModelConfiguration {
    if let path { return ModelConfiguration(url: URL(fileURLWithPath: path)) }
    // By default, each program has a separate folder. These programs share a group folder.
    return ModelConfiguration("trips", groupContainer: .identifier("trips"))
  }

  /// Opens the store, migrates it if necessary, and creates it if it does not exist.
  public static func container(_ configuration: any DataStoreConfiguration) throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self, migrationPlan: SampleTripsMigrationPlan.self, configurations: configuration)
  }
}
