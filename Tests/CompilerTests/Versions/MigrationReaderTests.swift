import SchemaDiagnostics
import SchemaModel
import Testing

/// Tests of the steps in a `migration from …` block.
struct MigrationReaderTests {
  private func read(_ steps: String) -> (ResolvedMigration?, [String]) {
    let file = SourceFile(
      path: "S.schema", text: "schema S 2.0.0\n@Model class A { var x: Int = 0 }\nmigration from 1.0.0 {\n\(steps)\n}\n"
    )
    let compilation = SchemaCompiler.compile([file])
    let lines = LineTable(file)
    return (
      compilation.schemas.first?.migrations.first,
      compilation.diagnostics.map { "\(lines.line(at: $0.range.start)) \($0.id.code) \($0.message)" }
    )
  }

  @Test func everyStep() throws {
    let (migration, problems) = read(
      """
      fill A.x = Int(old.y * 100)   // in cents
      fill A.z = old.list
        .map { $0 + 1 }
        .first ?? 0; custom first
      dedupe A on [\\.x, \\.y] keep oldest
      custom second
      accept MIG011 A.w -- "moved to \\"B\\""
      accept attribute-dropped A.v -- #"raw"#
      """)
    #expect(problems == [])
    let steps = try #require(migration).steps
    #expect(steps.count == 7)
    let fills = steps.compactMap { if case .fill(let fill) = $0 { fill } else { nil } }
    #expect(fills.map(\.property) == ["x", "z"])
    #expect(fills.map(\.value.text) == ["Int(old.y * 100)", "old.list\n  .map { $0 + 1 }\n  .first ?? 0"])
    #expect(fills.map(\.value.line) == [4, 5])
    let names = steps.compactMap { if case .custom(let custom) = $0 { custom.name } else { nil } }
    #expect(names == ["first", "second"])
    let dedupes = steps.compactMap { if case .dedupe(let dedupe) = $0 { dedupe } else { nil } }
    #expect(dedupes.map(\.properties) == [["x", "y"]])
    #expect(dedupes.map(\.keep) == [.oldest])
    let acceptances = steps.compactMap { if case .accept(let step) = $0 { step } else { nil } }
    #expect(acceptances.map(\.rule) == ["MIG011", "attribute-dropped"])
    #expect(acceptances.map(\.subject) == ["A.w", "A.v"])
    #expect(acceptances.map(\.reason) == ["moved to \"B\"", "raw"])
  }

  static let mistakes: [(step: String, problem: String)] = [
    ("fil A.x = 1", "4 SYN002 'fil' is not a migration step"),
    ("fill A = 1", "4 SYN001 expected the property to fill"),
    ("fill A.x 1", "4 SYN001 expected '=' and the value"),
    ("fill A.x =", "4 SYN001 missing the value of 'A.x'"),
    ("fill", "4 SYN001 missing the property to fill"),
    ("dedupe A", "4 SYN001 missing 'on' and key paths"),
    ("dedupe A on [x] keep newest", "4 SYN001 expected key paths like '\\.name' in brackets"),
    ("dedupe A on [\\.x] keep best", "4 SYN001 expected 'keep newest' or 'keep oldest'"),
    ("custom", "4 SYN001 missing the name of a function"),
    ("custom a b", "4 SYN001 unexpected 'b' after 'a'"),
    ("accept MIG011", "4 SYN001 missing the accepted change, as in 'Trip.nickname'"),
    ("accept MIG011 A.x", "4 SYN001 missing '--' and a reason in quotes"),
    ("accept MIG011 A.x -- \" \"", "4 SYN001 expected a reason between the quotes"),
    ("1 + 2", "4 SYN002 '1' is not a migration step"),
  ]

  @Test(arguments: mistakes) func mistakesAreReportedOnce(step: String, problem: String) {
    #expect(read(step).1 == [problem])
    // The following step is still parsed.
    let (migration, problems) = read(step + "\ncustom last")
    #expect(problems == [problem])
    #expect(migration?.steps.count ?? 0 >= 1)
  }

  @Test func invalidVersionNumber() {
    let file = SourceFile(
      path: "S.schema", text: "schema S 2.0.0\n@Model class A { var x: Int = 0 }\nmigration from 1.0 { }\n")
    #expect(SchemaCompiler.compile([file]).diagnostics.map(\.id) == [.missingVersion])
  }
}
