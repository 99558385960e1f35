public import Foundation
public import Trellis

/// A populated store for a schema version with reproducible contents: boundary values, nil and other values, every
/// enum case, relationships of all sizes, and equal rows where a later version can add uniqueness.
///
///     let url = URL(fileURLWithPath: "/tmp/trips-1.0.0.store")
///     try StoreFixture(SampleTripsSchema.V1_0_0.self).write(to: url)
public struct StoreFixture {
  private let version: any VersionedSchema.Type
  private let rowsPerModel: Int

  /// Creates a fixture.
  ///
  /// - Parameters:
  ///   - version: A version, generated or written by hand.
  ///   - rowsPerModel: The row count for each model, at least 2. The second half repeats the first half's values.
  public init(_ version: any VersionedSchema.Type, rowsPerModel: Int = 24) {
    self.version = version
    self.rowsPerModel = max(2, rowsPerModel)
  }

  /// Writes the store.
  ///
  /// - Throws: ``StoreFixtureError/exists(_:)`` if the file exists, and errors from saving.
  public func write(to url: URL) throws {
    guard !FileManager.default.fileExists(atPath: url.path) else { throw StoreFixtureError.exists(url) }
    let container = try ModelContainer(
      for: Schema(versionedSchema: version), configurations: ModelConfiguration(url: url))
    try write(into: container)
  }

  /// Inserts the rows into a container with the same version. Texts have no U+0000 if the store cannot contain it.
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
public enum StoreFixtureError: Error, CustomStringConvertible {
  /// The file exists. It was not changed.
  case exists(URL)

  public var description: String {
    switch self {
    case .exists(let url): "a file already exists at \(url.path); use a different path"
    }
  }
}
