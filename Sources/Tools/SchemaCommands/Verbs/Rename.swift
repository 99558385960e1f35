import SchemaDiagnostics
import SchemaDiff
package import SchemaDriver
import SchemaModel
import SchemaVersions

/// `trellis rename`: renames a declaration and records the original name.
package enum Rename: Verb {
  package static let name = "rename"
  package static let summary = "rename a model or a property, and say what it was called"
  package static let options: Set<String> = []
  package static let flags: Set<String> = ["--dry-run"]
  package static let help = """
    Usage: trellis rename [--dry-run] OLD NEW [PATH…]

    OLD is a model ('Trip') or a property ('Trip.name'). Edits the declaration and every reference in the
    files of its schema: types, inverses, '#Unique' and '#Index', superclasses, the steps of the
    migration. Where a released version has the old name, 'originalName:' is added, so that no row is lost.
    Before the first release it is added too, for the stores of the programs under development.

    Comments, strings and Swift that is carried over are not touched; places in such Swift where the name
    stands are listed, and so are the Swift symbols that have another name now. A model in a Swift file
    is not renamed; the message has the 'originalName:' to write.

    PATH is a schema file or a folder; without one it is every schema below this folder.

      --dry-run   prints the edits as a unified diff and writes nothing

    Ends with 1 when the schema would not compile with the new name, with 3 when it does not now.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments.files.count >= 2 else {
      throw DriverFailure(["error: 'trellis rename' needs the old name and the new one"], .usage)
    }
    let folders = try SchemaFolder.open(Array(arguments.files.dropFirst(2)), session)
    for folder in folders { try folder.requireCompiled() }
    let histories = folders.flatMap(\.histories)
    let subject = try RenameSubject(arguments.files[0], arguments.files[1], histories)
    guard
      let folder = folders.first(where: { folder in
        folder.histories.contains { $0.head.files == subject.history.head.files }
      })
    else { return .clean }
    let declaring = folder.project.files[subject.entity.range.file]
    guard !declaring.isSwift else { throw inSwift(subject, declaring) }
    let trees = folder.schemaTrees(of: subject.history)
    var edits = HeadEdits(folder: folder)
    var untouched: [SourceRange] = []
    for tree in trees {
      let found = RenameEdits.edits(subject, in: tree)
      edits.edits += found.edits
      untouched += found.untouched
    }
    let released = subject.releasedName
    // A rename back to the released name restores the original name of the released version. Before a release, stores
    // have the name that the program was compiled with last.
    let origin =
      subject.history.frozen.isEmpty
      ? subject.oldName : released == subject.newName ? subject.releasedOrigin : released
    let recorded = try OriginalNameEdits.edits(subject, origin: origin, in: trees)
    edits.edits += recorded
    let problems = problems(of: edits, subject)
    guard problems.isEmpty else {
      session.say(CompilerRenderer(files: edits.files).render(problems))
      session.note("nothing was renamed\n")
      return .findings
    }
    let isDry = arguments.has("--dry-run")
    try HeadEdits.finish([edits], isDry: isDry, &session)
    let report = report(subject, edits, released, isRecorded: !recorded.isEmpty, untouched)
    if isDry { session.note(report) } else { session.say(report) }
    return .clean
  }

  private static func inSwift(_ subject: RenameSubject, _ file: SourceFile) -> DriverFailure {
    let attribute =
      switch subject.property {
      case .attribute: "@Attribute"
      case .relationship: "@Relationship"
      case nil: "@Model"
      }
    let range = subject.property?.range ?? subject.entity.range
    let position = LineTable(file).position(at: range.start)
    let stored = subject.releasedName ?? subject.oldName
    return DriverFailure(
      [
        "\(file.path):\(position.line):\(position.column): error: '\(subject.oldTitle)' is declared in a Swift file: "
          + "rename it there, and write '\(attribute)(originalName: \"\(stored)\")'"
      ], .usage)
  }

  /// The diagnostics that the rename introduces.
  private static func problems(of edits: HeadEdits, _ subject: RenameSubject) -> [Diagnostic] {
    let before = Set(edits.folder.project.heads.diagnostics.map { "\($0.id.code) \($0.message)" })
    return edits.compilation.diagnostics.filter {
      $0.severity == .error && !before.contains("\($0.id.code) \($0.message)")
    }
  }

  private static func report(
    _ subject: RenameSubject, _ edits: HeadEdits, _ released: String?, isRecorded: Bool, _ untouched: [SourceRange]
  ) -> String {
    var lines = [
      "\(subject.oldTitle) is '\(subject.newTitle)' now, in \(edits.changed.count == 1 ? "1 file" : "\(edits.changed.count) files")"
    ]
    if let released {
      let version = subject.history.frozen.last?.version.description ?? ""
      lines.append(
        released == subject.newName
          ? "  that is what version \(version) calls it"
          : "  version \(version) has it as '\(released)', which 'originalName' says")
    } else if !subject.history.frozen.isEmpty {
      lines.append("  no released version has it, so nothing records the old name")
    } else if isRecorded {
      lines.append("  stores under development have it as '\(subject.oldName)', and 'originalName' records that")
    }
    if let version = subject.history.frozen.last?.version, version == subject.history.head.version {
      lines.append("  version \(version) is released: give the schema its next one with 'trellis bump'")
    }
    lines += symbols(subject).map { "  Swift: \($0)" }
    var text = lines.map { $0 + "\n" }.joined()
    // The locations in the files before the edits.
    let files = edits.files
    let tables = files.map { LineTable($0) }
    for range in untouched.sorted() {
      let offset = edits.edits.filter { $0.range.file == range.file && $0.range.start < range.start }
        .reduce(range.start) { $0 + $1.replacement.utf8.count - ($1.range.end - $1.range.start) }
      let position = tables[range.file].position(at: offset)
      text +=
        "\(files[range.file].path):\(position.line):\(position.column): note: '\(subject.oldName)' in Swift "
        + "that is carried over was not touched\n"
    }
    return text
  }

  /// The Swift symbols that callers have to rename.
  private static func symbols(_ subject: RenameSubject) -> [String] {
    let (old, new) = (subject.oldTitle, subject.newTitle)
    guard subject.property != nil else {
      return ["class '\(old)' is '\(new)', with '\(old).Snapshot' and key paths '\\\(old).…'"]
    }
    var symbols = ["property '\(old)' is '\(new)', key path '\\\(old)' is '\\\(new)'"]
    if subject.entity.carriedInitializers.isEmpty {
      symbols.append("argument '\(subject.oldName):' of 'init' of '\(subject.entity.name)' is '\(subject.newName):'")
    }
    let heirs = subject.heirs.subtracting([subject.entity.name]).sorted()
    if !heirs.isEmpty { symbols.append("the same of \(heirs.map { "'\($0)'" }.joined(separator: ", "))") }
    return symbols
  }
}
