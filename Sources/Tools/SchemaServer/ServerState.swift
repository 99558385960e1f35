package import Foundation
package import SchemaCommands
import SchemaDiagnostics
package import SchemaDriver
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// Everything that the server knows.
package struct ServerState: Sendable {
  enum Phase: Sendable { case waiting, running, shutDown }

  /// A schema folder.
  struct Folder: Sendable {
    /// The folder as read from disk; nil until it is read, or if it cannot be read.
    var linted: LintedFolder?
    /// The reason why the folder cannot be read.
    var problem: String?
    /// The compiled folder; nil after a change.
    var project: Project?
    var isRequested = false
    /// True if the published diagnostics are outdated.
    var isChanged = true
    /// The documents with published diagnostics.
    var published: Set<String> = []
  }

  var phase = Phase.waiting
  var encoding = PositionEncoding.utf16
  var supportsSnippets = false
  /// True if the client states document versions in edits.
  var supportsVersions = false
  /// True if the client reports changed files on request.
  var supportsWatching = false
  var roots: [String] = []
  /// The open documents by URI.
  var documents: [String: Document] = [:]
  /// Schema folders by path.
  var folders: [String: Folder] = [:]

  private let findHome: @Sendable (String) -> String?

  /// - Parameter findHome: Returns the schema folder of a file. Called once for each document that is opened.
  package init(findHome: @escaping @Sendable (String) -> String?) { self.findHome = findHome }

  var folderNames: [String] { folders.keys.sorted() }

  /// Returns the text of an open document.
  package func text(of uri: String) -> String? {
    documents[uri].map { String(decoding: $0.file.bytes, as: UTF8.self) }
  }

  /// Returns the folder of an open document, or of a file next to one.
  func home(of uri: String) -> String? {
    documents[uri].map(\.home) ?? DocumentURI.path(uri).map { SchemaFolder.folder(of: $0) }
  }

  /// Opens a document. A new document without a file is a folder of its own.
  mutating func open(_ item: OpenParameters.Item) {
    let path = DocumentURI.path(item.uri)
    let isNew = path == nil && item.languageId == "trellis-schema"
    documents[item.uri] = Document(
      uri: item.uri, path: path ?? item.uri + SchemaPaths.suffix, home: isNew ? item.uri : path.flatMap(findHome),
      version: item.version, text: item.text, encoding: encoding)
  }

  /// Returns the compiled folder of a document.
  mutating func project(of uri: String) -> Project? { home(of: uri).flatMap { project(in: $0) } }

  /// Returns the compiled folder of a document, and the document's tree.
  mutating func tree(of uri: String) -> (Project, SyntaxTree)? {
    guard let path = documents[uri]?.path ?? DocumentURI.path(uri), let project = project(of: uri),
      let tree = project.tree(path)
    else { return nil }
    return (project, tree)
  }

  /// Returns the history of a schema in the files on disk. If they have errors, the head is empty.
  func history(_ uri: String, _ schema: String?) -> SchemaHistory? {
    guard let project = home(of: uri).flatMap({ folders[$0]?.linted?.folder.project }), let schema else { return nil }
    func history(in project: SchemaProject) -> SchemaHistory? { project.histories.first { $0.head.name == schema } }
    if let known = history(in: project) { return known }
    let path = documents[uri]?.path ?? uri
    return history(in: project.replacingHeads([SourceFile(path: path, text: "schema \(schema) 0.0.0\n")]))
  }

  /// Returns the compiled folder of a document with different text.
  func project(replacing document: Document) -> Project? {
    guard let home = document.home, let linted = folders[home]?.linted else { return nil }
    let others = documents.values.filter { $0.home == home && $0.uri != document.uri }
    return Project(linted, others + [document], encoding)
  }

  mutating func project(in path: String) -> Project? {
    guard let folder = folders[path], let linted = folder.linted else { return nil }
    if let project = folder.project { return project }
    let open = documents.values.filter { $0.home == path }
    let project = Project(linted, open, encoding)
    folders[path]?.project = project
    return project
  }
}

/// An event that the server handles.
package enum ServerEvent: Sendable {
  /// A message from the client.
  case message(Data)
  /// A folder was read, or the reason why it cannot be read.
  case read(folder: String, Result<LintedFolder, DriverFailure>)
  /// A folder's files were changed by another process.
  case changed(folder: String)
  /// No message is waiting.
  case idle
}

/// An effect that the server asks for.
package enum ServerEffect: Sendable {
  case send(OutgoingMessage)
  /// Read a schema folder and report ``ServerEvent/read(folder:_:)``.
  case read(folder: String)
  case exit(ExitStatus)
}
