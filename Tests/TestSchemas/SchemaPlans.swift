import enum Access.AccessMigrationPlan
import enum InheritanceGolden.InheritanceMigrationPlan
import enum Initializers.InitializersMigrationPlan
import enum Landmine.LandmineTypesMigrationPlan
import enum Landmine.LandmineWordsMigrationPlan
import enum RelationshipsGolden.RelationshipsMigrationPlan
import enum SampleTripsGolden.SampleTripsMigrationPlan
import enum Several.SeveralMigrationPlan
public import Trellis
public import TrellisTesting
import enum ValuesGolden.ValuesMigrationPlan

/// The compiled migration plans of all schemas in `Schemas/`.
public enum SchemaPlans {
  /// The plans by schema name.
  public static let bySchema: [String: any SchemaMigrationPlan.Type] = [
    "Access": AccessMigrationPlan.self, "Inheritance": InheritanceMigrationPlan.self,
    "Initializers": InitializersMigrationPlan.self, "LandmineTypes": LandmineTypesMigrationPlan.self,
    "LandmineWords": LandmineWordsMigrationPlan.self, "Relationships": RelationshipsMigrationPlan.self,
    "SampleTrips": SampleTripsMigrationPlan.self, "Several": SeveralMigrationPlan.self,
    "Values": ValuesMigrationPlan.self,
  ]

  /// The folders with generated code in `Tests/Goldens`. The build-tool plugin generates the code of the remaining schemas.
  public static let goldens: Set<String> = ["Inheritance", "Relationships", "SampleTrips", "Values"]

  /// The folder of a schema in `Schemas/`.
  public static func folder(ofSchema name: String) -> String { name.hasPrefix("Landmine") ? "Landmine" : name }

  /// The module with the compiled models of a folder in `Schemas/`.
  public static func module(ofFolder folder: String) -> String {
    goldens.contains(folder) ? folder + "Golden" : folder
  }
}

extension SchemaPlans {
  /// The migrations between all versions of a schema.
  ///
  /// - Parameters:
  ///   - rowsPerModel: The rows in a store of each version.
  ///   - killedAt: The maximum number of statements at which a process is killed.
  /// - Returns: `nil` for an unknown schema.
  public static func matrix(of name: String, rowsPerModel: Int, killedAt: Int = 100) -> MigrationMatrix? {
    // The values that custom steps change intentionally.
    let changing: [String: Set<String>] = ["Inheritance": ["SchoolJourney.teacher"]]
    return bySchema[name].map {
      MigrationMatrix($0, rowsPerModel: rowsPerModel, changing: changing[name] ?? [], killedAt: killedAt)
    }
  }
}
