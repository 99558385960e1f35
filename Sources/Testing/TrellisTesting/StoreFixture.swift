public import Foundation
public import Trellis

/// A populated store for a schema version, with the same contents on every run.
///
/// ```swift
/// import TrellisTesting
///
/// let file = URL.temporaryDirectory.appending(path: "trips-1.0.0.store")
/// try StoreFixture(SampleTripsSchema.V1_0_0.self).write(to: file)
/// ```
///
/// The rows have boundary values, `nil` and other values, every enum case, relationships of all sizes, and equal rows
/// where a later version can add uniqueness. Use a fixture to test migrations by hand or in other tools.
/// ``MigrationMatrix`` tests all versions.
public struct StoreFixture {
  private let version: any VersionedSchema.Type
  private let rowsPerModel: Int

  /// Creates a fixture.
  ///
  /// ```swift
  /// import TrellisTesting
  ///
  /// let small = StoreFixture(SampleTripsSchema.V2_0_0.self, rowsPerModel: 4)
  /// try small.write(to: .temporaryDirectory.appending(path: "small.store"))
  /// ```
  ///
  /// - Parameters:
  ///   - version: A version, generated or written by hand.
  ///   - rowsPerModel: The row count for each model, at least 2. The second half repeats the first half's values,
  ///     except for unique values.
  public init(_ version: any VersionedSchema.Type, rowsPerModel: Int = 24) {
    self.version = version
    self.rowsPerModel = max(2, rowsPerModel)
  }

  /// Creates a store file and writes the rows.
  ///
  /// ```swift
  /// import TrellisTesting
  ///
  /// let file = URL.temporaryDirectory.appending(path: "\(UUID()).store")
  /// try StoreFixture(SampleTripsSchema.V1_0_0.self).write(to: file)
  /// let migrated = try ModelContainer(
  ///   for: Schema(versionedSchema: SampleTripsSchema.Current.self), migrationPlan: SampleTripsMigrationPlan.self,
  ///   configurations: ModelConfiguration(url: file))
  /// ```
  ///
  /// - Parameter url: The file to create.
  /// - Throws: ``StoreFixtureError/exists(_:)`` if the file exists; errors from opening and saving.
  public func write(to url: URL) throws {
    guard !FileManager.default.fileExists(atPath: url.path) else { throw StoreFixtureError.exists(url) }
    let container = try ModelContainer(
      for: Schema(versionedSchema: version), configurations: ModelConfiguration(url: url))
    try write(into: container)
  }

  /// Inserts and saves the rows in a container whose schema is the fixture's version.
  ///
  /// ```swift
  /// import TrellisTesting
  ///
  /// let container = try ModelContainer(
  ///   for: Schema(versionedSchema: SampleTripsSchema.Current.self),
  ///   configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  /// try StoreFixture(SampleTripsSchema.Current.self).write(into: container)
  /// let trips = try ModelContext(container).fetch(FetchDescriptor<Trip>())
  /// ```
  ///
  /// Texts have no U+0000 if the store cannot contain it.
  ///
  /// - Throws: Errors from saving.
  public func write(into container: ModelContainer) throws {
    let context = ModelContext(container)
    var population = Population(version, context, rows: rowsPerModel)
    population.keepsNullCharacters = container.shapedStores.allSatisfy(\.keepsNullCharacters)
    population.makeModels()
    population.connect()
    try context.save()
  }
}

/// The reason why a fixture cannot be written.
///
/// ```swift
/// import TrellisTesting
///
/// do {
///   try StoreFixture(SampleTripsSchema.V1_0_0.self).write(to: url)
/// } catch StoreFixtureError.exists(let url) {
///   print("\(url.lastPathComponent) already exists")
/// }
/// ```
public enum StoreFixtureError: Error, CustomStringConvertible {
  /// The file exists. It was not changed.
  case exists(URL)

  public var description: String {
    switch self {
    case .exists(let url): "a file already exists at \(url.path); use a different path"
    }
  }
}
