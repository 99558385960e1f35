import Foundation
package import SchemaCommands
import SchemaDiagnostics
import SchemaDriver
package import SchemaModel
package import SchemaVersions

/// A version argument on the command line: `1.0.0`, `Trips@1.0.0`, `head` or `Trips@all`.
package struct RequestedVersion {
  enum Place: Equatable {
    case head, all
    case version(SchemaVersion)

    init?(_ text: String) {
      switch text {
      case "head": self = .head
      case "all": self = .all
      default:
        guard let version = SchemaVersion(text) else { return nil }
        self = .version(version)
      }
    }
  }

  let schema: String?
  let place: Place

  static var head: RequestedVersion { RequestedVersion(schema: nil, place: .head) }

  private init(schema: String?, place: Place) {
    self.schema = schema
    self.place = place
  }

  /// Returns `nil` if the argument is a path.
  init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count < 3, let last = parts.last, let place = Place(last), parts.first != "" else {
      return nil
    }
    self.init(schema: parts.count == 2 ? parts[0] : nil, place: place)
  }

  var text: String {
    let place =
      switch place {
      case .head: "head"
      case .all: "all"
      case .version(let version): version.description
      }
    return schema.map { "\($0)@\(place)" } ?? place
  }

  /// A version and the schema folder that contains it.
  package struct Found {
    package let folder: SchemaFolder
    package let history: SchemaHistory
    package let version: ResolvedSchema

    package init(folder: SchemaFolder, history: SchemaHistory, version: ResolvedSchema) {
      self.folder = folder
      self.history = history
      self.version = version
    }

    /// `Trips-1.0.0`
    package var title: String { "\(version.name)-\(version.version)" }

    /// The module that contains the generated models, named after the folder below `Schemas`, `Sources` or `Tests`.
    package var module: String {
      let path = folder.path.isEmpty ? "." : folder.path
      let parts = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
      let places = parts.indices.dropLast().filter { ["Schemas", "Sources", "Tests"].contains(parts[$0]) }
      let target = places.last.map { parts[$0 + 1] } ?? history.head.name
      return String(target.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }
  }

  /// Returns the requested versions. Duplicates are removed.
  static func find(_ wanted: [RequestedVersion], _ folders: [SchemaFolder]) throws -> [Found] {
    var found: [Found] = []
    let histories = folders.flatMap { folder in folder.histories.map { (folder, $0) } }
    for wanted in wanted {
      let named = histories.filter { wanted.schema == nil || $0.1.head.name == wanted.schema }
      if named.isEmpty, let name = wanted.schema {
        let known = Set(histories.map(\.1.head.name)).sorted().joined(separator: ", ")
        throw DriverFailure(["error: unknown schema '\(name)'; known schemas are \(known)"], .usage)
      }
      let versions = named.flatMap { folder, history in
        history.versions.filter { version in
          switch wanted.place {
          case .head: version.version == history.head.version
          case .all: true
          case .version(let number): version.version == number
          }
        }.map { Found(folder: folder, history: history, version: $0) }
      }
      if versions.isEmpty {
        let known = named.flatMap { _, history in
          history.versions.map { "\(history.head.name)@\($0.version)" }
        }
        throw DriverFailure(
          ["error: unknown version \(wanted.text); known versions are \(known.joined(separator: ", "))"], .usage)
      }
      for version in versions
      where !found.contains(where: { $0.title == version.title && $0.folder.path == version.folder.path }) {
        found.append(version)
      }
    }
    return found
  }
}
