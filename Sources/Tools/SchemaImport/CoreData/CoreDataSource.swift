package import SchemaDiagnostics

/// The files in an `.xcdatamodeld` folder: a Core Data model with all versions.
package struct CoreDataSource: Sendable {
  package struct Version: Sendable {
    /// For example `Model 2`.
    package var name: String
    package var file: SourceFile

    package init(name: String, file: SourceFile) {
      self.name = name
      self.file = file
    }
  }

  /// The schema's name.
  package var name: String
  /// The versions in any order.
  package var versions: [Version]
  /// The `.xccurrentversion` file.
  package var current: SourceFile?
  /// The paths of mapping models, which are not imported.
  package var mappings: [String]

  package init(name: String, versions: [Version], current: SourceFile? = nil, mappings: [String] = []) {
    self.name = name
    self.versions = versions
    self.current = current
    self.mappings = mappings
  }
}
