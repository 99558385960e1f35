package import SchemaDiagnostics

/// The files of an `.xcdatamodeld` folder: a Core Data model with its versions.
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

  /// The name of the schema.
  package var name: String
  /// The versions in any order.
  package var versions: [Version]
  /// The file `.xccurrentversion`.
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
