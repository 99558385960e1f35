import SchemaDiagnostics
import SchemaDriver
import SchemaModel
import SchemaSyntax

/// The schemas at some paths, compiled separately from released versions.
struct CompiledSchemas {
  /// The compiled files. Source ranges refer to them by index.
  private(set) var files: [SourceFile] = []
  private(set) var schemas: [ResolvedSchema] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ paths: [String], _ session: Session) throws {
    let found = try SchemaPaths.files(paths, session, swift: true)
    let swift = found.filter { $0.hasSuffix(SchemaPaths.swiftSuffix) }
    let targets = Set(swift.map { SwiftTarget(ofFile: $0) }).sorted { $0.sources < $1.sources }
    // Models in Swift files and the target's schema files form a single schema.
    var written = Dictionary(grouping: found.filter { !$0.hasSuffix(SchemaPaths.swiftSuffix) }, by: SchemaFolder.folder)
    let besides = targets.map { written.removeValue(forKey: $0.home) ?? [] }
    compile(try SchemaReader.read(written.values.flatMap { $0 }).get(), SwiftSources())
    for (target, schemaFiles) in zip(targets, besides) {
      let sources = SwiftSources(SchemaReader.swiftFiles(try target.files()), schemaName: target.module)
      compile(try SchemaReader.read(schemaFiles).get(), sources)
    }
    diagnostics = diagnostics.sortedAndUnique()
  }

  /// - Parameter swift: The target's Swift files.
  init(_ files: [SourceFile], _ swift: SwiftSources = SwiftSources()) { compile(files, swift) }

  private mutating func compile(_ read: [SourceFile], _ swift: SwiftSources) {
    let compilation = SchemaCompiler.compile(read + swift.schemaFiles, types: swift.types, firstIndex: files.count)
    files += read + swift.schemaFiles
    schemas += compilation.schemas
    diagnostics += compilation.diagnostics.unsuppressed(in: compilation.trees)
  }

  /// - Parameter ignored: Errors to ignore.
  /// - Throws: A ``DriverFailure`` with the remaining compile errors.
  func requireCompiled(ignoring ignored: Set<DiagnosticID> = []) throws(DriverFailure) {
    let errors = diagnostics.filter { $0.severity == .error && !ignored.contains($0.id) }
    guard errors.isEmpty else {
      throw DriverFailure([String(CompilerRenderer(files: files).render(errors).dropLast())], .unparsable)
    }
  }
}
