import Foundation
import SchemaDiagnostics
package import SchemaEmitter

/// `schema.config.json`: how models are generated, and how schemas are judged.
package struct Configuration: Sendable {
  /// Something that is said about a rule: a level, and options.
  package struct Rule: Sendable {
    package enum Value: Sendable {
      case integer(Int)
      case words([String])
      case table([String: String])
    }

    /// By its code or its name.
    package var name: String
    package var level: String
    package var options: [String: Value] = [:]
    /// Where it is named, for what is wrong with it.
    package var offset = 0
  }

  /// What is said about rules in some files.
  package struct Paths: Sendable {
    package var pattern: String
    package var rules: [Rule]
  }

  /// Where it was read.
  package var path = ""
  package var access: EmissionInput.DefaultAccess?
  /// Types that the target declares in Swift with the name of one that generated code uses: `Date`.
  package var declares: [String] = []
  package var preset: String?
  package var profiles: [String] = []
  /// In the order of their names.
  package var rules: [Rule] = []
  /// In the order of the patterns.
  package var paths: [Paths] = []
  package var failOn: String?
  package var requiresReason: Bool?
  /// The newest version that is deployed somewhere, by profile: `cloudkit`.
  package var promoted: [String: String] = [:]
  /// The file with the findings that are left for later, seen from the configuration.
  package var baseline: String?

  /// Where the keys that are no rules and no patterns are written.
  var offsets: [String: Int] = [:]
  var file = SourceFile(path: "", bytes: [])

  package static func read(_ path: String) throws(DriverFailure) -> Configuration {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw DriverFailure(["\(path):1:1: error: the configuration cannot be read"], .usage)
    }
    return try ConfigurationReader(path, Array(data)).read()
  }

  /// `schema.config.json:4:5`: where a key is written, for what is wrong with its value.
  package func place(of key: String) -> String { place(at: offsets[key] ?? 0) }

  package func place(at offset: Int) -> String {
    let position = LineTable(file).position(at: offset)
    return "\(path):\(position.line):\(position.column)"
  }
}

package typealias Access = EmissionInput.DefaultAccess
