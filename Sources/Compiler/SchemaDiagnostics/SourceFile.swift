/// The bytes of one file and the path it was given under.
///
/// The bytes are kept as they are, valid UTF-8 or not, so that a tree over them can be printed back.
///
/// A class: it never changes, and whatever is read from a file refers to it.
package final class SourceFile: Sendable, Hashable {
  package let path: String
  package let bytes: [UInt8]
  /// For models in a Swift file, whose classes exist and are not generated. Nil for a schema file.
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

  /// The file name without folders and without its last extension.
  package var stem: String {
    let name =
      path.utf8.lastIndex(of: Self.slash).map { path[path.index(after: $0)...] } ?? path[...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  /// The path up to its last slash, empty for a bare file name.
  package var folder: String {
    path.utf8.lastIndex(of: Self.slash).map { String(path[..<$0]) } ?? ""
  }

  private static let slash = UInt8(ascii: "/")

  /// The text between two offsets; offsets outside the file are clamped, bad UTF-8 is replaced.
  package func text(from start: Int, to end: Int) -> String {
    let lower = min(max(start, 0), bytes.count)
    let upper = min(max(end, lower), bytes.count)
    return String(decoding: bytes[lower..<upper], as: UTF8.self)
  }
}

/// What surrounds models in a Swift file. A schema file has it in its first line.
package struct SwiftScope: Sendable, Hashable {
  package var schemaName: String
  /// `major.minor.patch`.
  package var version: String
  /// The types around the models of the schema, such as the enum of a version; none for models at the top level.
  package var path: [String]
  /// The types around the models of this file, which may belong to the schema of the top level.
  package var home: [String]
  /// True if the innermost of them conforms to `VersionedSchema`, or if one lists the models at the top level.
  package var isVersion: Bool
  /// True if one of them is private to its file.
  package var isHidden: Bool
  /// The lowest access level of them if it is `internal` or `package`.
  package var access: String?
  /// True if `#if swift(…)` around a model was evaluated for the language mode 6.
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
