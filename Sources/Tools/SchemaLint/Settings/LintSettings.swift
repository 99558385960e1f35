package import SchemaDiagnostics

/// The enabled rules and the severities.
package struct LintSettings: Sendable {
  /// A rule's configured level.
  package enum Level: Sendable, Hashable {
    case off
    case on(Severity)

    /// Parses `off`, `info`, `warning` or `error`; returns `nil` for an unknown word.
    package init?(_ text: String) {
      if text == "off" {
        self = .off
      } else if let severity = Severity(rawValue: text) {
        self = .on(severity)
      } else {
        return nil
      }
    }
  }

  /// Levels for a subset of the files.
  package struct Override: Sendable {
    package var pattern: PathPattern
    package var levels: [DiagnosticID: Level]

    package init(_ pattern: PathPattern, _ levels: [DiagnosticID: Level]) {
      self.pattern = pattern
      self.levels = levels
    }
  }

  package var preset = LintPreset.recommended
  package var profiles: Set<LintProfile> = []
  package var levels: [DiagnosticID: Level] = [:]
  /// The configured option values, by rule and option name.
  package var options: [DiagnosticID: [String: RuleValue]] = [:]
  /// The overrides. Later overrides take precedence.
  package var overrides: [Override] = []
  package var requiresReason = true
  /// True if suppression comments are applied.
  package var followsSuppressions = true
  /// By profile, the newest version that an external system has adopted, for example CloudKit's production environment.
  /// From then on, only additions are permitted.
  package var promoted: [LintProfile: String] = [:]

  package init(profiles: Set<LintProfile> = []) { self.profiles = profiles }

  /// Returns true if a rule runs for any file.
  package func runs(_ rule: any RuleDescription.Type) -> Bool {
    if rule.isFixed { return true }
    let overridden = overrides.contains { override in
      if case .on? = override.levels[rule.id] { true } else { false }
    }
    if overridden { return true }
    switch levels[rule.id] {
    case .on: return true
    case .off: return false
    case nil: return isChosen(rule)
    }
  }

  private func isChosen(_ rule: any RuleDescription.Type) -> Bool {
    rule.profile.map { profiles.contains($0) } ?? preset.contains(rule.presence)
  }

  /// Returns the severity for a rule's findings in a file; `nil` if they are disabled.
  ///
  /// - Parameter reported: The severity that the rule reported.
  package func severity(
    of rule: any RuleDescription.Type, reported: Severity, in path: String
  ) -> Severity? {
    if rule.isFixed { return reported }
    var level = levels[rule.id]
    for override in overrides where override.pattern.matches(path) {
      if let other = override.levels[rule.id] { level = other }
    }
    switch level {
    case .off: return nil
    case .on(let severity): return severity
    case nil: break
    }
    guard isChosen(rule) else { return nil }
    return raised(rule).map { max($0, reported) } ?? reported
  }

  /// Returns the severity that the preset and profiles set.
  private func raised(_ rule: any RuleDescription.Type) -> Severity? {
    rule.raises.filter { raise in
      switch raise.occasion {
      case .strict: preset == .strict
      case .profile(let profile): profiles.contains(profile)
      }
    }.map(\.severity).max()
  }

  /// Returns an option's configured or default value.
  package func value(_ option: String, of rule: any RuleDescription.Type) -> RuleValue? {
    options[rule.id]?[option] ?? rule.options.first { $0.name == option }?.standard
  }
}

/// A settings error. The caller adds the location.
package struct SettingFailure: Error, Sendable, Equatable {
  package var message: String

  package init(_ message: String) { self.message = message }
}

extension LintSettings {
  /// Returns a rule by code or name.
  package static func rule(_ text: String) throws(SettingFailure) -> any RuleDescription.Type {
    if let rule = RuleCatalogue.rule(text) { return rule }
    let known = RuleCatalogue.all.flatMap { [$0.id.code, $0.id.name] }
    let meant =
      NearestName.find(text, in: known).map { "; did you mean '\($0)'?" }
      ?? "; 'trellis rules' lists them"
    throw SettingFailure("there is no rule '\(text)'\(meant)")
  }

  /// Parses a level and checks it for the rule.
  package static func level(
    _ text: String, for rule: any RuleDescription.Type
  ) throws(SettingFailure) -> Level {
    guard let level = Level(text) else {
      throw SettingFailure("'\(rule.id.code)' must be off, info, warning or error, not '\(text)'")
    }
    if rule.isFixed, level != .on(.error) {
      throw SettingFailure(
        "'\(rule.id.code)' is always an error, because its findings stop the build")
    }
    return level
  }

  /// Checks an option and its value for the rule.
  package static func option(
    _ name: String, _ value: RuleValue, of rule: any RuleDescription.Type
  ) throws(SettingFailure) {
    guard let option = rule.options.first(where: { $0.name == name }) else {
      let known = rule.options.map { "'\($0.name)'" }.joined(separator: ", ")
      throw SettingFailure(
        "'\(rule.id.code)' has no option '\(name)'" + (known.isEmpty ? "" : "; available options: \(known)"))
    }
    switch (option.standard, value) {
    case (.integer, .integer(let number)) where number >= 0: return
    case (.words, .words), (.table, .table): return
    case (.integer, _): throw SettingFailure("'\(name)' in '\(rule.id.code)' must be a number of at least 0")
    case (.words, _): throw SettingFailure("'\(name)' in '\(rule.id.code)' must be a list of words")
    case (.table, _): throw SettingFailure("'\(name)' in '\(rule.id.code)' must be an object with string values")
    }
  }
}
