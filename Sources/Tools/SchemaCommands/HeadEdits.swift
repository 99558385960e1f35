import SchemaDiagnostics
import SchemaDriver
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// Edits to a folder's head files, which can be compiled, shown and written.
struct HeadEdits {
  let folder: SchemaFolder
  var edits: [TextEdit] = []

  /// The changed files, before and after the edits.
  var changed: [(old: SourceFile, new: SourceFile)] {
    folder.project.heads.trees.compactMap { tree in
      let new = tree.file.applying(edits, file: tree.fileIndex)
      let old = folder.newFiles.contains(tree.file.path) ? SourceFile(path: tree.file.path, bytes: []) : tree.file
      return new == tree.file ? nil : (old, new)
    }
  }

  /// All head files after the edits.
  var files: [SourceFile] {
    folder.project.heads.trees.map { $0.file.applying(edits, file: $0.fileIndex) }
  }

  /// The compilation of the edited files.
  var compilation: SchemaCompilation { SchemaCompiler.compile(files, types: folder.project.types) }

  /// Returns a schema's history after the edits.
  func history(of schema: String) -> SchemaHistory? {
    guard let head = compilation.schemas.first(where: { $0.name == schema }),
      let old = folder.project.histories.first(where: { $0.head.name == schema })
    else { return nil }
    return SchemaHistory(head: head, frozen: old.frozen, lock: old.lock)
  }

  var unifiedDiff: String {
    changed.map { UnifiedDiff.text(from: $0.old.bytes, to: $0.new.bytes, path: $0.old.path) }.joined()
  }

  func add(to transaction: inout FileTransaction) {
    for file in changed { transaction.write(file.new.bytes, to: file.old.path) }
  }

  /// Writes the edits, or shows them as a diff for a dry run.
  static func finish(
    _ all: [HeadEdits], isDry: Bool, _ session: inout Session
  ) throws {
    guard !isDry else { return session.say(all.map(\.unifiedDiff).joined()) }
    var transaction = FileTransaction()
    for edits in all { edits.add(to: &transaction) }
    try transaction.commit()
  }
}
