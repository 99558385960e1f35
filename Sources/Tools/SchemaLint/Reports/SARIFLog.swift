/// The parts of a SARIF log that reports use, with the specification's names.
struct SARIFLog: Encodable {
  struct Message: Encodable {
    var text: String
    init(_ text: String) { self.text = text }
  }

  struct Run: Encodable {
    var tool: Tool
    var invocations: [Invocation]
    var columnKind: String
    var results: [Result]
  }

  struct Tool: Encodable { var driver: Driver }
  struct Invocation: Encodable { var executionSuccessful: Bool }

  struct Driver: Encodable {
    var name: String
    var semanticVersion: String?
    var rules: [Rule]
  }

  struct Rule: Encodable {
    struct Configuration: Encodable { var level: String }
    var id: String
    var name: String
    var shortDescription: Message
    var fullDescription: Message
    var help: Message
    var defaultConfiguration: Configuration
  }

  struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int?
    var level: String
    var message: Message
    var locations: [Location]
    var relatedLocations: [Location]
    var partialFingerprints: [String: String]
    var fixes: [Fix]?
    var suppressions: [Suppression]?
    var baselineState: String?
  }

  struct Location: Encodable {
    var physicalLocation: PhysicalLocation
    var id: Int?
    var message: Message?

    init(_ physicalLocation: PhysicalLocation, id: Int? = nil, message: Message? = nil) {
      self.physicalLocation = physicalLocation
      self.id = id
      self.message = message
    }
  }

  struct PhysicalLocation: Encodable {
    var artifactLocation: Artifact
    var region: Region
  }

  struct Artifact: Encodable { var uri: String }

  struct Region: Encodable {
    var startLine: Int
    var startColumn: Int
    var endLine: Int
    var endColumn: Int
  }

  struct Fix: Encodable {
    var description: Message
    var artifactChanges: [Change]
  }

  struct Change: Encodable {
    struct Replacement: Encodable {
      struct Content: Encodable { var text: String }
      var deletedRegion: Region
      var insertedContent: Content
    }

    var artifactLocation: Artifact
    var replacements: [Replacement]
  }

  struct Suppression: Encodable {
    var kind: String
    var status: String
    var justification: String?
  }

  var schema: String
  var version = "2.1.0"
  var runs: [Run]

  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }
}
