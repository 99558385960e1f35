import SchemaDiagnostics
import SchemaDiff
import SchemaEmitter
import SchemaFormat
import SchemaGraph
import SchemaLint
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// Runs the whole tool on a source text and checks properties that must always hold.
struct Pipeline {
  let settings: LintSettings
  private(set) var problems: [String] = []
  private(set) var isCompiled = false
  private(set) var isFormatted = false

  init() {
    var settings = LintSettings(profiles: Set(LintProfile.allCases))
    settings.preset = .strict
    self.settings = settings
  }

  mutating func countFormatted() { isFormatted = true }

  mutating func fail(_ problem: String) { problems.append(problem) }

  /// - Parameter number: The number of the source text. Slow checks run only for some numbers.
  mutating func run(_ bytes: [UInt8], origin: [UInt8], number: Int) {
    problems = []
    isCompiled = false
    isFormatted = false
    let file = SourceFile(path: "S.schema", bytes: bytes)
    let compilation = SchemaCompiler.compile([file])
    if compilation.trees.first?.printed() != bytes { fail("the tree does not print the text") }
    let history = compilation.schemas.first.map { SchemaHistory(head: $0) }
    let input = LintInput(compilation, histories: history.map { [$0] } ?? [])
    let outcome = SchemaLinter.lint(input, settings)
    for finding in outcome.findings { checkPlaces(of: finding.diagnostic, bytes.count) }
    report(outcome, file, number)
    checkFixes(outcome, file, number)
    if let tree = compilation.trees.first { checkFormat(of: tree, compilation, emits: number % 16 == 0) }
    guard !compilation.hasErrors, let history, let schema = compilation.schemas.first else { return }
    isCompiled = true
    if number % 4 == 0 { emit(history, file) }
    compare(schema, with: origin, number)
    explain(schema, file)
    draw(schema, number)
  }

  private mutating func checkPlaces(of diagnostic: Diagnostic, _ size: Int) {
    let ranges =
      [diagnostic.range] + diagnostic.related.map(\.range)
      + diagnostic.fixIts.flatMap { $0.edits.map(\.range) }
    if ranges.contains(where: { $0.start < 0 || $0.end < $0.start || $0.end > size || $0.file != 0 }) {
      fail("\(diagnostic.id) is outside of the file")
    }
    for fix in diagnostic.fixIts {
      let edits = fix.edits.map(\.range).sorted()
      if zip(edits, edits.dropFirst()).contains(where: { $0.end > $1.start }) {
        fail("edits of a fix of \(diagnostic.id) overlap")
      }
    }
  }

  private mutating func report(_ outcome: LintOutcome, _ file: SourceFile, _ number: Int) {
    var result = LintResult()
    result.append(outcome, files: [file])
    let all = ReportFormat.allCases
    for format in [ReportFormat.text, all[number % all.count]] where (try? format.render(result)) == nil {
      fail("\(format.rawValue) cannot be written")
    }
  }

  private mutating func emit(_ history: SchemaHistory, _ file: SourceFile) {
    let input = EmissionInput(
      histories: [history], files: [file], module: "M", target: "M", access: .internal, root: "")
    if SchemaEmitter.emit(input).contains(where: { $0.text.isEmpty }) { fail("an empty file is generated") }
  }

  private mutating func compare(_ schema: ResolvedSchema, with origin: [UInt8], _ number: Int) {
    if !SchemaDiff.changes(from: schema, to: schema).isEmpty { fail("a schema differs from itself") }
    guard let old = SchemaCompiler.compile([SourceFile(path: "S.schema", bytes: origin)]).schemas.first else { return }
    for (one, other) in [(old, schema), (schema, old)] {
      let isSame = one.fingerprint() == other.fingerprint()
      let isUnchanged = SchemaDiff.changes(from: one, to: other).allSatisfy(\.isOfOrder)
      if isUnchanged != isSame { fail("changes and fingerprints disagree") }
    }
    guard number % 4 == 0 else { return }
    // Treat the origin as a released version.
    var head = schema
    head.version = SchemaVersion(old.version.major + 1, 0, 0)
    let history = SchemaHistory(head: head, frozen: [old])
    _ = history.check() + history.advice()
    if number % 32 == 0 { _ = DiagramPage(Diagram(comparing: [[old, head]])).text }
  }

  private mutating func explain(_ schema: ResolvedSchema, _ file: SourceFile) {
    for entity in schema.entities {
      if DeleteConsequences(of: entity.name, in: schema, files: [file])?.text.isEmpty ?? true {
        fail("nothing follows from the deletion of \(entity.name)")
      }
      if InsertNeeds(of: entity.name, in: schema, files: [file])?.text.isEmpty ?? true {
        fail("nothing is known of the insertion of \(entity.name)")
      }
    }
  }

  private mutating func draw(_ schema: ResolvedSchema, _ number: Int) {
    let diagram = Diagram([schema])
    if MermaidDiagram(diagram).text.isEmpty || DotDiagram(diagram).text.isEmpty { fail("a diagram is empty") }
    if number % 8 == 0, DiagramDrawing(diagram).text.isEmpty { fail("a drawing is empty") }
  }
}
