import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import Testing

/// Returns versions 1.0.0, 2.0.0 and so on of a schema `S`. The last one is the head.
func history(
  _ texts: String..., lock: ((VersionLock) -> VersionLock?)? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> (SchemaHistory, [SourceFile]) {
  try history(
    numbered: texts.enumerated().map { ("\($0 + 1).0.0", $1) }, lock: lock, sourceLocation: sourceLocation)
}

/// Returns versions of a schema `S`, oldest first. The last one is the head.
func history(
  numbered versions: [(number: String, text: String)], lock: ((VersionLock) -> VersionLock?)? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> (SchemaHistory, [SourceFile]) {
  var files: [SourceFile] = []
  var schemas: [ResolvedSchema] = []
  for (index, version) in versions.enumerated() {
    let file = SourceFile(path: "\(index + 1)", text: "schema S \(version.number)\n" + version.text)
    let compilation = SchemaCompiler.compile([file], firstIndex: index)
    files.append(file)
    let report = CompilerRenderer(files: files).render(
      compilation.diagnostics.filter { $0.severity == .error })
    #expect(report == "", sourceLocation: sourceLocation)
    schemas.append(try #require(compilation.schemas.first, sourceLocation: sourceLocation))
  }
  let head = try #require(schemas.last, sourceLocation: sourceLocation)
  let frozen = Array(schemas.dropLast())
  let rebuilt = SchemaHistory(head: head, frozen: frozen).rebuiltLock
  var found: VersionLock? = frozen.isEmpty ? nil : rebuilt
  if let lock { found = lock(rebuilt) }
  return (SchemaHistory(head: head, frozen: frozen, lock: found), files)
}

/// Returns the diagnostics of the versions in the form `file:line code message`.
func findings(_ history: (SchemaHistory, [SourceFile])) -> [String] {
  let (history, files) = history
  return history.check().map { diagnostic in
    let range = diagnostic.range
    let line = LineTable(files[range.file]).line(at: range.start)
    let mark = diagnostic.severity == .error ? "" : " (\(diagnostic.severity.rawValue))"
    return "\(files[range.file].path):\(line) \(diagnostic.id.code)\(mark) \(diagnostic.message)"
  }
}

/// Compares diagnostics with the expected lines.
func expectFindings(
  _ history: (SchemaHistory, [SourceFile]), _ expected: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(findings(history) == expected, sourceLocation: sourceLocation)
}
