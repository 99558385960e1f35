import Trellis

// The schema contains models with names of Swift types.
import enum LandmineGolden.LandmineTypesMigrationPlan
import enum LandmineGolden.LandmineWordsMigrationPlan

let landminePlans: [any SchemaMigrationPlan.Type] = [
  LandmineTypesMigrationPlan.self, LandmineWordsMigrationPlan.self,
]
