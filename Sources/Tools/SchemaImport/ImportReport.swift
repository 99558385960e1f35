/// Something a person has to know about what was imported.
package struct ImportNote: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// It is not in the schema.
    case notCarried = "not-carried"
    /// It is there, and means something a little different, or needs a hand.
    case check
    /// It could be better.
    case hint
    /// Swift code that is in the schema now, or in a file beside it.
    case copied
  }

  package var kind: Kind
  package var file: String
  /// From 1.
  package var line: Int
  package var message: String
  /// What it is about, for those who look for one thing; nil where the message says it all.
  package var topic: String?

  package init(_ kind: Kind, _ file: String, _ line: Int, _ message: String, topic: String? = nil) {
    self.topic = topic
    self.kind = kind
    self.file = file
    self.line = line
    // A name in a file may hold anything, and a note is one line.
    self.message = String(message.map { $0.isNewline ? " " : $0 })
  }

  package var text: String { "\(file):\(line): \(kind.rawValue): \(message)" }
}

/// What came of an import: files to write, and what is not in them.
package struct ImportResult: Sendable {
  package struct File: Sendable, Equatable {
    /// Below the folder of the schema.
    package var path: String
    package var text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  /// Models, and their stored properties.
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
  /// What was lost, then what is otherwise than in the source.
  package var notes: [ImportNote]
  /// The code that was copied.
  package var copied: [ImportNote] = []
  /// What the source has; nil where that is not counted.
  package var found: Count?
  /// What of it is in the schemas.
  package var written = Count()
  /// What was taken in.
  package var models: Int
  package var versions: [String]

  package init(files: [File] = [], notes: [ImportNote] = [], models: Int = 0, versions: [String] = []) {
    self.files = files
    self.notes = notes
    self.models = models
    self.versions = versions
  }
}
