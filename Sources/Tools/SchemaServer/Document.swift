import Foundation
import SchemaDiagnostics

/// An open text document, as the editor shows it.
struct Document: Sendable {
  let uri: String
  /// The file's path. A new document without a file has a path that ends in `.schema` and does not exist.
  let path: String
  /// The schema folder that the document belongs to; nil for other files and for released versions.
  let home: String?
  let version: Int
  let table: PositionTable

  var file: SourceFile { table.file }

  init(uri: String, path: String, home: String?, version: Int, text: String, encoding: PositionEncoding) {
    self.init(
      uri: uri, home: home, version: version, file: SourceFile(path: path, bytes: Array(text.utf8)), encoding: encoding)
  }

  private init(uri: String, home: String?, version: Int, file: SourceFile, encoding: PositionEncoding) {
    self.uri = uri
    self.home = home
    self.version = version
    path = file.path
    table = PositionTable(file, encoding)
  }

  /// Returns the document after changes, which are applied in order.
  func applying(_ changes: [ContentChange], version: Int, _ encoding: PositionEncoding) -> Document {
    var document = self
    for change in changes {
      var bytes = document.file.bytes
      if let range = change.range {
        bytes.replaceSubrange(document.table.range(range), with: change.text.utf8)
      } else {
        bytes = Array(change.text.utf8)
      }
      document = Document(
        uri: uri, home: home, version: version, file: SourceFile(path: path, bytes: bytes), encoding: encoding)
    }
    return document
  }

  /// Returns the document after an edit, which the client does not see.
  func replacing(_ range: Range<Int>, with text: String, _ encoding: PositionEncoding) -> Document {
    var bytes = file.bytes
    bytes.replaceSubrange(range, with: text.utf8)
    return Document(
      uri: uri, home: home, version: version, file: SourceFile(path: path, bytes: bytes), encoding: encoding)
  }
}

/// File URIs and paths.
enum DocumentURI {
  /// Returns the path of a `file:` URI; nil for other URIs, such as those of new documents.
  static func path(_ uri: String) -> String? {
    guard let url = URL(string: uri), url.isFileURL else { return nil }
    let path = url.standardizedFileURL.path
    return path.isEmpty ? nil : path
  }

  static func uri(_ path: String) -> String { URL(fileURLWithPath: path).absoluteString }
}
