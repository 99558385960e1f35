import Foundation
package import SchemaDiagnostics
package import SchemaDriver
package import SchemaLint
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// A schema folder and the lint configuration that applies to it.
package struct LintedFolder: Sendable {
  package private(set) var folder: SchemaFolder
  private(set) var configuration: LintConfiguration
  /// The words in the package's migration tests, or nil if the package has no tests or the schemas have no custom
  /// steps.
  private let testWords: Set<String>?
  /// The target's Swift files, for editors; empty if no file declares models.
  private var swiftFiles: [SourceFile] = []

  /// - Parameter unreadable: Receives errors for folders that cannot be linted.
  static func open(
    _ arguments: Arguments, _ session: Session, unreadable: ((DriverFailure) -> Void)? = nil
  ) throws -> [LintedFolder] {
    let folders =
      arguments.files.contains("-")
      ? try input(arguments, session, unreadable)
      : try SchemaFolder.open(arguments.files, session, unreadable: unreadable)
    return try folders.map { folder in
      let configuration = try Configuration.find(for: folder.path, arguments, session)
      let hasCode = folder.histories.contains { $0.stagesToHead.contains { !$0.customs.isEmpty } }
      return LintedFolder(
        folder: folder, configuration: try LintConfiguration(configuration, arguments),
        testWords: hasCode ? try PackageTests.words(for: folder.path) : nil)
    }
  }

  /// Opens standard input as the contents of the `--path` file.
  private static func input(
    _ arguments: Arguments, _ session: Session, _ unreadable: ((DriverFailure) -> Void)?
  ) throws -> [SchemaFolder] {
    guard arguments.files.count == 1 else {
      throw DriverFailure(["error: '-' cannot be combined with files"], .usage)
    }
    let path = arguments["--path"].map { session.path($0) }
    switch SchemaReader.check(SourceFile(path: path ?? "<stdin>", bytes: session.input())) {
    case .success(let file): return [try path == nil ? SchemaFolder.alone(file) : SchemaFolder.open(file)]
    case .failure(let failure):
      guard let unreadable else { throw failure }
      unreadable(failure)
      return []
    }
  }

  /// Reads a folder for an editor.
  package static func read(_ folder: String) -> Result<LintedFolder, DriverFailure> {
    result {
      let session = Session(folder: folder)
      let configuration = try LintConfiguration(
        try Configuration.find(for: folder, Arguments([], options: [], flags: []), session),
        Arguments([], options: [], flags: []))
      let opened = try SchemaFolder(folder, wanted: [])
      let hasCode = opened.project.histories.contains { $0.stagesToHead.contains { !$0.customs.isEmpty } }
      var linted = LintedFolder(
        folder: opened, configuration: configuration, testWords: hasCode ? try PackageTests.words(for: folder) : nil)
      linted.swiftFiles = SchemaReader.swiftFiles(try opened.target?.files() ?? [])
      return linted
    }
  }

  /// Returns a folder without files and configuration, for a document that is not saved yet.
  package static func unsaved() -> Result<LintedFolder, DriverFailure> {
    result {
      LintedFolder(
        folder: try SchemaFolder.alone(),
        configuration: try LintConfiguration(nil, Arguments([], options: [], flags: [])), testWords: nil)
    }
  }

  private static func result(_ folder: () throws -> LintedFolder) -> Result<LintedFolder, DriverFailure> {
    do { return .success(try folder()) } catch let failure as DriverFailure {
      return .failure(failure)
    } catch {
      return .failure(DriverFailure(["error: \(error.localizedDescription)"], .usage))
    }
  }

  /// Returns the folder with the text of open documents.
  package func replacing(documents: [SourceFile]) -> LintedFolder {
    func replaced(_ files: [SourceFile], _ suffix: String) -> [SourceFile] {
      let new = documents.filter { $0.path.hasSuffix(suffix) }
      let paths = Set(new.map(\.path))
      return (files.filter { !paths.contains($0.path) } + new).sorted { $0.path < $1.path }
    }
    let heads = folder.project.heads.trees.map(\.file)
    let schemas = replaced(heads.filter { !$0.isSwift }, SchemaPaths.suffix)
    guard let target = folder.target, documents.contains(where: { $0.path.hasSuffix(SchemaPaths.swiftSuffix) }) else {
      return replacing(folder.project.replacingHeads(schemas + heads.filter(\.isSwift)))
    }
    let swift = SwiftSources(replaced(swiftFiles, SchemaPaths.swiftSuffix), schemaName: target.module)
    return replacing(folder.project.replacingHeads(schemas + swift.schemaFiles, types: swift.types))
  }

  /// The findings of the folder.
  package var outcome: LintOutcome { outcome(of: folder.project) }

  func ignoringSuppressions() -> LintedFolder {
    var copy = self
    copy.configuration.settings.followsSuppressions = false
    return copy
  }

  func replacing(_ project: SchemaProject) -> LintedFolder {
    var copy = self
    copy.folder = folder.replacing(project)
    return copy
  }

  /// The configured `promoted` version, if no schema in the folder has it.
  var unknownPromotion: String? {
    guard configuration.settings.profiles.contains(.cloudkit), !folder.histories.isEmpty,
      let text = configuration.settings.promoted[.cloudkit], let version = SchemaVersion(text)
    else { return nil }
    return folder.histories.contains { $0.versions.contains { $0.version == version } } ? nil : text
  }

  func outcome(of project: SchemaProject) -> LintOutcome {
    var input = project.lintInput
    input.testWords = testWords
    return SchemaLinter.lint(input, configuration.settings)
  }

  /// Returns the fingerprints of all findings in a Git revision.
  func fingerprints(at revision: String) throws -> Set<String> {
    func current(_ file: SourceFile, in folder: String) -> SourceFile {
      let name = String(file.path.dropFirst("git:\(revision):".count))
      return SourceFile(path: Session.join(folder, name), bytes: file.bytes)
    }
    var swift = SwiftSources()
    if let target = folder.target {
      let files = try Git(folder: target.sources).swiftFiles(at: revision)
      swift = SwiftSources(files.map { current($0, in: target.sources) }, schemaName: target.module)
    }
    // Before the first release, a target that has only Swift files has no schema folder.
    let hasFolder = folder.target == nil || SchemaPaths.kind(of: folder.path) == .folder
    let files = hasFolder ? try Git(folder: folder.path).schemaFiles(at: revision) : []
    // Files in subfolders belong to separate schema folders.
    let heads = files.map { current($0, in: folder.path) }.filter { $0.folder == folder.path } + swift.schemaFiles
    let project = folder.project.replacingHeads(heads, types: swift.types)
    return Set(outcome(of: project).findings.map(\.fingerprint))
  }
}

extension SchemaProject {
  /// The linter input, with all files that are linted and reported together.
  var lintInput: LintInput {
    LintInput(heads, histories: histories, diagnostics: diagnostics, files: files)
  }
}
