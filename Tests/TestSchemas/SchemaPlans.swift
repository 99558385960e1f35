import enum Access.AccessMigrationPlan
import enum InheritanceGolden.InheritanceMigrationPlan
import enum Initializers.InitializersMigrationPlan
import enum Landmine.LandmineTypesMigrationPlan
import enum Landmine.LandmineWordsMigrationPlan
import enum RelationshipsGolden.RelationshipsMigrationPlan
import enum SampleTripsGolden.SampleTripsMigrationPlan
import enum Several.SeveralMigrationPlan
public import Trellis
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
