import Testing
import Trellis
import TrellisTesting

/// Problems that the migration matrix reports for plans that the schema compiler accepts.
@Suite struct MatrixWordsTests {
  /// A migration in place keeps a raw value whose removal was accepted.
  enum InPlace: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { StampsMigrationPlan.schemas }
    static var stages: [MigrationStage] { [] }
  }

  private func problem(_ plan: any SchemaMigrationPlan.Type) throws -> MigrationMatrixError.Problem {
    let error = #expect(throws: MigrationMatrixError.self) { try MigrationMatrix(plan, killedAt: 0).check() }
    guard case .failed(let problems)? = error else { throw try #require(error) }
    #expect(problems.count == 1)
    return try #require(problems.first)
  }

  @Test func acceptedRemovedValuesAreReported() throws {
    let read = try problem(InPlace.self)
    #expect(read.what.hasPrefix("the store was migrated, but a row cannot be read: the value 'oval' of 'Letter."))
    #expect(read.advice.contains("in a 'fill'") && read.model == "Letter")
    // A fill of another property rewrites the rows and fails because of the raw value.
    let filled = try problem(StampsMigrationPlan.self)
    #expect(filled.what.contains("the value 'oval' of 'Letter.back'"), "\(filled)")
    #expect(filled.what.contains("in a 'fill' of 'Letter.back'"), "\(filled)")
    #expect(filled.advice == "resolve the error in the migration")
  }

  @Test func externalValuesAreMovedIntoTheirRows() throws {
    let report = try MigrationMatrix(FilesMigrationPlan.self, killedAt: 10).check()
    #expect(report.rows > 0)
  }
}
