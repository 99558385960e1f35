/// A file's bytes, and the path under which it was given.
///
/// The bytes are preserved even if they are not valid UTF-8, so that a syntax tree can reproduce the file.
///
/// A class, because it is immutable and shared by everything read from the file.
package final class SourceFile: Sendable, Hashable {
  package let path: String
  package let bytes: [UInt8]
  /// The scope of the models in a Swift file, where the classes already exist. `nil` for a schema file, whose classes
  /// are generated.
  package let swift: SwiftScope?

  package init(path: String, bytes: [UInt8], swift: SwiftScope? = nil) {
    self.path = path
    self.bytes = bytes
    self.swift = swift
  }

  package var isSwift: Bool { swift != nil }

  package convenience init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  package static func == (lhs: SourceFile, rhs: SourceFile) -> Bool {
    lhs === rhs || lhs.path == rhs.path && lhs.bytes == rhs.bytes && lhs.swift == rhs.swift
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }

  /// The file name, excluding folders and the last extension.
  package var stem: String {
    let name =
      path.utf8.lastIndex(of: Self.slash).map { path[path.index(after: $0)...] } ?? path[...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  /// The path up to the last slash. Empty for a bare file name.
  package var folder: String {
    path.utf8.lastIndex(of: Self.slash).map { String(path[..<$0]) } ?? ""
  }

  private static let slash = UInt8(ascii: "/")

  /// Returns the text between two offsets. Offsets outside the file are clamped, and invalid UTF-8 is replaced.
  package func text(from start: Int, to end: Int) -> String {
    let lower = min(max(start, 0), bytes.count)
    let upper = min(max(end, lower), bytes.count)
    return String(decoding: bytes[lower..<upper], as: UTF8.self)
  }
}

/// The schema, version and enclosing types of the models in a Swift file. A schema file states the schema and version
/// in the first line.
package struct SwiftScope: Sendable, Hashable {
  package var schemaName: String
  /// `major.minor.patch`.
  package var version: String
  /// The types that enclose the schema's models, such as a version's enum. Empty for top-level models.
  package var path: [String]
  /// The types that enclose this file's models, which may belong to the top-level schema.
  package var home: [String]
  /// True if the innermost type conforms to `VersionedSchema`, or if such a type lists the top-level models.
  package var isVersion: Bool
  /// True if an enclosing type is private to the file.
  package var isHidden: Bool
  /// The lowest access level of the enclosing types, if it is `internal` or `package`.
  package var access: String?
  /// True if `#if swift(…)` around a model was evaluated for language mode 6.
  package var assumesLatestMode = false

  package init(
    schemaName: String, version: String, path: [String] = [], home: [String]? = nil, isVersion: Bool = false,
    isHidden: Bool = false, access: String? = nil
  ) {
    self.schemaName = schemaName
    self.version = version
    self.path = path
    self.home = home ?? path
    self.isVersion = isVersion
    self.isHidden = isHidden
    self.access = access
  }
}
