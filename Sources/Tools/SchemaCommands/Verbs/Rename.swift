import SchemaDiagnostics
import SchemaDiff
package import SchemaDriver
import SchemaModel
import SchemaVersions

/// `trellis rename`: renames a declaration and records the original name.
package enum Rename: Verb {
  package static let name = "rename"
  package static let summary = "Rename a model or property and record its original name"
  package static let options: Set<String> = []
  package static let flags: Set<String> = ["--dry-run"]
  package static let help = """
    Usage: trellis rename [--dry-run] OLD NEW [PATH…]

    Renames a model ('Trip') or a property ('Trip.name'), and every reference in the schema's files:
    types, inverses, '#Unique' and '#Index', superclasses, and migration steps. If a released version has
    the old name, 'originalName:' is added, so that no row is lost. Before the first release it is added
    too, for the stores of development builds.

    Comments, strings and copied Swift code are not changed. Occurrences in copied Swift code are listed,
    and so are the Swift symbols whose names change. A model in a Swift file is not renamed; the error
    message contains the 'originalName:' to write.

    PATH is a schema file or a folder. The default is every schema below the current folder.

      --dry-run   print the edits as a unified diff and write nothing

    Exits with 1 if the schema would not compile with the new name, and with 3 if it does not compile now.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments.files.count >= 2 else {
      throw DriverFailure(["error: 'trellis rename' needs the old and the new name"], .usage)
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
    let plan = try RenamePlan(subject, in: folder)
    let (edits, problems) = (plan.edits, plan.problems)
    guard problems.isEmpty else {
      session.say(CompilerRenderer(files: edits.files).render(problems))
      session.note("nothing was renamed\n")
      return .findings
    }
    let isDry = arguments.has("--dry-run")
    try HeadEdits.finish([edits], isDry: isDry, &session)
    let report = report(plan)
    if isDry { session.note(report) } else { session.say(report) }
    return .clean
  }

  private static func report(_ plan: RenamePlan) -> String {
    let (subject, edits, released) = (plan.subject, plan.edits, plan.subject.releasedName)
    var lines = [
      "renamed \(subject.oldTitle) to \(subject.newTitle) in "
        + "\(edits.changed.count == 1 ? "1 file" : "\(edits.changed.count) files")"
    ]
    if let released {
      let version = subject.history.frozen.last?.version.description ?? ""
      lines.append(
        released == subject.newName
          ? "  the same name as in version \(version)"
          : "  version \(version) uses the name '\(released)', recorded as 'originalName'")
    } else if !subject.history.frozen.isEmpty {
      lines.append("  no released version has the declaration, so the old name is not recorded")
    } else if plan.isRecorded {
      lines.append("  'originalName' records the name '\(subject.oldName)' for stores of development builds")
    }
    if let version = subject.history.frozen.last?.version, version == subject.history.head.version {
      lines.append("  version \(version) is released: set the next version with 'trellis bump'")
    }
    lines += symbols(subject).map { "  Swift: \($0)" }
    var text = lines.map { $0 + "\n" }.joined()
    // The ranges refer to the files as they were before the edits.
    let files = edits.files
    let tables = files.map { LineTable($0) }
    for range in plan.untouched.sorted() {
      let offset = edits.edits.filter { $0.range.file == range.file && $0.range.start < range.start }
        .reduce(range.start) { $0 + $1.replacement.utf8.count - ($1.range.end - $1.range.start) }
      let position = tables[range.file].position(at: offset)
      text +=
        "\(files[range.file].path):\(position.line):\(position.column): note: '\(subject.oldName)' in copied "
        + "Swift code was not changed\n"
    }
    return text
  }

  /// Returns the Swift symbols that callers have to rename.
  private static func symbols(_ subject: RenameSubject) -> [String] {
    let (old, new) = (subject.oldTitle, subject.newTitle)
    guard subject.property != nil else {
      return ["class '\(old)' is now '\(new)', with '\(old).Snapshot' and key paths '\\\(old).…'"]
    }
    var symbols = ["property '\(old)' is now '\(new)', key path '\\\(old)' is now '\\\(new)'"]
    if subject.entity.carriedInitializers.isEmpty {
      symbols.append("argument '\(subject.oldName):' of '\(subject.entity.name).init' is now '\(subject.newName):'")
    }
    let heirs = subject.heirs.subtracting([subject.entity.name]).sorted()
    if !heirs.isEmpty { symbols.append("the same in \(heirs.map { "'\($0)'" }.joined(separator: ", "))") }
    return symbols
  }
}
