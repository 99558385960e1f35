import Trellis

// The schema has models called like the types of Swift.
import enum LandmineGolden.LandmineTypesMigrationPlan
import enum LandmineGolden.LandmineWordsMigrationPlan

let landminePlans: [any SchemaMigrationPlan.Type] = [
  LandmineTypesMigrationPlan.self, LandmineWordsMigrationPlan.self,
]
