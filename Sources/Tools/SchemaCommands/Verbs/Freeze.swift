import SchemaDiagnostics
package import SchemaDriver
import SchemaModel
import SchemaVersions

/// `trellis freeze`: releases the current version.
package enum Freeze: Verb {
  package static let name = "freeze"
  package static let summary = "Release the current version as a frozen copy"
  package static let options: Set<String> = []
  package static let flags: Set<String> = ["--dry-run"]
  package static let help = """
    Usage: trellis freeze [--dry-run] [PATH…]

    Copies the files of each schema, byte for byte, to 'versions/<Schema>-<version>/' in the same folder
    and adds a line to 'versions/<Schema>.lock'. From then on, a build fails if the copy is edited, or if
    the schema changes and its version does not. Run this command before you ship the version, and commit
    the files that it writes.

    PATH is a schema file or a folder. The default is every schema below the current folder.
    If a schema has an error, nothing is written.

      --dry-run   list the changes and write nothing

    Exits with 1 if a schema cannot be released, and with 3 if a schema does not compile.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let folders = try SchemaFolder.open(arguments.files, session)
    for folder in folders { try folder.requireCompiled() }
    var transaction = FileTransaction()
    var lines: [String] = []
    var advice = ""
    var status = ExitStatus.clean
    for folder in folders {
      for history in folder.histories {
        if let scope = history.head.scope, !scope.path.isEmpty {
          lines.append("\(history.head.name) \(history.head.version): nothing to do, the version is set in Swift files")
          continue
        }
        let problems = refusals(history, in: folder)
        guard problems.isEmpty else {
          session.say(folder.render(problems))
          status = .findings
          continue
        }
        // Show the advice now, because a released version cannot be edited later.
        advice += folder.render(history.advice())
        lines.append(try plan(history, in: folder, &transaction))
      }
    }
    guard status == .clean else { return status }
    if !arguments.has("--dry-run") { try transaction.commit() }
    session.note(advice)
    session.say(lines.map { $0 + "\n" }.joined())
    if arguments.has("--dry-run"), !transaction.isEmpty { session.note("nothing was written (--dry-run)\n") }
    return .clean
  }

  /// Returns the findings that prevent a release.
  private static func refusals(_ history: SchemaHistory, in folder: SchemaFolder) -> [Diagnostic] {
    let head = history.head
    let unnumbered = folder.files(of: history).filter {
      !$0.file.isSwift && !SchemaEdits.hasVersion(folder.project.heads.trees[$0.index])
    }
    guard unnumbered.isEmpty else { return unnumbered.map { .noSchemaLine(head, file: $0.index) } }
    let isUnfinished = isHalfDone(history, in: folder)
    var problems = history.check().filter { problem in
      problem.severity == .error && !(isUnfinished && problem.id == .lockMissing)
    }
    if !history.frozen.contains(where: { $0.version == head.version }), let newest = history.older.last,
      history.fingerprint(of: newest) == history.headFingerprint, history.stagesToHead.count == 1
    {
      problems.append(.sameAs(newest, head))
    }
    return problems
  }

  /// Returns true if a previous run copied the files but did not update the lock file.
  private static func isHalfDone(_ history: SchemaHistory, in folder: SchemaFolder) -> Bool {
    let version = history.head.version
    guard let copy = history.frozen.first(where: { $0.version == version }),
      copy.fingerprint() == history.headFingerprint,
      !(history.lock?.entries.contains { $0.version == version } ?? false)
    else { return false }
    let known = Set(history.lock?.entries.map(\.version) ?? [])
    // If more versions are missing, the cause is not an interrupted run.
    return history.frozen.allSatisfy { $0.version == version || known.contains($0.version) }
      && (history.lock?.malformed.isEmpty ?? true)
      && known.isSubset(of: Set(history.frozen.map(\.version)))
  }

  private static func plan(
    _ history: SchemaHistory, in folder: SchemaFolder, _ transaction: inout FileTransaction
  ) throws -> String {
    let head = history.head
    let title = "\(head.name) \(head.version)"
    let isThere = history.frozen.contains { $0.version == head.version }
    if isThere, history.lock?.entries.contains(where: { $0.version == head.version }) ?? false {
      return "\(title): nothing to do, already released and unchanged"
    }
    let after = isThere ? history.frozen : history.frozen + [head]
    let entries = SchemaHistory(head: head, frozen: after).rebuiltLock.entries
    let known = Set(history.lock?.entries.map(\.version) ?? [])
    let lockPath = try folder.lock(of: history)
    let lock = VersionLock(entries.filter { known.contains($0.version) || $0.version == head.version })
    let target = try folder.versionFolder(of: history)
    if !isThere {
      let files = try copies(history, in: folder)
      try requireSame(files, head)
      transaction.create(target, files)
    }
    transaction.write(Array(lock.text.utf8), to: lockPath, unless: notALock)
    let report =
      isThere
      ? "\(title): the files already existed and are now recorded in \(lockPath)"
      : "\(title): released as \(target), recorded in \(lockPath)"
    return report + customSteps(head)
  }

  /// Returns a note about custom steps in the released migration.
  private static func customSteps(_ head: ResolvedSchema) -> String {
    let names = head.migrations.flatMap(\.steps).compactMap {
      if case .custom(let step) = $0 { step.name } else { nil }
    }
    guard !names.isEmpty, let model = head.entities.first?.name else { return "" }
    let version = "V\(head.version.major)_\(head.version.minor)_\(head.version.patch)"
    return """

        change its custom steps (\(names.joined(separator: ", "))) to use the models of this version, for example \
      '\(head.name)Schema.\(version).\(model)' instead of '\(model)', which now belongs to the next version
      """
  }

  /// Returns the files of the released version. Models in Swift files are copied into a schema file.
  private static func copies(
    _ history: SchemaHistory, in folder: SchemaFolder
  ) throws -> [(name: String, bytes: [UInt8])] {
    let files = folder.files(of: history)
    let trees = files.filter(\.file.isSwift).map { folder.project.heads.trees[$0.index] }
    let written = files.filter { !$0.file.isSwift }.map { (name: $0.file.fileName, bytes: $0.file.bytes) }
    guard !trees.isEmpty else { return written }
    var copy = SwiftCopy(head: history.head, trees: trees)
    if written.contains(where: { $0.name == copy.name }) { copy.suffix = "+Swift" }
    return written + [(copy.name, Array(copy.text.utf8))]
  }

  /// Returns the reason why an existing file cannot be replaced, or nil if it is a lock file.
  private static func notALock(_ bytes: [UInt8]) -> String? {
    let lock = VersionLock(text: String(decoding: bytes, as: UTF8.self))
    return lock.malformed.isEmpty ? nil : "not a lock file of released versions"
  }

  /// Throws if the copy would compile to a different schema than the head.
  private static func requireSame(_ files: [(name: String, bytes: [UInt8])], _ head: ResolvedSchema) throws {
    let copies = files.map { SourceFile(path: $0.name, bytes: $0.bytes) }
    let compilation = SchemaCompiler.compile(copies)
    guard !compilation.hasErrors, compilation.schemas.count == 1,
      compilation.schemas[0].fingerprint() == head.fingerprint()
    else {
      throw DriverFailure(
        [
          "\(head.files.first?.path ?? head.name): error: the schema depends on other files and cannot be released: "
            + "move the declarations that it uses into the schema"
        ], .findings)
    }
  }
}

extension SourceFile {
  /// The last path component.
  var fileName: String { folder.isEmpty ? path : String(path.dropFirst(folder.count + 1)) }
}

extension Diagnostic {
  fileprivate static func noSchemaLine(_ head: ResolvedSchema, file: Int) -> Self {
    let line = "schema \(head.name) \(head.version)"
    let start = SourceRange(file: file, start: 0, end: 0)
    return Self(
      .missingVersion, at: start, "a file that has no 'schema' line cannot be released",
      help: "begin the file with '\(line)'",
      fixIts: [.insert(line + "\n\n", at: start, title: "insert '\(line)'")])
  }

  fileprivate static func sameAs(_ newest: ResolvedSchema, _ head: ResolvedSchema) -> Self {
    Self(
      .identicalVersions, at: head.versionRange,
      "versions \(newest.version) and \(head.version) of '\(head.name)' are the same",
      related: [.init(newest.versionRange, "version \(newest.version) is here")],
      help: "there is nothing to release; change the schema, or set the version back to \(newest.version)")
  }
}
