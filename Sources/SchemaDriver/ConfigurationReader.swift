import Foundation
import SchemaDiagnostics
import SchemaEmitter

/// Reads a configuration and says at which line it is wrong.
struct ConfigurationReader {
  private let path: String
  private let file: SourceFile

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    file = SourceFile(path: path, bytes: bytes)
  }

  private static let keys = [
    "access", "baseline", "failOn", "paths", "preset", "profiles", "promoted", "requireSuppressionReason", "rules",
  ]

  func read() throws(DriverFailure) -> Configuration {
    let object: [String: Any]
    do {
      guard let value = try JSONSerialization.jsonObject(with: Data(file.bytes)) as? [String: Any] else {
        throw failure("the configuration is not a JSON object")
      }
      object = value
    } catch let failure as DriverFailure {
      throw failure
    } catch {
      throw failure("the configuration is not JSON: \(Self.text(of: error))")
    }
    var configuration = Configuration()
    configuration.path = path
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      switch key {
      case "access": configuration.access = try access(value)
      case "preset": configuration.preset = try text(value, key)
      case "failOn": configuration.failOn = try text(value, key)
      case "baseline": configuration.baseline = try text(value, key)
      case "profiles": configuration.profiles = try words(value, key)
      case "promoted": configuration.promoted = try texts(value, key)
      case "requireSuppressionReason": configuration.requiresReason = try flag(value, key)
      case "rules": configuration.rules = try rules(value)
      case "paths": configuration.paths = try paths(value)
      default: throw unknown(key, Self.keys)
      }
    }
    return configuration
  }

  private func access(_ value: Any) throws(DriverFailure) -> EmissionInput.DefaultAccess {
    guard let text = value as? String, let access = EmissionInput.DefaultAccess(rawValue: text) else {
      throw failure("'access' is one of 'internal', 'package' and 'public'", at: "access")
    }
    return access
  }

  /// `{ "REL010": "error", "attribute-count": ["warning", { "limit": 40 }] }`
  private func rules(_ value: Any) throws(DriverFailure) -> [Configuration.Rule] {
    guard let object = value as? [String: Any] else {
      throw failure("'rules' is an object with a level for each rule", at: "rules")
    }
    var rules: [Configuration.Rule] = []
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      if let level = value as? String {
        rules.append(Configuration.Rule(name: name, level: level))
      } else if let list = value as? [Any], list.count == 2, let level = list[0] as? String,
        let options = list[1] as? [String: Any]
      {
        rules.append(
          Configuration.Rule(name: name, level: level, options: try self.options(options, of: name)))
      } else {
        throw failure(
          "'\(name)' is a level, or a list of a level and an object of options: [\"warning\", { \"limit\": 40 }]",
          at: name)
      }
    }
    return rules
  }

  private func options(
    _ object: [String: Any], of rule: String
  ) throws(DriverFailure) -> [String: Configuration.Rule.Value] {
    var options: [String: Configuration.Rule.Value] = [:]
    for (name, value) in object {
      if let words = value as? [String] {
        options[name] = .words(words)
      } else if let table = value as? [String: String] {
        options[name] = .table(table)
      } else if let number = value as? NSNumber, !(value is Bool), let integer = Int(exactly: number.doubleValue) {
        options[name] = .integer(integer)
      } else {
        throw failure("'\(name)' of '\(rule)' is a number, a list of words or an object of texts", at: name)
      }
    }
    return options
  }

  /// `{ "Legacy/**": { "rules": { … } } }`
  private func paths(_ value: Any) throws(DriverFailure) -> [Configuration.Paths] {
    guard let object = value as? [String: Any] else {
      throw failure("'paths' is an object with what is said for each pattern", at: "paths")
    }
    var paths: [Configuration.Paths] = []
    for (pattern, value) in object.sorted(by: { $0.key < $1.key }) {
      guard let inner = value as? [String: Any] else {
        throw failure("'\(pattern)' is an object: { \"rules\": { … } }", at: pattern)
      }
      if let other = inner.keys.sorted().first(where: { $0 != "rules" }) { throw unknown(other, ["rules"]) }
      paths.append(Configuration.Paths(pattern: pattern, rules: try rules(inner["rules"] ?? [:])))
    }
    return paths
  }

  private func text(_ value: Any, _ key: String) throws(DriverFailure) -> String {
    guard let text = value as? String else { throw failure("'\(key)' is a text", at: key) }
    return text
  }

  private func words(_ value: Any, _ key: String) throws(DriverFailure) -> [String] {
    guard let words = value as? [String] else { throw failure("'\(key)' is a list of words", at: key) }
    return words
  }

  private func texts(_ value: Any, _ key: String) throws(DriverFailure) -> [String: String] {
    guard let texts = value as? [String: String] else {
      throw failure("'\(key)' is an object of texts", at: key)
    }
    return texts
  }

  private func flag(_ value: Any, _ key: String) throws(DriverFailure) -> Bool {
    guard let flag = value as? Bool else { throw failure("'\(key)' is true or false", at: key) }
    return flag
  }

  private func unknown(_ key: String, _ known: [String]) -> DriverFailure {
    let meant = NearestName.find(key, in: known).map { "; did you mean '\($0)'?" }
      ?? "; known \(known.count == 1 ? "is" : "are") \(known.map { "'\($0)'" }.joined(separator: ", "))"
    return failure("unknown key '\(key)'\(meant)", at: key)
  }

  private func failure(_ message: String, at key: String? = nil) -> DriverFailure {
    DriverFailure(["\(place(of: key)): error: \(message)"], .usage)
  }

  /// Where a key is written first.
  func place(of key: String?) -> String {
    let position = LineTable(file).position(at: key.flatMap { offset(of: $0) } ?? 0)
    return "\(path):\(position.line):\(position.column)"
  }

  private func offset(of key: String) -> Int? {
    let quoted = Array("\"\(key)\"".utf8)
    let bytes = file.bytes
    guard bytes.count > quoted.count else { return nil }
    return (0..<(bytes.count - quoted.count)).first { start in
      guard bytes[start...].starts(with: quoted) else { return false }
      let next = bytes[(start + quoted.count)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      return next == UInt8(ascii: ":")
    }
  }

  private static func text(of error: any Error) -> String {
    let error = error as NSError
    return error.userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
  }
}
