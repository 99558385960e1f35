import Foundation
package import SchemaEmitter

/// `schema.config.json`.
package struct Configuration: Sendable {
  package var access: EmissionInput.DefaultAccess?

  package static func read(_ path: String) throws(DriverFailure) -> Configuration {
    func failure(_ message: String) -> DriverFailure {
      DriverFailure(["\(path):1:1: error: \(message)"], .usage)
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw failure("the configuration cannot be read")
    }
    guard let object = try? JSONSerialization.jsonObject(with: data),
      let values = object as? [String: Any]
    else { throw failure("the configuration is not a JSON object") }
    var configuration = Configuration()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard key == "access" else { throw failure("unknown key '\(key)'; known is 'access'") }
      guard let text = value as? String, let access = EmissionInput.DefaultAccess(rawValue: text)
      else { throw failure("'access' is one of 'internal', 'package' and 'public'") }
      configuration.access = access
    }
    return configuration
  }
}

package typealias Access = EmissionInput.DefaultAccess
