import SchemaDiagnostics
import SchemaLint

/// A rule's description for the terminal.
struct RulePage {
  let rule: any RuleDescription.Type

  var text: String {
    var text = "\(rule.id.code) \(rule.id.name): \(state)\n\n\(rule.summary)\n"
    text += section("Why", Self.wrapped(rule.why))
    text += section("Instead", Self.wrapped(rule.remedy))
    text += section("Fix", fix)
    if !rule.options.isEmpty {
      text += section("Options", rule.options.map { "\($0.name): \($0.summary)" }.joined(separator: "\n"))
    }
    if let example = rule.example {
      text += section("Found in", example.bad)
      text += section("Not found in", example.good)
    }
    return text + section("Suppress", suppression)
  }

  /// For example `warning, in the preset 'recommended'`.
  private var state: String {
    var parts = [rule.severity.rawValue]
    if let profile = rule.profile {
      parts.append("with the profile '\(profile.rawValue)'")
    } else {
      parts.append(rule.isFixed ? "always" : "in the preset '\(rule.presence.rawValue)'")
    }
    for raise in rule.raises {
      switch raise.occasion {
      case .strict: parts.append("\(raise.severity.rawValue) in 'strict'")
      case .profile(let profile): parts.append("\(raise.severity.rawValue) with '\(profile.rawValue)'")
      }
    }
    return parts.joined(separator: ", ")
  }

  private var fix: String {
    switch rule.fix {
    case .auto: "Applied by 'trellis lint --fix'."
    case .ask: "The finding lists the possible fixes; choose one of them."
    case .add: "Adds a declaration; fill in its values."
    case .none: "None."
    }
  }

  private var suppression: String {
    if rule.isFixed { return "This rule cannot be suppressed, because a schema that violates it cannot be built." }
    return """
      // schema:ignore \(rule.id.code) -- why        on the line before the declaration
      "rules": { "\(rule.id.name)": "off" }       in schema.config.json
      """
  }

  private func section(_ title: String, _ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let trimmed = lines.last == "" ? lines.dropLast() : lines[...]
    return "\n\(title)\n" + trimmed.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
  }

  /// Wraps text to the width of a terminal.
  private static func wrapped(_ text: String) -> String {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + word.count < 88 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension RulePage: Encodable {
  private enum CodingKeys: String, CodingKey {
    case schemaVersion, id, name, severity, summary, why, remedy, fix, presence, profile, bad, good, isFixed
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // The format version. Increase it for incompatible changes.
    try container.encode(1, forKey: .schemaVersion)
    try container.encode(rule.id.code, forKey: .id)
    try container.encode(rule.id.name, forKey: .name)
    try container.encode(rule.severity.rawValue, forKey: .severity)
    try container.encode(rule.summary, forKey: .summary)
    try container.encode(rule.why, forKey: .why)
    try container.encode(rule.remedy, forKey: .remedy)
    try container.encode(rule.fix.rawValue, forKey: .fix)
    try container.encode(rule.presence.rawValue, forKey: .presence)
    try container.encodeIfPresent(rule.profile?.rawValue, forKey: .profile)
    try container.encodeIfPresent(rule.example?.bad, forKey: .bad)
    try container.encodeIfPresent(rule.example?.good, forKey: .good)
    try container.encode(rule.isFixed, forKey: .isFixed)
  }
}
