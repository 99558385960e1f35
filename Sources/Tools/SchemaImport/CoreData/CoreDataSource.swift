package import SchemaDiagnostics

/// A Core Data model with its versions, as the files of an `.xcdatamodeld` folder.
package struct CoreDataSource: Sendable {
  package struct Version: Sendable {
    /// `Model 2`
    package var name: String
    package var file: SourceFile

    package init(name: String, file: SourceFile) {
      self.name = name
      self.file = file
    }
  }

  /// Of the schema.
  package var name: String
  /// In any order.
  package var versions: [Version]
  /// `.xccurrentversion`
  package var current: SourceFile?
  /// The paths of mapping models, which are not read.
  package var mappings: [String]

  package init(name: String, versions: [Version], current: SourceFile? = nil, mappings: [String] = []) {
    self.name = name
    self.versions = versions
    self.current = current
    self.mappings = mappings
  }
}
