import ClassicV1
import ClassicV2
import TestTraits
import Testing
import Trellis

/// Deduplication of models whose partners are of the same class, in a file and in a database.
@Suite(.waiting) struct DuplicatePartnersTests {
  typealias V1 = SameAsAFileTests.Old<ClassicV1.Swan>
  typealias V2 = SameAsAFileTests.New<ClassicV2.Swan>

  enum Oldest: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self, [.dedupe(ClassicV2.Swan.self, on: ["name"], keep: .oldest)])
      ]
    }
  }

  enum Newest: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self, [.dedupe(ClassicV2.Swan.self, on: ["name"], keep: .newest)])
      ]
    }
  }

  /// Rows with number, name and the partner's number, separated by commas.
  struct Case: Sendable, CustomTestStringConvertible {
    let rows: String
    let plan: any SchemaMigrationPlan.Type
    let kept: String

    init(_ rows: String, _ plan: any SchemaMigrationPlan.Type, _ kept: String) {
      (self.rows, self.plan, self.kept) = (rows, plan, kept)
    }

    var testDescription: String { "\(rows) -> \(kept)" }
  }

  static let cases = [
    // One duplicate is the partner of another.
    Case("1 x 2, 2 x 1, 11 y, 12 y 13, 13 y 12", Oldest.self, "1 x, 11 y"),
    Case("1 x 2, 2 x 1, 11 y, 12 y 13, 13 y 12", Newest.self, "2 x, 13 y"),
    // The remaining row has no partner and receives the newest duplicate's partner.
    Case("1 x, 2 x 3, 3 z 2", Oldest.self, "1 x 3, 3 z 1"),
    Case("1 x, 2 x 4, 3 x 5, 4 z 2, 5 w 3", Oldest.self, "1 x 5, 4 z, 5 w 1"),
    // The remaining row keeps its own partner.
    Case("1 x 3, 2 x 4, 3 z 1, 4 w 2", Oldest.self, "1 x 3, 3 z 1, 4 w"),
    Case("1 x 3, 2 x 4, 3 z 1, 4 w 2", Newest.self, "2 x 4, 3 z, 4 w 2"),
    // Both partners have duplicates.
    Case("1 x 3, 2 x 4, 3 y 1, 4 y 2", Oldest.self, "1 x 3, 3 y 1"),
  ]

  @Test(arguments: cases, [false, true]) func partnersRemainPairs(_ test: Case, isServer: Bool) throws {
    let file = try MigrationFixture()
    let server = try isServer ? PostgresFixture() : nil
    func open(_ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?) throws -> ModelContext {
      try server?.open(version, plan) ?? file.open(version, plan)
    }
    let old = try open(V1.self, nil)
    let rows = test.rows.split(separator: ", ").map { $0.split(separator: " ").map(String.init) }
    let swans = try rows.map { row in
      let swan = ClassicV1.Swan(number: try #require(Int(row[0])), name: row[1])
      // Save the models one by one, so that the first ones are the oldest.
      try old.add([swan])
      return swan
    }
    for (row, swan) in zip(rows, swans) where row.count > 2 {
      swan.partner = swans.first { "\($0.number)" == row[2] }
    }
    try old.save()
    let context = try open(V2.self, test.plan)
    if !isServer { #expect(try file.complaints() == "") }
    let kept = try context.fetch(FetchDescriptor<ClassicV2.Swan>(sortBy: [SortDescriptor(\.number)]))
    let texts = kept.map { "\($0.number) \($0.name)\($0.partner.map { " \($0.number)" } ?? "")" }
    #expect(texts.joined(separator: ", ") == test.kept)
    for swan in kept { if let partner = swan.partner { #expect(partner.partner === swan) } }
  }
}
