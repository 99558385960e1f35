import Foundation
import SchemaDiagnostics

/// Paths and positions in the form that reports use.
struct ReportPlaces {
  private let files: [SourceFile]
  private let tables: [LineTable]

  init(_ files: [SourceFile]) {
    self.files = files
    tables = files.map { LineTable($0) }
  }

  /// Returns the path with slashes and no leading `./`.
  func path(_ file: Int) -> String {
    guard files.indices.contains(file) else { return "" }
    let path = files[file].path
    return path.hasPrefix("./") ? String(path.dropFirst(2)) : path
  }

  /// Returns the position with a column in bytes, counted from 1.
  func position(_ offset: Int, in file: Int) -> SourcePosition {
    guard tables.indices.contains(file) else { return SourcePosition(line: 1, column: 1) }
    return tables[file].position(at: offset)
  }

  /// Returns the position with a column in Unicode scalars, counted from 1.
  func scalarPosition(_ offset: Int, in file: Int) -> SourcePosition {
    var position = position(offset, in: file)
    guard files.indices.contains(file) else { return position }
    let bytes = files[file].bytes
    let start = min(max(offset, 0), bytes.count) - (position.column - 1)
    // Do not count UTF-8 continuation bytes.
    position.column = 1 + bytes[start..<(start + position.column - 1)].count { $0 & 0xC0 != 0x80 }
    return position
  }
}

/// JSON with sorted keys, so that equal values give equal bytes.
enum ReportJSON {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
