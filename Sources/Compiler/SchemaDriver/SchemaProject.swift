import Foundation
package import SchemaDiagnostics
import SchemaEmitter
package import SchemaModel
import SchemaSyntax
package import SchemaVersions

/// A target's compiled schemas, including released versions and lock files.
package struct SchemaProject: Sendable {
  /// The heads, followed by released versions. Diagnostics refer to files by index.
  package let files: [SourceFile]
  /// The histories, in head order. Empty if there are compile errors.
  package let histories: [SchemaHistory]
  package let diagnostics: [Diagnostic]
  /// The compiled heads.
  package let heads: SchemaCompilation
  /// The type names that the target's Swift files declare. Empty if no file declares a model.
  package var declaredTypes: Set<String> { types.names }
  /// The types that the target's Swift files declare.
  package let types: SwiftTypes
  private let locks: [String: VersionLock]

  /// - Parameters:
  ///   - heads: The current schema files.
  ///   - inputs: Released versions and lock files.
  ///   - isTarget: True if the heads are the inputs of a single target.
  ///   - swiftFiles: The target's Swift files.
  ///   - module: The target's module name.
  package init(
    heads: [String], inputs: [String] = [], isTarget: Bool, swiftFiles: [String] = [], module: String = "Models"
  ) throws(DriverFailure) {
    let swift = SwiftSources(SchemaReader.swiftFiles(swiftFiles), schemaName: module)
    let heads = try SchemaReader.read(heads).get() + swift.schemaFiles
    let suffix = "." + GeneratedNames.schemaSuffix
    let frozen = try SchemaReader.read(inputs.filter { $0.hasSuffix(suffix) }).get()
    self.init(
      heads: heads, frozen: frozen, locks: try Self.locks(inputs), isTarget: isTarget, types: swift.types)
  }

  private init(
    heads: [SourceFile], frozen: [SourceFile], locks: [String: VersionLock], isTarget: Bool,
    types: SwiftTypes = SwiftTypes()
  ) {
    files = heads + frozen
    self.types = types
    self.locks = locks
    self.heads = SchemaCompiler.compile(heads, isTarget: isTarget, types: types)
    var diagnostics = self.heads.diagnostics
    let released = Self.released(frozen, types, firstIndex: heads.count, &diagnostics)
    guard !diagnostics.hasErrors else {
      histories = []
      self.diagnostics = diagnostics
      return
    }
    histories = self.heads.schemas.map { head in
      SchemaHistory(
        head: head, frozen: released.filter { $0.name == head.name }, lock: locks[head.name])
    }
    let names = Set(self.heads.schemas.map(\.name))
    diagnostics += released.filter { !names.contains($0.name) }.map { .noHead($0) }
    for history in histories { diagnostics += history.check() }
    self.diagnostics = diagnostics.sortedAndUnique()
  }

  /// Returns a copy with the same released versions and different heads.
  ///
  /// - Parameter types: The types that the target's Swift files declare, or nil if they are unchanged.
  package func replacingHeads(_ heads: [SourceFile], types: SwiftTypes? = nil) -> SchemaProject {
    SchemaProject(
      heads: heads, frozen: Array(files[self.heads.trees.count...]), locks: locks, isTarget: false,
      types: types ?? self.types)
  }

  /// Compiles each folder separately, because versions are independent.
  private static func released(
    _ files: [SourceFile], _ types: SwiftTypes, firstIndex: Int, _ diagnostics: inout [Diagnostic]
  ) -> [ResolvedSchema] {
    var schemas: [ResolvedSchema] = []
    var start = 0
    while start < files.count {
      let folder = files[start].folder
      let end = files[start...].firstIndex { $0.folder != folder } ?? files.count
      let version = SchemaCompiler.compile(
        Array(files[start..<end]), types: types, firstIndex: firstIndex + start)
      // Omit warnings about released versions. Also permit removed options, because they are part of the version's
      // fingerprint, and properties without a replacement value, which models in Swift files may declare.
      let released: Set<DiagnosticID> = [.removedOption, .opaqueWithoutValue]
      diagnostics += version.diagnostics.filter { $0.severity == .error && !released.contains($0.id) }
      for schema in version.schemas {
        schemas.append(schema)
        let expected = "\(schema.name)-\(schema.version)"
        let name = folder.parts(separatedBy: "/").last ?? folder
        if name != expected { diagnostics.append(.otherFolder(schema, name, expected)) }
      }
      start = end
    }
    return schemas
  }

  /// Reads the lock files. The keys are schema names, which are the file names without extension.
  private static func locks(_ inputs: [String]) throws(DriverFailure) -> [String: VersionLock] {
    var locks: [String: VersionLock] = [:]
    let suffix = "." + GeneratedNames.lockSuffix
    for path in inputs where path.hasSuffix(suffix) {
      guard let data = FileManager.default.contents(atPath: path),
        let text = String(data: data, encoding: .utf8)
      else {
        throw DriverFailure(["\(path):1:1: error: the lock file cannot be read"], .usage)
      }
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      locks[name] = VersionLock(text: text)
    }
    return locks
  }
}

extension Diagnostic {
  fileprivate static func noHead(_ schema: ResolvedSchema) -> Self {
    Self(
      .missingStage, at: schema.versionRange,
      "schema '\(schema.name)' has released versions, but no current schema file",
      help: "restore the schema file, or remove the folder if no stores of the schema remain")
  }

  fileprivate static func otherFolder(
    _ schema: ResolvedSchema, _ name: String, _ expected: String
  ) -> Self {
    Self(
      .versionOrder, at: schema.versionRange,
      "the folder '\(name)' contains \(schema.name) \(schema.version)",
      help: "rename the folder to '\(expected)', or revert the edit of this line")
  }
}
