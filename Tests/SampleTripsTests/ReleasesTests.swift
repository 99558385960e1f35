import Foundation
import Testing
import Trellis
import TrellisTesting

@testable import SampleTrips

/// Every release of the application can open the stores of all earlier releases.
struct ReleasesTests {
  @Test func everyInstalledStoreOpens() throws {
    let report = try MigrationMatrix(SampleTripsMigrationPlan.self).check()
    #expect(report.hops.map { "\($0.from) → \($0.to)" } == ["1.0.0 → 2.0.0", "1.0.0 → 3.0.0", "2.0.0 → 3.0.0"])
    #expect(report.rows > 100)
    #expect(report.values >= 400)
  }
}
