import SchemaDiagnostics
import SchemaReports
import Testing

@Suite struct RendererTests {
  private let files = [
    SourceFile(path: "Schemas/Trips.schema", text: "schema Trips 1.0.0\n\n\tvar é: Strng\n"),
    SourceFile(path: "B.schema", text: "x"),
  ]

  private var diagnostic: Diagnostic {
    let start = "schema Trips 1.0.0\n\n\tvar é: ".utf8.count
    return Diagnostic(
      .unknownType, at: SourceRange(file: 0, start: start, end: start + 5), "unknown type 'Strng'",
      label: "here", related: [.init(SourceRange(file: 1, start: 0, end: 1), "see this")],
      help: "did you mean 'String'?",
      fixIts: [
        .replace(
          SourceRange(file: 0, start: start, end: start + 5), with: "String",
          title: "write 'String'")
      ])
  }

  @Test func compilerForm() {
    #expect(
      CompilerRenderer(files: files).render(diagnostic) == """
        Schemas/Trips.schema:3:10: error: unknown type 'Strng' [TYP001 unknown-type]
        B.schema:1:1: note: see this
        Schemas/Trips.schema:3:10: note: did you mean 'String'?
        """)
  }

  @Test func compilerFormWithLines() {
    #expect(
      CompilerRenderer(files: files, showsLines: true).render(diagnostic) == """
        Schemas/Trips.schema:3:10: error: unknown type 'Strng' [TYP001 unknown-type]
         3 | \tvar é: Strng
           | \t       ^^^^^
        B.schema:1:1: note: see this
         1 | x
           | ^
        Schemas/Trips.schema:3:10: note: did you mean 'String'?
        """)
  }

  @Test func excerpt() {
    #expect(
      ExcerptRenderer(files: files).render(diagnostic) == """
        error: unknown type 'Strng' [TYP001 unknown-type]
         --> Schemas/Trips.schema:3:10
          |
        3 | \tvar é: Strng
          | \t       ^^^^^ here
        note: see this
         --> B.schema:1:1
          |
        1 | x
          | ^
        help: did you mean 'String'?
        fix: write 'String'
        """)
  }

  @Test(arguments: [0, 5, 10_000, Int.max, -1])
  func rangesBeyondTheEndOfTheFileAreShownAtItsEnd(offset: Int) {
    let range = SourceRange(file: 0, start: offset, end: offset)
    let wrong = Diagnostic(.unknownType, at: range, "m")
    #expect(CompilerRenderer(files: files).render(wrong).hasPrefix("Schemas/Trips.schema:"))
    #expect(ExcerptRenderer(files: files).render(wrong).hasPrefix("error: m"))
    let elsewhere = Diagnostic(.unknownType, at: SourceRange(file: 9, start: 0, end: 1), "m")
    #expect(CompilerRenderer(files: files).render(elsewhere).hasPrefix("<unknown>:1:1"))
  }

  @Test func allKindsOfLineBreaksAreRecognised() {
    let table = LineTable(SourceFile(path: "", text: "a\nb\r\nc\rd"))
    #expect(table.starts == [0, 2, 5, 7])
    #expect(table.position(at: 7) == SourcePosition(line: 4, column: 1))
  }

  @Test func sortingAndDeduplication() {
    let late = Diagnostic(.unknownType, at: SourceRange(file: 0, start: 9, end: 10), "late")
    let early = Diagnostic(.unknownType, at: SourceRange(file: 0, start: 1, end: 10), "early")
    #expect([late, early, late].sortedAndUnique() == [early, late])
  }

  @Test func identifiersAreUnique() {
    let all = DiagnosticID.compilerDiagnostics + DiagnosticID.versionDiagnostics
    #expect(Set(all.map(\.code)).count == all.count)
    #expect(Set(all.map(\.name)).count == all.count)
  }
}

@Suite struct SourceFileTests {
  @Test(arguments: [
    ("Trips.schema", "Trips", ""), ("/a/b.c/Trips.v2.schema", "Trips.v2", "/a/b.c"),
    ("a/.schema", ".schema", "a"), ("", "", ""), ("a/", "", "a"),
  ])
  func stemAndFolder(path: String, stem: String, folder: String) {
    let file = SourceFile(path: path, text: "")
    #expect(file.stem == stem)
    #expect(file.folder == folder)
  }

  @Test func overlappingEditsAreSkipped() {
    let file = SourceFile(path: "", text: "abcdef")
    func range(_ start: Int, _ end: Int) -> SourceRange {
      SourceRange(file: 0, start: start, end: end)
    }
    let edits = [
      TextEdit(range(2, 4), "X"), TextEdit(range(3, 5), "Y"), TextEdit(range(0, 0), "<"),
      TextEdit(range(5, 99), "Z"), TextEdit(range(2, 4), "X"),
      TextEdit(SourceRange(file: 1, start: 0, end: 1), "other file"),
    ]
    let result = file.applying(edits, file: 0)
    #expect(result.text(from: 0, to: 99) == "<abXeZ")
    #expect(file.applying(edits.reversed(), file: 0) == result)
  }
}

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("Sting", "String"), ("string", "String"), ("nmae", "name"), ("uniqe", "unique"),
    ("itn", "int"),
  ])
  func findsSimilarNames(name: String, nearest: String) {
    #expect(NearestName.find(name, in: ["String", "name", "unique", "int"]) == nearest)
  }

  @Test(arguments: ["Weather", "ab", "x", "", "naughty"])
  func ignoresDissimilarNames(name: String) {
    #expect(NearestName.find(name, in: ["String", "name", "ac", "y"]) == nil)
  }
}
