import SchemaSyntax

/// A message about an imported declaration.
package struct ImportNote: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// The declaration is not in the schema.
    case notCarried = "not-carried"
    /// The declaration is in the schema with a different meaning, or needs manual changes.
    case check
    /// The declaration can be improved.
    case hint
    /// Swift code that was copied into the schema or into another file.
    case copied
  }

  package var kind: Kind
  package var file: String
  /// The line, counted from 1.
  package var line: Int
  package var message: String
  /// A category for filters; nil if there is none.
  package var topic: String?

  package init(_ kind: Kind, _ file: String, _ line: Int, _ message: String, topic: String? = nil) {
    self.topic = topic
    self.kind = kind
    self.file = file
    self.line = line
    // Names can contain line breaks; a note is one line.
    self.message = String(message.map { $0.isNewline ? " " : $0 })
  }

  package var text: String { "\(file):\(line): \(kind.rawValue): \(message)" }
}

/// The result of an import: the files to write and the notes.
package struct ImportResult: Sendable {
  package struct File: Sendable, Equatable {
    /// The path relative to the folder of the schema.
    package var path: String
    package var text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  /// The numbers of models and stored properties.
  package struct Count: Sendable, Equatable {
    package var models = 0
    package var properties = 0

    package init(models: Int = 0, properties: Int = 0) {
      self.models = models
      self.properties = properties
    }

    package var text: String {
      "\(models) \(models == 1 ? "model" : "models") with \(properties) \(properties == 1 ? "property" : "properties")"
    }
  }

  package var files: [File]
  /// The notes about lost information, then those about differences.
  package var notes: [ImportNote]
  /// The notes about copied code.
  package var copied: [ImportNote] = []
  /// The counts in the source; nil if they are unknown.
  package var found: Count?
  /// The counts in the schemas.
  package var written = Count()
  /// The number of imported models.
  package var models: Int
  package var versions: [String]

  package init(files: [File] = [], notes: [ImportNote] = [], models: Int = 0, versions: [String] = []) {
    self.files = files
    self.notes = notes
    self.models = models
    self.versions = versions
  }
}
