package import SchemaDiagnostics

/// A schema version with all names resolved, as read by the emitter, the differ and the linter.
///
/// Contains only values, in declaration order: files by path, declarations by position. Comments and layout are
/// dropped, except for documentation and carried Swift text.
package struct ResolvedSchema: Sendable {
  package var name: String
  package var version: SchemaVersion
  /// The source range of the version, or the beginning of the first file.
  package var versionRange: SourceRange
  /// Root entities and subentities.
  package var entities: [ResolvedEntity]
  package var enums: [ResolvedEnum]
  package var structs: [ResolvedStruct]
  package var imports: [ResolvedImport]
  /// The schema's source files. A pair of Swift files is generated for each.
  package var files: [ResolvedFile]
  package var migrations: [ResolvedMigration]
  /// For a schema declared only in Swift files: the types that enclose the models.
  package var scope: SwiftScope?
  /// True if the models are in Swift files that state no version. The version is then 1.0.0.
  package var hasDefaultVersion: Bool { scope.map { $0.path.isEmpty && !$0.isVersion } ?? false }
  /// The Swift property types for which generated code declares a `Sendable` conformance.
  package var unsendable: [SwiftType] = []
  /// JSON fields of Swift types, by type name.
  package var swiftFields: [String: [JSONField]] = [:]

  /// Edits for the frozen copy of a Swift file: type names as a schema file spells them, and `inverse: nil` for
  /// ambiguous relationships.
  package var spellings: [TextEdit] = []
  /// The enclosing types of each model outside the schema's scope.
  package var homes: [String: [String]] = [:]

  /// A type in a Swift file, by full name.
  package struct SwiftType: Sendable, Hashable {
    package var path: [String]
    /// The index of the first file that uses the type.
    package var file: Int
  }

  /// The maximum number of ancestors read per entity. Following deeper chains for every entity would take quadratic
  /// time, and they do not occur in real schemas.
  package static let maximumDepth = 32

  package init(
    name: String, version: SchemaVersion,
    versionRange: SourceRange = SourceRange(file: 0, start: 0, end: 0),
    entities: [ResolvedEntity] = [], enums: [ResolvedEnum] = [], structs: [ResolvedStruct] = [],
    imports: [ResolvedImport] = [],
    files: [ResolvedFile] = [], migrations: [ResolvedMigration] = []
  ) {
    self.name = name
    self.version = version
    self.versionRange = versionRange
    self.entities = entities
    self.enums = enums
    self.structs = structs
    self.imports = imports
    self.files = files
    self.migrations = migrations
  }
}

/// `major.minor.patch`, ordered by semantic versioning.
package struct SchemaVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  package var major: Int
  package var minor: Int
  package var patch: Int

  package init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  package var description: String { "\(major).\(minor).\(patch)" }

  package static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
  }
}

/// A source file: the path given to the tool, and the stem that names its generated files.
package struct ResolvedFile: Sendable, Equatable {
  package var path: String
  package var stem: String
  /// For a Swift file: explicit access levels of imports, by module.
  package var importAccess: [String: AccessLevel]
  /// For a Swift file: true if `#if swift(…)` around a model was evaluated for language mode 6.
  package var assumesLatestMode: Bool

  package init(
    path: String, stem: String, importAccess: [String: AccessLevel] = [:], assumesLatestMode: Bool = false
  ) {
    self.path = path
    self.stem = stem
    self.importAccess = importAccess
    self.assumesLatestMode = assumesLatestMode
  }
}

/// An `import` in a schema file. `SwiftData` and `Trellis` never appear here.
package struct ResolvedImport: Sendable {
  package var module: String
  package var access: AccessLevel?
  /// True if the import is marked `@preconcurrency`.
  package var isPreconcurrency: Bool
  package var file: Int

  package init(
    module: String, access: AccessLevel? = nil, isPreconcurrency: Bool = false, file: Int
  ) {
    self.module = module
    self.access = access
    self.isPreconcurrency = isPreconcurrency
    self.file = file
  }
}

/// Swift source carried from a schema file into generated code, with the source location for the emitter's
/// `#sourceLocation`.
package struct SwiftText: Sendable, Hashable {
  package var text: String
  /// Index into `ResolvedSchema.files`.
  package var file: Int
  /// 1-based line of the first character of `text`.
  package var line: Int

  package init(_ text: String, file: Int, line: Int) {
    self.text = text
    self.file = file
    self.line = line
  }
}
