package import SchemaDiagnostics

/// One schema at one version, every name resolved: what the emitter, the differ and the linter read.
///
/// Values only, in declaration order (files in the order of their paths, declarations in the order of
/// their text). Comments and layout are gone except for documentation and carried Swift text.
package struct ResolvedSchema: Sendable {
  package var name: String
  package var version: SchemaVersion
  /// Where the version is written, or the beginning of the first file.
  package var versionRange: SourceRange
  /// Root entities and subentities alike.
  package var entities: [ResolvedEntity]
  package var enums: [ResolvedEnum]
  package var structs: [ResolvedStruct]
  package var imports: [ResolvedImport]
  /// The head files this schema was read from, one generated pair of Swift files each.
  package var files: [ResolvedFile]
  package var migrations: [ResolvedMigration]
  /// For a schema that is in Swift files only: the types around the models.
  package var scope: SwiftScope?
  /// True if the models are in Swift files that state no version, so that it is 1.0.0.
  package var hasDefaultVersion: Bool { scope.map { $0.path.isEmpty && !$0.isVersion } ?? false }
  /// The types of Swift files that properties have and of which generated code says that they are `Sendable`.
  package var unsendable: [SwiftType] = []
  /// What the JSON of types of Swift files has inside, by their names.
  package var swiftFields: [String: [JSONField]] = [:]

  /// Types as properties in Swift files name them, and the names that a schema file has for them.
  package var spellings: [TextEdit] = []
  /// The types around each model that is not in the scope of the schema.
  package var homes: [String: [String]] = [:]

  /// A type of a Swift file, by its full name.
  package struct SwiftType: Sendable, Hashable {
    package var path: [String]
    /// The index of the first file that uses it.
    package var file: Int
  }

  /// How many ancestors of an entity are read. Following a deeper chain for every entity would take quadratic
  /// time, and real schemas have none.
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

/// A head file: its path as given to the tool, and the stem its generated files are named after.
package struct ResolvedFile: Sendable, Equatable {
  package var path: String
  package var stem: String
  /// Of a Swift file: the access levels that are written at its imports, by module.
  package var importAccess: [String: AccessLevel]
  /// Of a Swift file: true if `#if swift(…)` around a model was evaluated for the language mode 6.
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

/// An `import` written in a schema file. `SwiftData` and `Trellis` never appear here.
package struct ResolvedImport: Sendable {
  package var module: String
  package var access: AccessLevel?
  /// Whether `@preconcurrency` stands in front of it.
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

/// Swift source carried from a schema file into generated code, with the place it came from
/// so that the emitter can put it under `#sourceLocation`.
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
