import SchemaCommands
import SchemaDiagnostics
import SchemaDriver
import SchemaLint
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// A compiled schema folder with the text of open documents.
///
/// A class, because it is immutable, large, and shared by the answers to many requests.
final class Project: Sendable {
  /// The folder's configuration, released versions, and files on disk.
  let linted: LintedFolder
  let outcome: LintOutcome
  private let tables: [PositionTable]
  /// The URIs of open documents by path, in the client's spelling.
  private let uris: [String: String]

  var schemas: [ResolvedSchema] { linted.folder.project.heads.schemas }
  var trees: [SyntaxTree] { linted.folder.project.heads.trees }
  var files: [SourceFile] { linted.folder.project.files }
  /// True if the schemas do not compile.
  var hasErrors: Bool { outcome.isIncomplete }

  /// - Parameter documents: Open documents of the folder, which replace files on disk, or are added to them.
  init(_ linted: LintedFolder, _ documents: [Document], _ encoding: PositionEncoding) {
    self.linted = linted.replacing(documents: documents.map(\.file))
    uris = Dictionary(documents.map { ($0.path, $0.uri) }) { first, _ in first }
    outcome = self.linted.outcome
    tables = self.linted.folder.project.files.map { PositionTable($0, encoding) }
  }

  func tree(_ path: String) -> SyntaxTree? { trees.first { $0.file.path == path } }

  /// Returns the history of a schema, without released versions if there are errors.
  func history(of schema: ResolvedSchema) -> SchemaHistory {
    linted.folder.project.histories.first { $0.head.name == schema.name } ?? SchemaHistory(head: schema)
  }

  func schema(containing file: Int) -> ResolvedSchema? {
    guard files.indices.contains(file) else { return nil }
    return schemas.first { schema in schema.files.contains { $0.path == files[file].path } }
  }

  func table(_ file: Int) -> PositionTable? { tables.indices.contains(file) ? tables[file] : nil }

  func location(_ range: SourceRange) -> Location? {
    table(range.file).map { Location(uri: uris[$0.file.path] ?? DocumentURI.uri($0.file.path), range: $0.range(range)) }
  }

  /// Converts edits, grouped by document.
  func edits(_ edits: [TextEdit]) -> [String: [DocumentEdit]] {
    var result: [String: [DocumentEdit]] = [:]
    for edit in Set(edits).sorted(by: { $0.range < $1.range }) {
      guard let location = location(edit.range) else { continue }
      result[location.uri, default: []].append(DocumentEdit(range: location.range, newText: edit.replacement))
    }
    return result
  }
}

/// A replacement in a document.
struct DocumentEdit: Encodable, Hashable, Sendable {
  var range: DocumentRange
  var newText: String
}
