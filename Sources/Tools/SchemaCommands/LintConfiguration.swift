import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaLint
import SchemaModel

/// The linter settings from the configuration file and the command line.
struct LintConfiguration: Sendable {
  var settings: LintSettings
  var failOn: Severity?
  /// A path relative to the working directory.
  var baseline: String?

  /// - Parameter configuration: The configuration file, or nil if it is missing.
  init(_ configuration: Configuration?, _ arguments: Arguments) throws(DriverFailure) {
    settings = LintSettings()
    if let configuration { try read(configuration) }
    try read(arguments)
  }

  private mutating func read(_ configuration: Configuration) throws(DriverFailure) {
    func failing<Value>(
      at key: String, _ offset: Int? = nil, _ body: () throws(SettingFailure) -> Value
    ) throws(DriverFailure) -> Value {
      do { return try body() } catch {
        let place = offset.map { configuration.place(at: $0) } ?? configuration.place(of: key)
        throw DriverFailure(["\(place): error: \(error.message)"], .usage)
      }
    }
    if let text = configuration.preset {
      settings.preset = try failing(at: "preset") { () throws(SettingFailure) in try Self.word(text, "preset") }
    }
    settings.profiles = Set(
      try failing(at: "profiles") { () throws(SettingFailure) in
        try configuration.profiles.map { name throws(SettingFailure) in try Self.word(name, "a profile") }
      })
    if let text = configuration.failOn {
      failOn = try failing(at: "failOn") { () throws(SettingFailure) in try Self.word(text, "failOn") }
    }
    for (name, version) in configuration.promoted.sorted(by: { $0.key < $1.key }) {
      settings.promoted[
        try failing(at: "promoted") { () throws(SettingFailure) in
          guard SchemaVersion(version) != nil else {
            throw SettingFailure("'\(version)' is not a version (expected a form such as 1.2.0)")
          }
          let profile: LintProfile = try Self.word(name, "a profile")
          guard profile == .cloudkit else {
            throw SettingFailure("'promoted' does not apply to '\(name)', only to 'cloudkit'")
          }
          return profile
        }] = version
    }
    settings.requiresReason = configuration.requiresReason ?? true
    for rule in configuration.rules {
      let (id, level) = try failing(at: rule.name, rule.offset) { () throws(SettingFailure) in
        let (id, level) = try Self.rule(rule)
        guard settings.levels[id] == nil else { throw Self.twice(rule, id) }
        return (id, level)
      }
      settings.levels[id] = level
      settings.options[id] = rule.options.mapValues { Self.value($0) }
    }
    for paths in configuration.paths {
      var levels: [DiagnosticID: LintSettings.Level] = [:]
      for rule in paths.rules {
        let (id, level) = try failing(at: rule.name, rule.offset) { () throws(SettingFailure) in
          guard rule.options.isEmpty else {
            throw SettingFailure("'\(rule.name)' can only be configured globally, under 'rules'")
          }
          let (id, level) = try Self.rule(rule)
          guard levels[id] == nil else { throw Self.twice(rule, id) }
          return (id, level)
        }
        levels[id] = level
      }
      settings.overrides.append(.init(PathPattern(paths.pattern), levels))
    }
    if let baseline = configuration.baseline {
      let folder = URL(fileURLWithPath: configuration.path).deletingLastPathComponent().path
      self.baseline = baseline.hasPrefix("/") ? baseline : folder + "/" + baseline
    }
  }

  private mutating func read(_ arguments: Arguments) throws(DriverFailure) {
    do {
      if let preset = try arguments.choice("--preset", LintPreset.allCases) { settings.preset = preset }
      settings.profiles.formUnion(try arguments.choices("--profile", LintProfile.allCases))
      for name in arguments.options["--disable"] ?? [] {
        let rule = try LintSettings.rule(name)
        settings.levels[rule.id] = try LintSettings.level("off", for: rule)
      }
      for name in arguments.options["--enable"] ?? [] {
        let rule = try LintSettings.rule(name)
        settings.levels[rule.id] = .on(rule.severity)
      }
      for text in arguments.options["--severity"] ?? [] {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw SettingFailure("'--severity' must be RULE=LEVEL") }
        let rule = try LintSettings.rule(parts[0])
        settings.levels[rule.id] = try LintSettings.level(parts[1], for: rule)
      }
    } catch let failure as SettingFailure {
      throw DriverFailure(["error: \(failure.message)"], .usage)
    } catch let failure as DriverFailure {
      throw failure
    } catch {
      throw DriverFailure(["error: \(error.localizedDescription)"], .usage)
    }
    failOn = try arguments.choice("--fail-on", Severity.allCases) ?? failOn
  }

  private static func rule(
    _ configured: Configuration.Rule
  ) throws(SettingFailure) -> (DiagnosticID, LintSettings.Level) {
    let rule = try LintSettings.rule(configured.name)
    for (name, value) in configured.options.sorted(by: { $0.key < $1.key }) {
      try LintSettings.option(name, Self.value(value), of: rule)
      if rule.id == MatchPattern.id, case .table(let patterns) = value { try MatchPattern.check(patterns) }
    }
    return (rule.id, try LintSettings.level(configured.level, for: rule))
  }

  private static func twice(_ rule: Configuration.Rule, _ id: DiagnosticID) -> SettingFailure {
    SettingFailure("duplicate entry '\(rule.name)': \(id.code) and \(id.name) are the same rule")
  }

  private static func value(_ value: Configuration.Rule.Value) -> RuleValue {
    switch value {
    case .integer(let number): .integer(number)
    case .words(let words): .words(words)
    case .table(let table): .table(table)
    }
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ what: String
  ) throws(SettingFailure) -> Word {
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map { $0.rawValue }
    let meant = NearestName.find(text, in: known).map { "; did you mean '\($0)'?" } ?? ""
    throw SettingFailure("\(what) must be one of \(known.joined(separator: ", ")), not '\(text)'\(meant)")
  }

  /// The permitted values of options that have a fixed set.
  static let choices = [
    "--preset": LintPreset.allCases.map(\.rawValue), "--profile": LintProfile.allCases.map(\.rawValue),
    "--fail-on": Severity.allCases.map(\.rawValue),
  ]

  /// The options of all verbs that use lint settings.
  static let options: Set<String> = [
    "--preset", "--profile", "--enable", "--disable", "--severity", "--fail-on", "--config",
  ]
}

extension Configuration {
  package static let fileName = "schema.config.json"

  /// Returns the configuration that `--config` names, or the nearest one between the folder and the package root.
  static func find(for folder: String, _ arguments: Arguments, _ session: Session) throws(DriverFailure)
    -> Configuration?
  {
    if let named = arguments["--config"] { return try read(session.path(named)) }
    guard !arguments.has("--no-config") else { return nil }
    var place = URL(fileURLWithPath: folder.isEmpty ? "." : folder).standardizedFileURL
    while true {
      let path = place.appendingPathComponent(fileName).path
      if FileManager.default.fileExists(atPath: path) { return try read(session.shown(path)) }
      let isRoot = ["Package.swift", ".git"].contains {
        FileManager.default.fileExists(atPath: place.appendingPathComponent($0).path)
      }
      guard !isRoot, place.pathComponents.count > 1 else { return nil }
      place.deleteLastPathComponent()
    }
  }
}
