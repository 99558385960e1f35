import Catalogue
import Testing
import TrellisTesting

/// The test in the article on migrations.
@Test func everyInstalledStoreOpens() throws {
  try MigrationMatrix(ReviewsMigrationPlan.self).check()
}
