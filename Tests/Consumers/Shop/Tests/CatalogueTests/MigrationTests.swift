import Catalogue
import Testing
import TrellisTesting

/// The line of the article on migrations.
@Test func everyInstalledStoreOpens() throws {
  try MigrationMatrix(ReviewsMigrationPlan.self).check()
}
