import Testing
import Trellis
import TrellisTesting

/// What the matrix says of plans that the schema compiler lets through.
@Suite struct MatrixWordsTests {
  /// Nothing is written anew, and the rows have a case still that was accepted to go.
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

  @Test func valuesThatWereAcceptedToGoAreNamed() throws {
    let read = try problem(InPlace.self)
    #expect(read.what.hasPrefix("the store was migrated, and a row cannot be read: the value 'oval' of 'Letter."))
    #expect(read.advice.contains("in a 'fill'") && read.model == "Letter")
    // A fill of another property of the model makes rows anew, and cannot.
    let filled = try problem(StampsMigrationPlan.self)
    #expect(filled.what.contains("the value 'oval' of 'Letter.back'"), "\(filled)")
    #expect(filled.what.contains("in a 'fill' of 'Letter.back'"), "\(filled)")
    #expect(filled.advice == "do in the migration what the error asks for")
  }

  @Test func valuesInFilesComeIntoTheirRows() throws {
    let report = try MigrationMatrix(FilesMigrationPlan.self, killedAt: 10).check()
    #expect(report.rows > 0)
  }
}
