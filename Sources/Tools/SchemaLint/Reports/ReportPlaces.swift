import Foundation
import SchemaDiagnostics

/// Paths and positions as reports write them.
struct ReportPlaces {
  private let files: [SourceFile]
  private let tables: [LineTable]

  init(_ files: [SourceFile]) {
    self.files = files
    tables = files.map { LineTable($0) }
  }

  /// With slashes, and without a dot in front.
  func path(_ file: Int) -> String {
    guard files.indices.contains(file) else { return "" }
    let path = files[file].path
    return path.hasPrefix("./") ? String(path.dropFirst(2)) : path
  }

  /// Columns in bytes, from 1.
  func position(_ offset: Int, in file: Int) -> SourcePosition {
    guard tables.indices.contains(file) else { return SourcePosition(line: 1, column: 1) }
    return tables[file].position(at: offset)
  }

  /// Columns in Unicode scalars, from 1.
  func scalarPosition(_ offset: Int, in file: Int) -> SourcePosition {
    var position = position(offset, in: file)
    guard files.indices.contains(file) else { return position }
    let bytes = files[file].bytes
    let start = min(max(offset, 0), bytes.count) - (position.column - 1)
    // Bytes that continue a scalar are no columns.
    position.column = 1 + bytes[start..<(start + position.column - 1)].count { $0 & 0xC0 != 0x80 }
    return position
  }
}

/// The same bytes for the same values.
enum ReportJSON {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
