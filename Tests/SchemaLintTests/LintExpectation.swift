import SchemaDiagnostics
import SchemaLint
import SchemaModel
import Testing

/// Lints text in which comment lines of carets say what is expected about the line above them:
///
///     var Name: String
///     //  ^~~~ warning[NAM002]: the name of 'Trip.Name' is not in lowerCamelCase
///
/// What is not announced must not be said, by any rule. With `fixed:` every fix-it is applied and
/// compared, and the result is linted again: nothing new may be found, and nothing to fix be left.
func expectFindings(
  _ text: String, profiles: Set<LintProfile> = [], fixed: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let file = SourceFile(path: "Test.schema", text: text)
  let expected = Set(expectations(in: text))
  let findings = lint(file, profiles)
  let found = Set(findings.map { Expectation($0) })
  for expectation in found.subtracting(expected) {
    Issue.record("unexpected: \(expectation)", sourceLocation: sourceLocation)
  }
  for expectation in expected.subtracting(found) {
    Issue.record("missing: \(expectation)", sourceLocation: sourceLocation)
  }
  guard let fixed else {
    #expect(!offersFix(findings), "a fix is not compared", sourceLocation: sourceLocation)
    return
  }
  let result = file.applying(findings.flatMap { $0.fixIts.first?.edits ?? [] }, file: 0)
  #expect(withoutAnnotations(result) == lines(fixed), sourceLocation: sourceLocation)
  let left = lint(result, profiles)
  #expect(!offersFix(left), sourceLocation: sourceLocation)
  #expect(
    Set(left.map(\.message)).isSubset(of: Set(findings.map(\.message))),
    sourceLocation: sourceLocation)
}

private struct Expectation: Hashable, CustomStringConvertible {
  var start: Int
  var end: Int
  var text: String

  init(start: Int, end: Int, text: String) {
    self.start = start
    self.end = end
    self.text = text
  }

  init(_ diagnostic: Diagnostic) {
    self.init(
      start: diagnostic.range.start, end: diagnostic.range.end,
      text: "\(diagnostic.severity.rawValue)[\(diagnostic.id.code)]: \(diagnostic.message)")
  }

  var description: String { "\(start)..<\(end): \(text)" }
}

private func lint(_ file: SourceFile, _ profiles: Set<LintProfile>) -> [Diagnostic] {
  SchemaLinter.lint(SchemaCompiler.compile([file]), profiles: profiles)
}

private func offersFix(_ findings: [Diagnostic]) -> Bool {
  findings.contains { !$0.fixIts.isEmpty }
}

private func expectations(in text: String) -> [Expectation] {
  var result: [Expectation] = []
  var lineStart = 0
  var next = 0
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if let (column, length, message) = annotation(line) {
      let start = lineStart + column
      result.append(Expectation(start: start, end: start + length, text: message))
    } else {
      lineStart = next
    }
    next += line.utf8.count + 1
  }
  return result
}

/// `// ^~~ warning[X]: text`: where the carets begin, how many they are, and what is said.
private func annotation(_ line: Substring) -> (Int, Int, String)? {
  guard line.drop(while: { $0 == " " }).hasPrefix("//"), let caret = line.firstIndex(of: "^")
  else { return nil }
  let tail = line[line.index(after: caret)...].prefix { $0 == "~" }
  let message = line[tail.endIndex...].drop { $0 == " " }
  return (line[..<caret].utf8.count, 1 + tail.utf8.count, String(message))
}

private func withoutAnnotations(_ file: SourceFile) -> [Substring] {
  lines(file.text(from: 0, to: file.bytes.count)).filter { annotation($0) == nil }
}

private func lines(_ text: String) -> [Substring] {
  text.split(separator: "\n", omittingEmptySubsequences: false)
}
