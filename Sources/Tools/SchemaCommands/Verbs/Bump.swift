import SchemaDiagnostics
import SchemaDiff
package import SchemaDriver
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// `trellis bump`: sets the next version of a schema.
package enum Bump: Verb {
  package static let name = "bump"
  package static let summary = "Set the next version and add a migration template"
  package static let options: Set<String> = []
  package static let flags: Set<String> = ["--dry-run"]
  package static let help = """
    Usage: trellis bump [major|minor|patch] [--dry-run] [PATH…]

    Updates the version in the 'schema' line of every file. If released rows need values or decisions, it
    also adds a 'migration from …' block: required values are placeholders that do not compile until you
    fill them in; decisions are comments. If a declaration looks renamed, a comment contains the
    'originalName' to write, and the steps to use if it was not renamed.

    Without a level, the level follows from the changes since the last release: major if data is lost or
    rows need a value, minor if something was added, otherwise patch. A schema without changes is skipped
    unless a level is given.

    The version of models in Swift files is written to 'Schemas/<Target>/Version.schema'. If a
    'VersionedSchema' lists the models, edit its 'versionIdentifier' instead.

    PATH is a schema file, a Swift file with models, or a folder. The default is every schema below the
    current folder.

      --dry-run   print the edits as a unified diff and write nothing

    Exits with 1 if the version cannot be changed, and with 3 if a schema does not compile.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    var paths = arguments.files
    var level: VersionLevel?
    if let first = paths.first, let named = VersionLevel(rawValue: first) {
      level = named
      paths.removeFirst()
    } else if let first = paths.first, SchemaPaths.kind(of: session.path(first)) == nil,
      !first.hasSuffix(SchemaPaths.suffix)
    {
      let levels = VersionLevel.allCases.reversed().map(\.rawValue).joined(separator: ", ")
      throw DriverFailure(["error: '\(first)' is not a level (\(levels)), a schema file or a folder"], .usage)
    }
    let folders = try SchemaFolder.open(paths, session)
    for folder in folders { try folder.requireCompiled() }
    var all: [HeadEdits] = []
    var lines: [String] = []
    for folder in folders {
      var edits = HeadEdits(folder: folder.addingVersionFiles())
      for history in edits.folder.histories {
        guard !edits.folder.schemaTrees(of: history).isEmpty else {
          lines.append("\(history.head.name) \(history.head.version): nothing to do, the version is set in Swift files")
          continue
        }
        let problems = refusals(history)
        guard problems.isEmpty else {
          session.say(edits.folder.render(problems))
          return .findings
        }
        lines.append(try plan(history, level, &edits))
      }
      all.append(edits)
    }
    let isDry = arguments.has("--dry-run")
    try HeadEdits.finish(all, isDry: isDry, &session)
    let text = lines.map { $0 + "\n" }.joined()
    if isDry { session.note(text) } else { session.say(text) }
    return .clean
  }

  /// Returns the findings that must be fixed first: a version that is too low, or modified released versions.
  private static func refusals(_ history: SchemaHistory) -> [Diagnostic] {
    history.check().filter {
      [.frozenVersionEdited, .versionOrder, .parallelVersion, .lockMissing].contains($0.id)
    }
  }

  private static func plan(
    _ history: SchemaHistory, _ level: VersionLevel?, _ edits: inout HeadEdits
  ) throws -> String {
    let head = history.head
    guard let released = history.frozen.last else {
      return "\(head.name) \(head.version): nothing to do, no version has been released ('trellis freeze')"
    }
    let changes = SchemaDiff.changes(from: released, to: head)
    let isReleased = released.version == head.version
    guard let version = next(history, released, changes, level) else {
      return try complete(history, &edits)
        ?? "\(head.name) \(head.version): nothing to do, "
        + (isReleased
          ? "no changes since the release" : "already higher than the released version \(released.version)")
    }
    for tree in edits.folder.schemaTrees(of: history) {
      if let range = SchemaEdits.version(in: tree) {
        edits.edits.append(TextEdit(range, version.description))
      } else {
        let start = SourceRange(file: tree.fileIndex, start: 0, end: 0)
        let lineBreak = SchemaEdits.lineBreak(tree.file)
        edits.edits.append(TextEdit(start, "schema \(head.name) \(version)\(lineBreak)\(lineBreak)"))
      }
    }
    if isReleased { removeOldMigrations(history, &edits) }
    let why =
      changes.isEmpty
      ? "no changes yet" : changes.count == 1 ? "1 change" : "\(changes.count) changes"
    let steps = try addSkeleton(head.name, &edits)
    return "\(head.name) \(released.version) → \(version) (\(why))" + steps
  }

  /// Removes the migrations to the released version from the head, because the released copy contains them.
  private static func removeOldMigrations(_ history: SchemaHistory, _ edits: inout HeadEdits) {
    for tree in edits.folder.schemaTrees(of: history) {
      edits.edits += SchemaEdits.migrations(in: tree).filter { $0.from != history.head.version }.map {
        TextEdit(SchemaEdits.lines(of: $0.node), "")
      }
    }
  }

  /// Returns the next version, or nil if the current version number is sufficient.
  private static func next(
    _ history: SchemaHistory, _ released: ResolvedSchema, _ changes: [SchemaChange], _ level: VersionLevel?
  ) -> SchemaVersion? {
    let head = history.head
    guard let level else {
      guard !changes.allSatisfy(\.isOfOrder) || !history.abandoned.isEmpty else { return nil }
      let proposed = VersionLevel(changes).next(after: released.version)
      return proposed > head.version ? proposed : nil
    }
    let version = level.next(after: released.version)
    return version == head.version ? nil : version
  }

  /// Adds the migration for a version number that was already increased.
  private static func complete(_ history: SchemaHistory, _ edits: inout HeadEdits) throws -> String? {
    let steps = try addSkeleton(history.head.name, &edits)
    return steps.isEmpty ? nil : "\(history.head.name) \(history.head.version)" + steps
  }

  private static func addSkeleton(_ name: String, _ edits: inout HeadEdits) throws -> String {
    guard let history = edits.history(of: name) else { return "" }
    var report = ""
    for stage in history.stagesToHead {
      let trees = edits.folder.schemaTrees(of: history)
      // Skip comments that an earlier run has written.
      let lines = MigrationSkeleton.lines(stage).filter { line in
        !trees.contains { SchemaEdits.hasComment(line, from: stage.from.version, in: $0) }
      }
      guard !lines.isEmpty || history.lacksMigration(stage) else { continue }
      let place = trees.first { SchemaEdits.block(from: stage.from.version, in: $0) != nil } ?? trees.first
      guard let place else { continue }
      edits.edits.append(SchemaEdits.addSteps(lines, from: stage.from.version, in: place))
      report += ", 'migration from \(stage.from.version)' in \(place.file.path)"
      report += lines.isEmpty ? " added" : " must be completed"
      for removal in stage.unhandled where !removal.successors.isEmpty {
        let names = removal.successors.map { "'\($0.new)'" }.joined(separator: " or ")
        report += "; '\(removal.subject)' was probably renamed to \(names)"
      }
    }
    return report
  }
}
