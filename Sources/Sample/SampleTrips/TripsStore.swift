import Foundation
public import Trellis

/// Where the trips are, for every program that works on them.
public enum TripsStore {
  /// - Parameter path: the store; nil for the one in the data folder.
  public static func configuration(_ path: String?) -> ModelConfiguration {
    if let path { return ModelConfiguration(url: URL(fileURLWithPath: path)) }
    // By default each program has a folder of its own; these share that of `trips`.
    let own = ModelConfiguration("trips").url
    let programs = own.deletingLastPathComponent().deletingLastPathComponent()
    return ModelConfiguration(
      "trips",
      url: programs.appending(path: "trips", directoryHint: .isDirectory)
        .appending(path: own.lastPathComponent, directoryHint: .notDirectory))
  }

  /// Opens the store, whatever version of the program has written it, and makes it where there is none.
  public static func container(_ configuration: any DataStoreConfiguration) throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self, migrationPlan: SampleTripsMigrationPlan.self, configurations: configuration)
  }
}
