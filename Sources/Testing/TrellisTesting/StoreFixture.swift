public import Foundation
public import Trellis

/// A populated store of one version of a schema, always the same one: boundary values, nil and not,
/// each case of each enum, each shape of relationship, and rows that are equal where uniqueness may come
/// later.
///
///     let url = URL(fileURLWithPath: "/tmp/trips-1.0.0.store")
///     try StoreFixture(SampleTripsSchema.V1_0_0.self).write(to: url)
public struct StoreFixture {
  private let version: any VersionedSchema.Type
  private let rowsPerModel: Int

  /// - Parameters:
  ///   - version: a version the schema compiler wrote, or one written by hand.
  ///   - rowsPerModel: how many rows each model gets; the second half repeats the values of the first.
  public init(_ version: any VersionedSchema.Type, rowsPerModel: Int = 24) {
    self.version = version
    self.rowsPerModel = max(2, rowsPerModel)
  }

  /// Makes the store.
  ///
  /// - Throws: ``StoreFixtureError`` where there is a store already, and what saving throws.
  public func write(to url: URL) throws {
    guard !FileManager.default.fileExists(atPath: url.path) else { throw StoreFixtureError.exists(url) }
    let container = try ModelContainer(
      for: Schema(versionedSchema: version), configurations: ModelConfiguration(url: url))
    try write(into: container)
  }

  /// Puts the rows into a store of the same version.
  public func write(into container: ModelContainer) throws {
    let context = ModelContext(container)
    var population = Population(version, context, rows: rowsPerModel)
    population.makeModels()
    population.connect()
    try context.save()
  }
}

/// Why there is no fixture.
public enum StoreFixtureError: Error, CustomStringConvertible {
  /// There is a file of that name already; nothing in it was touched.
  case exists(URL)

  public var description: String {
    switch self {
    case .exists(let url): "there is a file at \(url.path) already: name another one"
    }
  }
}
