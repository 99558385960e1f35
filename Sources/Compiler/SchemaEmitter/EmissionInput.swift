package import SchemaDiagnostics
package import SchemaModel
package import SchemaVersions

/// What is generated, for whom.
package struct EmissionInput: Sendable {
  /// The access of what the schema does not say the access of.
  package enum DefaultAccess: String, Sendable, CaseIterable {
    case `internal`, `package`, `public`
  }

  /// The schemas of one target with their released versions, resolved and checked without errors.
  package var histories: [SchemaHistory]
  /// The files they were read from; ranges in the schemas index this list.
  package var files: [SourceFile]
  /// The names of the files that the build expects; nil for those that the schemas need.
  package var planned: [String]?
  /// The Swift module the generated code becomes part of.
  package var module: String
  /// The name of the target, which the target's own generated files are named after.
  package var target: String
  package var access: DefaultAccess
  /// A folder that is left out of the paths in generated code, so that they are the same everywhere.
  package var root: String
  let names: DeclaredNames
  let runtime: RuntimeNames

  /// - Parameters:
  ///   - declares: The types that the target declares in Swift with the name of a type that generated code uses.
  ///   - swiftFiles: The names of the target's Swift files, without extension.
  package init(
    histories: [SchemaHistory], files: [SourceFile], module: String, target: String,
    access: DefaultAccess, root: String, declares: [String] = [], swiftFiles: [String] = []
  ) {
    self.histories = histories
    self.files = files
    self.module = module
    self.target = target
    self.access = access
    self.root = root
    names = DeclaredNames(
      module: module, schemas: histories.flatMap { $0.frozen + [$0.head] }, declares, swiftFiles: swiftFiles)
    runtime = RuntimeNames(names)
  }

  package init(
    schemas: [ResolvedSchema], files: [SourceFile], module: String, target: String,
    access: DefaultAccess, root: String, declares: [String] = [], swiftFiles: [String] = []
  ) {
    self.init(
      histories: schemas.map { SchemaHistory(head: $0) }, files: files, module: module, target: target,
      access: access, root: root, declares: declares, swiftFiles: swiftFiles)
  }

  /// Whether a Swift file with models imports the module with an access level below `public`.
  func writesAccess(ofImportsOf module: String) -> Bool {
    histories.contains { $0.head.files.contains { $0.importAccess[module].map { $0 != .public } ?? false } }
  }

  /// A path as it stands in generated code.
  func shown(_ path: String) -> String {
    let prefix = root.hasSuffix("/") ? root : root + "/"
    return !root.isEmpty && path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}

/// A generated file.
package struct GeneratedFile: Sendable {
  package var name: String
  /// UTF-8.
  package var bytes: [UInt8]

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
