package import SchemaDiagnostics
import SchemaDriver
import SchemaModel
package import SchemaVersions

/// The edits that rename a declaration in all files of a schema and record the original name.
package struct RenamePlan {
  let subject: RenameSubject
  let edits: HeadEdits
  /// Errors that the rename introduces.
  package let problems: [Diagnostic]
  /// Occurrences of the name in copied Swift code.
  let untouched: [SourceRange]
  /// True if the original name is recorded.
  let isRecorded: Bool

  package var textEdits: [TextEdit] { edits.edits }

  /// Plans a rename in an editor. Before the first release, the original name is not recorded.
  ///
  /// - Parameter old: The declaration, such as `Trip` or `Trip.name`.
  /// - Throws: A ``DriverFailure`` if the declaration does not exist or cannot be renamed.
  package init(_ old: String, _ new: String, of history: SchemaHistory, in folder: SchemaFolder) throws {
    try self.init(RenameSubject(old, new, [history]), in: folder, keepsUnreleased: false)
  }

  /// - Parameter keepsUnreleased: True if stores of the last build keep their values before the first release.
  init(_ subject: RenameSubject, in folder: SchemaFolder, keepsUnreleased: Bool = true) throws {
    let declaring = folder.project.files[subject.entity.range.file]
    guard !declaring.isSwift else { throw Self.inSwift(subject, declaring) }
    let trees = folder.schemaTrees(of: subject.history)
    let found = trees.map { RenameEdits.edits(subject, in: $0) }
    let released = subject.releasedName
    // Renaming back to the released name restores the released version's original name. Before the first release,
    // stores have the name from the last build.
    let origin =
      subject.history.frozen.isEmpty
      ? (keepsUnreleased ? subject.oldName : nil) : released == subject.newName ? subject.releasedOrigin : released
    let recorded = try OriginalNameEdits.edits(subject, origin: origin, in: trees)
    let edits = HeadEdits(folder: folder, edits: found.flatMap(\.edits) + recorded)
    self.subject = subject
    self.edits = edits
    untouched = found.flatMap(\.untouched)
    isRecorded = !recorded.isEmpty
    problems = Self.problems(of: edits)
  }

  /// Returns the places that name a declaration.
  package static func places(of path: String, _ history: SchemaHistory, in folder: SchemaFolder) -> [SourceRange] {
    guard let subject = RenameSubject(path, in: history) else { return [] }
    return folder.schemaTrees(of: history).flatMap { RenameEdits.edits(subject, in: $0).edits.map(\.range) }
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
          + "rename it there and write '\(attribute)(originalName: \"\(stored)\")'"
      ], .usage)
  }

  /// Returns the errors that the rename introduces.
  private static func problems(of edits: HeadEdits) -> [Diagnostic] {
    let before = Set(edits.folder.project.heads.diagnostics.map { "\($0.id.code) \($0.message)" })
    return edits.compilation.diagnostics.filter {
      $0.severity == .error && !before.contains("\($0.id.code) \($0.message)")
    }
  }
}
