import SchemaDiagnostics
import SchemaEmitter

/// Reads a configuration file and reports errors with locations.
struct ConfigurationReader {
  private typealias Member = ConfigurationValue.Member
  private let path: String
  private let file: SourceFile

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    file = SourceFile(path: path, bytes: bytes)
  }

  private static let keys = [
    "access", "baseline", "declares", "failOn", "paths", "preset", "profiles", "promoted", "requireSuppressionReason",
    "rules",
  ]

  func read() throws(DriverFailure) -> Configuration {
    let value: ConfigurationValue
    guard case .success = SchemaReader.check(file) else {
      throw failure("the configuration is not UTF-8 text", at: 0)
    }
    do throws(ConfigurationMistake) { value = try ConfigurationParser.parse(file.bytes) } catch {
      throw failure("the configuration is not JSON: \(error.message)", at: error.offset)
    }
    guard let members = value.members else { throw failure("the configuration is not a JSON object", at: 0) }
    var configuration = Configuration()
    configuration.path = path
    configuration.file = file
    for member in members {
      switch member.key {
      case "access": configuration.access = try access(member)
      case "declares": configuration.declares = try words(member)
      case "preset": configuration.preset = try text(member)
      case "failOn": configuration.failOn = try text(member)
      case "baseline": configuration.baseline = try text(member)
      case "profiles": configuration.profiles = try words(member)
      case "promoted": configuration.promoted = try texts(member)
      case "requireSuppressionReason": configuration.requiresReason = try flag(member)
      case "rules": configuration.rules = try rules(member)
      case "paths": configuration.paths = try paths(member)
      default: throw unknown(member, Self.keys)
      }
      configuration.offsets[member.key] = member.offset
    }
    return configuration
  }

  private func access(_ member: Member) throws(DriverFailure) -> EmissionInput.DefaultAccess {
    guard let access = member.value.text.flatMap({ EmissionInput.DefaultAccess(rawValue: $0) }) else {
      throw failure("'access' must be 'internal', 'package' or 'public'", at: member.offset)
    }
    return access
  }

  /// `{ "REL010": "error", "attribute-count": ["warning", { "limit": 40 }] }`
  private func rules(_ member: Member) throws(DriverFailure) -> [Configuration.Rule] {
    guard let members = member.value.members else {
      throw failure("'rules' must be an object with a level for each rule", at: member.offset)
    }
    var rules: [Configuration.Rule] = []
    for rule in members.ordered(by: { $0.key < $1.key }) {
      if let level = rule.value.text {
        rules.append(Configuration.Rule(name: rule.key, level: level, offset: rule.offset))
      } else if let list = rule.value.list, list.count == 2, let level = list[0].text, let options = list[1].members {
        rules.append(
          Configuration.Rule(
            name: rule.key, level: level, options: try self.options(options, of: rule.key), offset: rule.offset))
      } else {
        throw failure(
          "'\(rule.key)' must be a level, or a list with a level and options: [\"warning\", { \"limit\": 40 }]",
          at: rule.offset)
      }
    }
    return rules
  }

  private func options(
    _ members: [Member], of rule: String
  ) throws(DriverFailure) -> [String: Configuration.Rule.Value] {
    var options: [String: Configuration.Rule.Value] = [:]
    for member in members {
      if let words = member.value.words {
        options[member.key] = .words(words)
      } else if let texts = member.value.texts {
        options[member.key] = .table(Dictionary(texts.map { ($0.key, $0.text) }) { first, _ in first })
      } else if let integer = member.value.integer {
        options[member.key] = .integer(integer)
      } else {
        throw failure(
          "'\(member.key)' of '\(rule)' must be an integer, a list of strings or an object of strings",
          at: member.offset)
      }
    }
    return options
  }

  /// `{ "Legacy/**": { "rules": { … } } }`
  private func paths(_ member: Member) throws(DriverFailure) -> [Configuration.Paths] {
    guard let members = member.value.members else {
      throw failure("'paths' must be an object with settings for each pattern", at: member.offset)
    }
    var paths: [Configuration.Paths] = []
    for pattern in members.ordered(by: { $0.key < $1.key }) {
      guard let inner = pattern.value.members else {
        throw failure("'\(pattern.key)' must be an object: { \"rules\": { … } }", at: pattern.offset)
      }
      if let other = inner.first(where: { $0.key != "rules" }) { throw unknown(other, ["rules"]) }
      var inside: [Configuration.Rule] = []
      if let member = inner.first { inside = try rules(member) }
      paths.append(Configuration.Paths(pattern: pattern.key, rules: inside))
    }
    return paths
  }

  private func text(_ member: Member) throws(DriverFailure) -> String {
    guard let text = member.value.text else { throw failure("'\(member.key)' must be a string", at: member.offset) }
    return text
  }

  private func words(_ member: Member) throws(DriverFailure) -> [String] {
    guard let words = member.value.words else {
      throw failure("'\(member.key)' must be a list of strings", at: member.offset)
    }
    return words
  }

  private func texts(_ member: Member) throws(DriverFailure) -> [String: String] {
    guard let texts = member.value.texts else {
      throw failure("'\(member.key)' must be an object of strings", at: member.offset)
    }
    return Dictionary(texts.map { ($0.key, $0.text) }) { first, _ in first }
  }

  private func flag(_ member: Member) throws(DriverFailure) -> Bool {
    guard let flag = member.value.flag else {
      throw failure("'\(member.key)' must be true or false", at: member.offset)
    }
    return flag
  }

  private func unknown(_ member: Member, _ known: [String]) -> DriverFailure {
    let meant =
      NearestName.find(member.key, in: known).map { "; did you mean '\($0)'?" }
      ?? "; \(known.count == 1 ? "the only known key is" : "known keys are") "
      + "\(known.map { "'\($0)'" }.joined(separator: ", "))"
    return failure("unknown key '\(member.key)'\(meant)", at: member.offset)
  }

  private func failure(_ message: String, at offset: Int) -> DriverFailure {
    let position = LineTable(file).position(at: offset)
    return DriverFailure(["\(path):\(position.line):\(position.column): error: \(message)"], .usage)
  }
}
