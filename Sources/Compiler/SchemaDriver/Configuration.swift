import Foundation
import SchemaDiagnostics
package import SchemaEmitter

/// The contents of `schema.config.json`: settings for code generation and lint rules.
package struct Configuration: Sendable {
  /// A rule's settings: a level and options.
  package struct Rule: Sendable {
    package enum Value: Sendable {
      case integer(Int)
      case words([String])
      case table([String: String])
    }

    /// The rule's code or name.
    package var name: String
    package var level: String
    package var options: [String: Value] = [:]
    /// The name's byte offset, for errors.
    package var offset = 0
  }

  /// Rule settings for files that match a pattern.
  package struct Paths: Sendable {
    package var pattern: String
    package var rules: [Rule]
  }

  /// The configuration file's path.
  package var path = ""
  package var access: EmissionInput.DefaultAccess?
  /// Swift types in the target that have the same name as a type in generated code, for example `Date`.
  package var declares: [String] = []
  package var preset: String?
  package var profiles: [String] = []
  /// Rule settings, sorted by name.
  package var rules: [Rule] = []
  /// Settings for file patterns, sorted by pattern.
  package var paths: [Paths] = []
  package var failOn: String?
  package var requiresReason: Bool?
  /// The newest deployed version by profile, for example `cloudkit`.
  package var promoted: [String: String] = [:]
  /// The baseline file with accepted findings, relative to the configuration file.
  package var baseline: String?

  /// The top-level keys' byte offsets.
  var offsets: [String: Int] = [:]
  var file = SourceFile(path: "", bytes: [])

  package static func read(_ path: String) throws(DriverFailure) -> Configuration {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw DriverFailure(["\(path):1:1: error: the configuration cannot be read"], .usage)
    }
    return try ConfigurationReader(path, Array(data)).read()
  }

  /// A key's location for error messages, for example `schema.config.json:4:5`.
  package func place(of key: String) -> String { place(at: offsets[key] ?? 0) }

  package func place(at offset: Int) -> String {
    let position = LineTable(file).position(at: offset)
    return "\(path):\(position.line):\(position.column)"
  }
}

package typealias Access = EmissionInput.DefaultAccess
