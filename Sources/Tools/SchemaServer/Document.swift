import Foundation
import SchemaDiagnostics

/// An open text document, as the editor shows it.
struct Document: Sendable {
  let uri: String
  let path: String
  let version: Int
  let table: PositionTable

  var file: SourceFile { table.file }
  /// True for a Swift file, which other servers edit.
  var isSwift: Bool { path.hasSuffix(".swift") }

  init(uri: String, path: String, version: Int, text: String, encoding: PositionEncoding) {
    self.init(
      uri: uri, version: version, file: SourceFile(path: path, bytes: Array(text.utf8)), encoding: encoding)
  }

  private init(uri: String, version: Int, file: SourceFile, encoding: PositionEncoding) {
    self.uri = uri
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
        uri: uri, version: version, file: SourceFile(path: path, bytes: bytes), encoding: encoding)
    }
    return document
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
