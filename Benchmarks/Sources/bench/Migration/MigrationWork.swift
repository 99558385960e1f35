import Foundation
import Trellis

/// The work that migration processes do.
enum MigrationWork {
  /// A migration to the next version.
  enum Hop: String {
    /// Computes a value of a different type from the old value: 1.0.0 to 2.0.0.
    case fill
    /// Renames a column and adds two columns: 2.0.0 to 3.0.0.
    case inPlace
    /// Removes a column: 3.0.0 to 4.0.0.
    case copy
    /// Does nothing, and uses no plan.
    case none
    /// Does nothing, but uses a plan.
    case planned

    /// The store version before the migration.
    var start: Int {
      switch self {
      case .fill: 1
      case .inPlace: 2
      case .copy: 3
      case .none, .planned: 4
      }
    }

    var hasRaw: Bool { self != .none && self != .planned }
  }

  struct Result: Codable {
    var milliseconds: Double
    var peak: Double
    /// The migrated rows' checksum.
    var checksum: String
  }

  private typealias Versions = ReadingsSchema

  /// The plan's versions.
  private static let versions: [any VersionedSchema.Type] = [
    Versions.V1_0_0.self, Versions.V2_0_0.self, Versions.V3_0_0.self, Versions.V4_0_0.self,
  ]

  private enum Fill: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Array(versions[0...1]) }
    static var stages: [MigrationStage] { Array(ReadingsMigrationPlan.stages[..<1]) }
    static var steps: [MigrationSteps] { MigrationWork.steps(upTo: 1) }
  }

  private enum InPlace: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { Array(versions[0...2]) }
    static var stages: [MigrationStage] { Array(ReadingsMigrationPlan.stages[..<2]) }
    static var steps: [MigrationSteps] { MigrationWork.steps(upTo: 2) }
  }

  /// The migration steps up to the version `last`.
  private static func steps(upTo last: Int) -> [MigrationSteps] {
    let reached = versions[1...last].map { $0.versionIdentifier }
    return ReadingsMigrationPlan.steps.filter { reached.contains($0.toVersion.versionIdentifier) }
  }

  /// Writes a store that has the version before a migration.
  static func build(_ hop: Hop, rows: Int, _ url: URL) throws {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    let context = ModelContext(try open(url, version: 1, nil))
    try context.insert(
      contentsOf: (0..<rows).lazy.map { number in
        Versions.V1_0_0.Reading.Snapshot(
          station: "station \(number % 50)", sensor: "sensor \(number % 7)", unit: "°C",
          sequence: number, quality: number % 3, flags: 0, value: Double(number) / 4,
          deviation: 0.5, taken: start.addingTimeInterval(Double(number)), isChecked: number % 2 == 0)
      })
    if hop.start > 1 { try migrate(.fill, url) }
    if hop.start > 2 { try migrate(.inPlace, url) }
    if hop.start > 3 { try migrate(.copy, url) }
    // Vacuum the store, so that it is a single file and has no free pages.
    try RawMigration.compact(url)
  }

  /// Migrates a store to the next version.
  static func execute(_ hop: Hop, _ side: Side, _ url: URL) throws -> Result {
    let (milliseconds, peak) = try Sample.peak {
      try Sample.time {
        switch side {
        case .raw: try RawMigration(url).run(hop)
        case .ours: try migrate(hop, url)
        }
      }.value
    }
    return Result(milliseconds: milliseconds, peak: peak, checksum: try RawMigration.checksum(url))
  }

  private static func migrate(_ hop: Hop, _ url: URL) throws {
    switch hop {
    case .fill: _ = try open(url, version: 2, Fill.self)
    case .inPlace: _ = try open(url, version: 3, InPlace.self)
    case .copy, .planned: _ = try open(url, version: 4, ReadingsMigrationPlan.self)
    case .none: _ = try open(url, version: 4, nil)
    }
  }

  private static func open(
    _ url: URL, version: Int, _ plan: (any SchemaMigrationPlan.Type)?
  ) throws -> ModelContainer {
    let schema = Schema(versionedSchema: versions[version - 1])
    var configuration = ModelConfiguration(schema: schema, url: url)
    // The C calls create no backup either.
    configuration.migration.keepsBackup = false
    return try ModelContainer(for: schema, migrationPlan: plan, configurations: configuration)
  }
}
