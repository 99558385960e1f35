import Foundation
import SchemaDiagnostics
import SchemaModel
import SchemaReports
import SchemaSyntax
import TestSupport
import Testing

/// Runs the whole compiler on invalid schemas. It must not trap and must return a result for each of them.
@Suite struct RobustnessTests {
  private static let text = #"""
    schema Travel 2.1.0
    import Foundation
    /// A journey.
    @Model(originalName: "Trip")
    public final class Journey: Base, Identifiable {
      #Unique<Journey>([\.name, \.start], onConflict: .fail)
      #Index<Journey>([\.start], .rtree([\.name]))
      @Attribute(.unique, originalName: "title", onConflict: .keep) var name: String = "a"
      var start: Date, end = Date.now
      private(set) var kind: Kind = .a
      var list = [Int](), map: [String: Set<Int>]? = nil
      @Transient var cache: Int? = 3
      @Relationship(deleteRule: .cascade, minimumModelCount: 0, inverse: \Stop.journey)
      var stops: [Stop] = []
      init(name: String) { self.name = name }
      var days: Int { 3 }
      var seen: Bool = false { didSet { print("x") } }
      enum Status: String { case a }
    }
    @Model class Base { var id: UUID; var next: Base?; @Relationship(inverse: \Base.next) var previous: Base? }
    @Model class Stop { var journey: Journey?; var home: Address? }
    enum Kind: String, Codable { case a = "x", b, c }
    enum Shape: Codable { case circle(radius: Double), square(Int, Address) }
    struct Address: Codable { var city: String = "x"; var other: [Address] }
    migration from 1.0.0 { fill Journey.name = "x" }
    """#

  @Test func theUnchangedTextCompiles() {
    let file = SourceFile(path: "Travel.schema", text: Self.text)
    let rendered = CompilerRenderer(files: [file]).render(
      SchemaCompiler.compile([file]).diagnostics)
    #expect(rendered.split(separator: "\n").count == 2, "\(rendered)")  // the warning and its help
  }

  @Test func everyTokenRemovedOrDuplicated() {
    let file = SourceFile(path: "T.schema", text: Self.text)
    let (tokens, _) = Lexer.lex(file, index: 0)
    for (number, token) in tokens.enumerated() where token.kind != .endOfFile {
      let range = Int(token.start)..<Int(token.end)
      // A short run alternates between removing and duplicating.
      if Repetitions.isThorough || number % 2 == 0 {
        var without = file.bytes
        without.removeSubrange(range)
        compile(without)
      }
      guard Repetitions.isThorough || number % 2 == 1 else { continue }
      var doubled = file.bytes
      doubled.insert(contentsOf: [0x20] + file.bytes[range] + [0x20], at: range.lowerBound)
      compile(doubled)
    }
  }

  /// Incomplete schemas, as they exist while a user is typing.
  @Test func everyPrefix() {
    let bytes = Array(Self.text.utf8)
    for end in stride(from: 0, to: bytes.count, by: Repetitions.isThorough ? 1 : 2) { compile(Array(bytes[..<end])) }
  }

  @Test func deepNesting() {
    let depth = 200
    func nested(_ open: String, _ core: String, _ close: String) -> String {
      String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }
    let members = [
      "var x: " + nested("[", "Int", "]"), "var x: " + nested("Set<", "Int", ">"),
      "var x: " + nested("[String: ", "Int", "]"), "var x: Int" + nested("?", "", ""),
      "var x: " + nested("(", "Int", ")"), "var x: Int = " + nested("(", "1", ")"),
      "var x: [Int] = " + nested("[", "1", "]"), "var x: Int = " + nested("{ ", "1", " }()"),
      "var x: Int = " + nested("f(", "1", ")"), "var x: Int { " + nested("{ ", "1", " }") + " }",
      nested("struct S { ", "", " }"), nested("#if A\n", "", "\n#endif\n"),
      "var x = \"" + nested("\\(\"", "", "\")") + "\"", "/* " + nested("/*", "", "*/") + " */ var y = 1",
    ]
    for member in members { compile(Array("schema A 1.0.0\n@Model class A { \(member) }".utf8)) }
    compile(Array(nested("struct S { var x: Int\n", "", " }").utf8))
    compile(Array(nested("enum S { case a\n", "", " }").utf8))
    let chain = (0..<2000).map { "@Model class M\($0): M\($0 + 1) { var x\($0): Int }\n" }.joined()
    compile(Array((chain + "@Model class M2000: M0 { var y: Int }").utf8))
    compile(Array((chain + "@Model class M2000 { var y: Int }").utf8))
  }

  @Test func randomBytes() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let source = Array(Self.text.utf8)
    for _ in 0..<Repetitions.scaled(100, upTo: 2_000) {
      var bytes = source
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[index] = UInt8.random(in: 0...255, using: &random)
        } else {
          let end = min(bytes.count, index + Int.random(in: 0..<60, using: &random))
          let piece = Array(bytes[index..<end])
          bytes.insert(contentsOf: piece, at: Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      compile(bytes, "seed \(seed)")
    }
  }

  @Test func emptyAndBinaryFiles() {
    compile([])
    compile([0])
    compile([UInt8](0...255))
    compile(Array(repeating: 0xFF, count: 5000))
    #expect(SchemaCompiler.compile([]).schemas.isEmpty)
  }

  private func compile(_ bytes: [UInt8], _ comment: Comment? = nil) {
    let files = [SourceFile(path: "T.schema", bytes: bytes)]
    let compilation = SchemaCompiler.compile(files)
    #expect(compilation.schemas.count == 1, comment)
    #expect(compilation.trees[0].printed() == bytes, comment)
    for diagnostic in compilation.diagnostics {
      #expect(diagnostic.range.start >= 0 && diagnostic.range.end <= bytes.count, comment)
    }
    if !bytes.isEmpty {
      _ = CompilerRenderer(files: files).render(compilation.diagnostics)
      _ = ExcerptRenderer(files: files).render(compilation.diagnostics)
    }
    for fixIt in compilation.diagnostics.flatMap(\.fixIts) {
      _ = files[0].applying(fixIt.edits, file: 0)
    }
  }
}

/// Every diagnostic of the compiler must have a fixture that expects it.
@Suite struct DiagnosticCoverageTests {
  @Test func everyDiagnosticHasAFixture() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().resolvingSymlinksInPath()
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let fixtures = try files.filter { $0.lastPathComponent.hasSuffix("FixtureTests.swift") }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for id in DiagnosticID.compilerDiagnostics {
      #expect(fixtures.contains("[\(id.code)]: "), "\(id) has no fixture")
    }
  }
}
