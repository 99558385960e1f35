import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import Testing

/// Adds a header to a schema and compiles it without errors.
func schema(
  _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> ResolvedSchema {
  let file = SourceFile(path: "S.schema", text: "schema S 1.0.0\n" + text)
  let compilation = SchemaCompiler.compile([file])
  let errors = compilation.diagnostics.filter { $0.severity == .error }
  #expect(CompilerRenderer(files: [file]).render(errors) == "", sourceLocation: sourceLocation)
  return try #require(compilation.schemas.first, sourceLocation: sourceLocation)
}

/// Compares two schemas. Each expected change has the form `effect: text`.
func expectChanges(
  from old: String, to new: String, _ expected: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let old = try schema(old, sourceLocation: sourceLocation)
  let new = try schema(new, sourceLocation: sourceLocation)
  let changes = SchemaDiff.changes(from: old, to: new)
  #expect(
    changes.map { "\($0.effect.title): \($0.text)" } == expected, sourceLocation: sourceLocation)
  // The fingerprints are equal if and only if nothing but the order changed.
  #expect(
    changes.allSatisfy(\.isOfOrder) == (old.fingerprint() == new.fingerprint()), sourceLocation: sourceLocation)
  for change in changes {
    #expect(change.oldRange != nil || change.newRange != nil, sourceLocation: sourceLocation)
  }
  #expect(SchemaDiff.changes(from: old, to: old).isEmpty, sourceLocation: sourceLocation)
}
