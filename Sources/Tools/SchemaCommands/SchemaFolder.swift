import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaModel
import SchemaSyntax
package import SchemaVersions

/// A folder of current schema files, compiled together with the released versions.
package struct SchemaFolder: Sendable {
  /// The path. Empty for the working directory.
  package let path: String
  package let project: SchemaProject
  /// The histories of the requested schemas. Empty if there are compile errors.
  package let histories: [SchemaHistory]
  /// The target that provides Swift files, or nil if the folder contains only schema files.
  let target: SwiftTarget?
  /// Schema files that do not exist yet. See ``addingVersionFiles()``.
  private(set) var newFiles: Set<String> = []

  /// Opens schema folders: the folders of given files, and given folders with their subfolders. The default is the
  /// session's folder.
  ///
  /// - Parameter unreadable: Receives errors for folders that contain unreadable files. If nil, the error is thrown.
  package static func open(
    _ paths: [String], _ session: Session, unreadable: ((DriverFailure) -> Void)? = nil
  ) throws -> [SchemaFolder] {
    let files = try SchemaPaths.files(paths, session, swift: true)
    for file in files where SchemaPaths.kind(of: file) == nil {
      throw DriverFailure(["\(file):1:1: error: no such file"], .usage)
    }
    let wanted = Dictionary(grouping: files) {
      $0.hasSuffix(SchemaPaths.swiftSuffix) ? SwiftTarget(ofFile: $0).home : folder(of: $0)
    }
    for folder in wanted.keys.sorted() where isReleased(folder) {
      throw DriverFailure(
        ["\(folder): error: this is a released version, which cannot be edited; name the current schema files"], .usage)
    }
    return try wanted.keys.sorted().compactMap { folder in
      do {
        return try SchemaFolder(folder, wanted: Set(wanted[folder] ?? []))
      } catch let failure as DriverFailure {
        guard let unreadable, !failure.unreadable.isEmpty, failure.status == .unparsable else { throw failure }
        unreadable(failure)
        return nil
      }
    }
  }

  /// Opens source text as a file in its folder, together with the folder's other schemas and released versions.
  static func open(_ text: SourceFile) throws -> SchemaFolder {
    let folder = folder(of: text.path)
    guard !isReleased(folder) else {
      throw DriverFailure(
        ["\(folder): error: this is a released version, which cannot be edited; name the current schema files"], .usage)
    }
    let there = try SchemaFolder(folder, wanted: [])
    let others = there.project.heads.trees.map(\.file).filter { $0.path != text.path }
    return SchemaFolder(folder, others + [text], of: there.project, target: there.target)
  }

  /// Opens source text that belongs to no folder.
  static func alone(_ texts: SourceFile...) throws -> SchemaFolder {
    SchemaFolder("", texts, of: try SchemaProject(heads: [], isTarget: false))
  }

  private init(_ path: String, _ heads: [SourceFile], of project: SchemaProject, target: SwiftTarget? = nil) {
    self.path = path
    self.target = target
    self.project = project.replacingHeads(heads.sorted { $0.path < $1.path })
    histories = self.project.histories
  }

  private init(_ path: String, _ project: SchemaProject, _ histories: [SchemaHistory], target: SwiftTarget?) {
    self.path = path
    self.project = project
    self.histories = histories
    self.target = target
  }

  /// Returns a copy of the folder with different file contents.
  func replacing(_ project: SchemaProject) -> SchemaFolder {
    let names = Set(histories.map(\.head.name))
    return SchemaFolder(
      path, project, project.histories.filter { names.contains($0.head.name) }, target: target)
  }

  init(_ path: String, wanted: Set<String>) throws {
    self.path = path
    try TransactionJournal.complete(in: path)
    let here = path.isEmpty ? "." : path
    let names = try? FileManager.default.contentsOfDirectory(atPath: here)
    let heads = (names ?? []).filter { $0.hasSuffix(SchemaPaths.suffix) && !$0.hasPrefix(".") }
      .map { Session.join(path, $0) }.filter { SchemaPaths.kind(of: $0) == .file }
    let swift = wanted.first { $0.hasSuffix(SchemaPaths.swiftSuffix) }.map { SwiftTarget(ofFile: $0) }
    target = swift ?? SwiftTarget(home: path)
    project = try SchemaProject(
      heads: heads, inputs: try Self.inputs(of: target?.released ?? path), isTarget: false,
      swiftFiles: try target?.files() ?? [],
      module: target?.module ?? "Models")
    histories = project.histories.filter { history in
      history.head.files.contains { wanted.contains($0.path) }
    }
  }

  /// Returns true for the folder of a released version, for example `versions/Trips-1.0.0`.
  static func isReleased(_ folder: String) -> Bool {
    let parts = URL(fileURLWithPath: folder.isEmpty ? "." : folder).pathComponents.suffix(2)
    guard parts.count == 2, parts.first == SchemaPaths.versions, let name = parts.last,
      let dash = name.lastIndex(of: "-")
    else { return false }
    return SchemaVersion(String(name[name.index(after: dash)...])) != nil
  }

  /// Returns the files of released versions and the lock files below a folder.
  static func inputs(of folder: String) throws -> [String] {
    let versions = Session.join(folder, SchemaPaths.versions)
    guard SchemaPaths.kind(of: versions) == .folder else { return [] }
    return try SchemaPaths.files(below: versions).filter(isVersion)
  }

  private static func isVersion(_ path: String) -> Bool {
    path.hasSuffix(SchemaPaths.suffix) || path.hasSuffix(SchemaPaths.lockSuffix)
  }

  /// Returns the schema folder to which a file belongs; nil for other files and for released versions.
  package static func home(of path: String) -> String? {
    if path.hasSuffix(SchemaPaths.swiftSuffix) { return SwiftTarget(ofFile: path).home }
    guard path.hasSuffix(SchemaPaths.suffix), !isReleased(folder(of: path)) else { return nil }
    return folder(of: path)
  }

  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// Formats diagnostics as compilers do.
  func render(_ diagnostics: [Diagnostic]) -> String {
    CompilerRenderer(files: project.files).render(diagnostics)
  }

  /// Throws if the head or a released version does not compile.
  package func requireCompiled() throws {
    guard project.histories.isEmpty else { return }
    let errors = project.diagnostics.filter { $0.severity == .error }
    // A released version in the wrong folder compiles, so it is only a finding.
    let isReadable = errors.allSatisfy { DiagnosticID.versionDiagnostics.contains($0.id) }
    throw DriverFailure([String(render(errors).dropLast())], isReadable ? .findings : .unparsable)
  }

  /// Findings about released versions that have no current schema file.
  var strayFindings: [Diagnostic] {
    let known = Set(project.heads.diagnostics + project.histories.flatMap { $0.check() })
    return project.diagnostics.filter { !known.contains($0) }
  }

  /// Returns a schema's files and their indices in the project.
  func files(of history: SchemaHistory) -> [(index: Int, file: SourceFile)] {
    let paths = Set(history.head.files.map(\.path))
    return project.heads.trees.compactMap { tree in
      paths.contains(tree.file.path) ? (tree.fileIndex, tree.file) : nil
    }
  }

  func versionFolder(of history: SchemaHistory) throws -> String {
    let name = try FileName.checked("\(history.head.name)-\(history.head.version)")
    return Session.join(Session.join(target?.released ?? path, SchemaPaths.versions), name)
  }

  func lock(of history: SchemaHistory) throws -> String {
    let name = try FileName.checked(history.head.name + SchemaPaths.lockSuffix)
    return Session.join(Session.join(target?.released ?? path, SchemaPaths.versions), name)
  }

  /// Returns a copy of the folder with a schema file for each schema whose models are all in Swift files. The file
  /// contains the version, and commands add migrations to it. If the Swift files declare the version, no file is added.
  func addingVersionFiles() -> SchemaFolder {
    let heads = project.heads.trees.map(\.file)
    let stems = Set(heads.map { $0.stem.lowercased() })
    let new = histories.filter { $0.head.hasDefaultVersion }.map { history in
      let stem = ["Version", "SchemaVersion"].first { !stems.contains($0.lowercased()) } ?? history.head.name
      return SourceFile(
        path: Session.join(path, stem + SchemaPaths.suffix),
        bytes: Array("schema \(history.head.name) \(history.head.version)\n".utf8))
    }
    guard !new.isEmpty else { return self }
    var folder = replacing(project.replacingHeads((heads + new).sorted { $0.path < $1.path }))
    folder.newFiles = Set(new.map(\.path))
    return folder
  }

  /// Returns the syntax trees of a schema's files, excluding Swift files.
  func schemaTrees(of history: SchemaHistory) -> [SyntaxTree] {
    files(of: history).filter { !$0.file.isSwift }.map { project.heads.trees[$0.index] }
  }
}
