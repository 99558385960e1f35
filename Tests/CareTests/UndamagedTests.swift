import Foundation
import SchemaModel
import SchemaVersions
import StoreCare
import TestSupport
import Testing

/// No store that a version's app writes has a finding.
@Suite struct UndamagedTests {
  @Test(arguments: Repetitions.sample(VersionUnderTest.all, every: 3, "undamaged stores"))
  func aStoreOfTheVersionHasNoFinding(_ version: VersionUnderTest) throws {
    let folder = try TemporaryFolder()
    try version.write(to: folder.url.appending(path: "own.store"))
    let path = folder.path("own.store")
    let before = contents(of: path)
    let report = try StoreChecker.check(path)
    #expect(report.findings.isEmpty, "\(report.text)")
    #expect(report.rows > 0)
    #expect(report.version == "\(version.version.version)")
    #expect(contents(of: path) == before)
    #expect(folder.names.allSatisfy { ["own.store", "own.store-external"].contains($0) })
  }

  @Test func everySchemaInTheRepositoryIsExamined() {
    #expect(VersionUnderTest.all.count > 15)
    #expect(Set(VersionUnderTest.all.map(\.version.name)).count == 9)
  }
}
