import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import Testing

/// Compiles text with caret comment lines, which specify the expected diagnostics for the line above them:
///
///     var kind: Knd = .a
///     //        ^~~ error[TYP001]: unknown type 'Knd'
///
/// The `^` and the following `~` mark the range. Any other diagnostic is a failure. A line `// file: Name.schema`
/// begins another file. With `fixed:`, all fixes are applied and the result is compared. With `isSwift`, the text is a
/// Swift file with models at its top level.
func expectDiagnostics(
  _ text: String, isTarget: Bool = false, isSwift: Bool = false, fixed: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let (texts, expected) = AnnotatedSource.parse(text)
  let swift = SwiftSources(isSwift ? texts : [], schemaName: "S")
  let files = isSwift ? swift.schemaFiles : texts
  let compilation = SchemaCompiler.compile(files, isTarget: isTarget, types: swift.types)
  for (tree, file) in zip(compilation.trees, files) {
    #expect(tree.printed() == file.bytes, "round trip", sourceLocation: sourceLocation)
  }
  let found = compilation.diagnostics.map {
    AnnotatedSource.Expectation(
      range: $0.range, text: "\($0.severity.rawValue)[\($0.id.code)]: \($0.message)")
  }
  for diagnostic in found where !expected.contains(diagnostic) {
    Issue.record(
      "unexpected at \(diagnostic.range.start)..<\(diagnostic.range.end): \(diagnostic.text)",
      sourceLocation: sourceLocation)
  }
  for expectation in expected where !found.contains(expectation) {
    Issue.record(
      "missing at \(expectation.range.start)..<\(expectation.range.end): \(expectation.text)",
      sourceLocation: sourceLocation)
  }
  guard let fixed else { return }
  let edits = compilation.diagnostics.flatMap { $0.fixIts.first?.edits ?? [] }
  let result = files[0].applying(edits, file: 0)
  // The files contain the annotations, so remove them from both sides.
  #expect(
    AnnotatedSource.withoutAnnotations(result) == fixed.trimmedLines, sourceLocation: sourceLocation
  )
}

/// The files and the expected diagnostics in annotated text.
enum AnnotatedSource {
  struct Expectation: Hashable {
    var range: SourceRange
    var text: String
  }

  static func parse(_ text: String) -> ([SourceFile], [Expectation]) {
    var files: [(path: String, text: String)] = [("Test.schema", "")]
    var expectations: [Expectation] = []
    var lineStart = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("// file: ") {
        if files[files.count - 1].text.isEmpty { files.removeLast() }
        files.append((String(line.dropFirst(9)), ""))
        lineStart = 0
        continue
      }
      if let (column, length, message) = annotation(line) {
        let start = lineStart + column
        expectations.append(
          Expectation(
            range: SourceRange(file: files.count - 1, start: start, end: start + length),
            text: message))
      } else {
        lineStart = files[files.count - 1].text.utf8.count
      }
      files[files.count - 1].text += line + "\n"
    }
    return (files.map { SourceFile(path: $0.path, text: $0.text) }, expectations)
  }

  /// Parses `// ^~~ error[X]: text`. A bar instead of the caret means an empty range, and `<` means the start of the
  /// line.
  private static func annotation(_ line: Substring) -> (Int, Int, String)? {
    let trimmed = line.drop { $0 == " " }
    guard trimmed.hasPrefix("//"), let caret = line.firstIndex(where: { "^|<".contains($0) })
    else { return nil }
    let before = line[..<caret].drop { $0 == " " }.dropFirst(2)
    guard before.allSatisfy({ $0 == " " }) else { return nil }
    let tail = line[line.index(after: caret)...].prefix { $0 == "~" }
    let message = line[tail.endIndex...].drop { $0 == " " }
    guard message.hasPrefix("error[") || message.hasPrefix("warning[") else { return nil }
    let length = line[caret] == "|" ? 0 : 1 + tail.utf8.count
    // The slashes occupy the first two columns, so `<` stands for the first column.
    return (line[caret] == "<" ? 0 : line[..<caret].utf8.count, length, String(message))
  }

  static func withoutAnnotations(_ file: SourceFile) -> [String] {
    let text = file.text(from: 0, to: file.bytes.count)
    let kept = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
      annotation($0) == nil
    }
    return kept.joined(separator: "\n").trimmedLines
  }
}

extension String {
  /// The string's lines, without trailing spaces and without empty lines at the end.
  var trimmedLines: [String] {
    var lines = split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      var line = line
      while line.last == " " { line = line.dropLast() }
      return String(line)
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}

/// Resolves a schema that compiles without errors and warnings.
func resolve(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws
  -> ResolvedSchema
{
  let file = SourceFile(path: "Test.schema", text: text)
  let compilation = SchemaCompiler.compile([file])
  let rendered = CompilerRenderer(files: [file]).render(compilation.diagnostics)
  #expect(rendered == "", sourceLocation: sourceLocation)
  return try #require(compilation.schemas.first, sourceLocation: sourceLocation)
}

extension ResolvedEntity {
  func attribute(_ name: String) -> ResolvedAttribute? {
    for case .attribute(let attribute) in properties where attribute.name == name {
      return attribute
    }
    return nil
  }

  func relationship(_ name: String) -> ResolvedRelationship? {
    for case .relationship(let relationship) in properties where relationship.name == name {
      return relationship
    }
    return nil
  }
}

extension ResolvedSchema {
  func entity(_ name: String) -> ResolvedEntity? { entities.first { $0.name == name } }
}
