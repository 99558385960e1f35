package import SchemaDiagnostics

/// Which rules run, and how much what they find matters.
package struct LintSettings: Sendable {
  /// What is said about one rule.
  package enum Level: Sendable, Hashable {
    case off
    case on(Severity)

    /// `off`, `info`, `warning`, `error`; nil for another word.
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

  /// Files where other things are said about rules.
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
  /// What options were set to, by rule and name.
  package var options: [DiagnosticID: [String: RuleValue]] = [:]
  /// Later ones win.
  package var overrides: [Override] = []
  package var requiresReason = true
  /// Whether comments in files are listened to.
  package var followsSuppressions = true
  /// The newest version whose stores another system has taken in, and that can only grow since:
  /// record types deployed to CloudKit's production environment.
  package var promoted: [LintProfile: String] = [:]

  package init(profiles: Set<LintProfile> = []) { self.profiles = profiles }

  /// Whether a rule runs at all, in some file.
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

  /// What the rule's findings in a file are reported as; nil when they are not.
  ///
  /// - Parameter reported: what the rule itself thinks of this finding.
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

  /// What the preset and the profiles make of the rule.
  private func raised(_ rule: any RuleDescription.Type) -> Severity? {
    rule.raises.filter { raise in
      switch raise.occasion {
      case .strict: preset == .strict
      case .profile(let profile): profiles.contains(profile)
      }
    }.map(\.severity).max()
  }

  /// What an option of a rule is, set or not.
  package func value(_ option: String, of rule: any RuleDescription.Type) -> RuleValue? {
    options[rule.id]?[option] ?? rule.options.first { $0.name == option }?.standard
  }
}
