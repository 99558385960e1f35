import SchemaSyntax

/// A message about an imported declaration.
package struct ImportNote: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// The declaration is not in the schema.
    case notCarried = "not-carried"
    /// The declaration is in the schema with a different meaning, or requires manual changes.
    case check
    /// The declaration can be improved.
    case hint
    /// Swift code was copied to the schema or to a separate file.
    case copied
  }

  package var kind: Kind
  package var file: String
  /// The line number, starting at 1.
  package var line: Int
  package var message: String
  /// A category for filters; nil if the note has no category.
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

/// The import result: the files to write and the notes.
package struct ImportResult: Sendable {
  package struct File: Sendable, Equatable {
    /// The path relative to the schema folder.
    package var path: String
    package var text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  /// Model and stored property counts.
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
  /// Notes about lost information, followed by notes about differences.
  package var notes: [ImportNote]
  /// Notes about copied code.
  package var copied: [ImportNote] = []
  /// The counts in the source; nil if unknown.
  package var found: Count?
  /// The counts in the schemas.
  package var written = Count()
  /// The imported model count.
  package var models: Int
  package var versions: [String]

  package init(files: [File] = [], notes: [ImportNote] = [], models: Int = 0, versions: [String] = []) {
    self.files = files
    self.notes = notes
    self.models = models
    self.versions = versions
  }
}
