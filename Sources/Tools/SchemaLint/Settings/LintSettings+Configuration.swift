import SchemaDiagnostics

/// An error in a setting. The caller adds the location.
package struct SettingFailure: Error, Sendable, Equatable {
  package var message: String

  package init(_ message: String) { self.message = message }
}

extension LintSettings {
  /// Returns a rule by its code or name.
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
      throw SettingFailure("'\(rule.id.code)' is one of off, info, warning and error, not '\(text)'")
    }
    if rule.isFixed, level != .on(.error) {
      throw SettingFailure(
        "'\(rule.id.code)' is always an error: what it finds cannot be built")
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
        "'\(rule.id.code)' has no option '\(name)'" + (known.isEmpty ? "" : "; it has \(known)"))
    }
    switch (option.standard, value) {
    case (.integer, .integer(let number)) where number >= 0: return
    case (.words, .words), (.table, .table): return
    case (.integer, _): throw SettingFailure("'\(name)' of '\(rule.id.code)' is a number from 0")
    case (.words, _): throw SettingFailure("'\(name)' of '\(rule.id.code)' is a list of words")
    case (.table, _): throw SettingFailure("'\(name)' of '\(rule.id.code)' is an object of texts")
    }
  }
}
