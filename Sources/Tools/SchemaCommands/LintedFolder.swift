import SchemaDiagnostics
import SchemaDriver
import SchemaLint
import SchemaModel
import SchemaVersions

/// A folder with what it is judged by.
struct LintedFolder {
  private(set) var folder: SchemaFolder
  private(set) var configuration: LintConfiguration
  /// What the tests of the package say about migrations; nil where nobody has to know.
  private let testWords: Set<String>?

  /// - Parameter unreadable: takes what cannot be judged.
  static func open(
    _ arguments: Arguments, _ session: Session, unreadable: ((DriverFailure) -> Void)? = nil
  ) throws -> [LintedFolder] {
    let folders =
      arguments.files.contains("-")
      ? try input(arguments, session, unreadable)
      : try SchemaFolder.open(arguments.files, session, unreadable: unreadable)
    return try folders.map { folder in
      let configuration = try Configuration.find(for: folder.path, arguments, session)
      let hasCode = folder.histories.contains { !($0.stages.last?.customs.isEmpty ?? true) }
      return LintedFolder(
        folder: folder, configuration: try LintConfiguration(configuration, arguments),
        testWords: hasCode ? try PackageTests.words(for: folder.path) : nil)
    }
  }

  /// Standard input, as if it stood in the file that '--path' names.
  private static func input(
    _ arguments: Arguments, _ session: Session, _ unreadable: ((DriverFailure) -> Void)?
  ) throws -> [SchemaFolder] {
    guard arguments.files.count == 1 else {
      throw DriverFailure(["error: '-' stands alone: one text is read"], .usage)
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

  /// The version that is said to be deployed, when no schema of the folder has it.
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

  /// The fingerprints of everything that was found at a revision already.
  func fingerprints(at revision: String) throws -> Set<String> {
    let files = try Git(folder: folder.path).schemaFiles(at: revision)
    let heads = files.compactMap { file -> SourceFile? in
      let name = file.path.dropFirst("git:\(revision):".count)
      // A file in a folder below is another folder's.
      guard !name.contains("/") else { return nil }
      return SourceFile(path: Session.join(folder.path, String(name)), bytes: file.bytes)
    }
    return Set(outcome(of: folder.project.replacingHeads(heads)).findings.map(\.fingerprint))
  }
}

extension SchemaProject {
  /// Everything of it: what is judged together is reported together.
  var lintInput: LintInput {
    LintInput(heads, histories: histories, diagnostics: diagnostics, files: files)
  }
}
