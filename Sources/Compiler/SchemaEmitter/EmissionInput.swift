package import SchemaDiagnostics
package import SchemaModel
package import SchemaVersions

/// The generator's input and options for a target.
package struct EmissionInput: Sendable {
  /// The access level of declarations for which the schema states none.
  package enum DefaultAccess: String, Sendable, CaseIterable {
    case `internal`, `package`, `public`
  }

  /// The target's schemas and their released versions, resolved and free of errors.
  package var histories: [SchemaHistory]
  /// The files that the schemas were read from. Source ranges refer to them by index.
  package var files: [SourceFile]
  /// The names of the files that the build expects; `nil` to emit exactly the files that the schemas need.
  package var planned: [String]?
  /// The Swift module that contains the generated code.
  package var module: String
  /// The target's name, used in file names.
  package var target: String
  package var access: DefaultAccess
  /// The folder to omit from paths in generated code, so that the output is the same on every machine.
  package var root: String
  let names: DeclaredNames
  let runtime: RuntimeNames

  /// - Parameters:
  ///   - declares: Type names in the target's Swift code that collide with names in generated code.
  ///   - swiftFiles: The names of the target's Swift files, with no extension.
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

  /// Returns true if a Swift file with models imports the module with an access level below `public`.
  func writesAccess(ofImportsOf module: String) -> Bool {
    histories.contains { $0.head.files.contains { $0.importAccess[module].map { $0 != .public } ?? false } }
  }

  /// Returns a path as it appears in generated code.
  func shown(_ path: String) -> String {
    let prefix = root.hasSuffix("/") ? root : root + "/"
    return !root.isEmpty && path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}

/// A generated file.
package struct GeneratedFile: Sendable {
  package var name: String
  /// The contents in UTF-8.
  package var bytes: [UInt8]

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
