import SchemaDiagnostics
import SchemaDiff
package import SchemaModel

/// The difference between two versions, as text or JSON.
package struct DiffReport: Encodable, Sendable {
  package struct Change: Encodable, Sendable {
    package struct Rule: Encodable, Sendable {
      package var id: String
      package var name: String
    }

    package var kind: String
    package var subject: String
    package var effect: String
    package var text: String
    /// The rule that reports the change in the build or in `trellis verify`.
    package var rule: Rule?
    /// The broken axes, for example `STORE` and `SOURCE`.
    package var axes: [String]
  }

  package struct Version: Encodable, Sendable {
    package var name: String
    package var version: String
  }

  /// The format version. Increase it for incompatible changes.
  package var schemaVersion = 1
  package var old: Version
  package var new: Version
  package var changes: [Change]
  private var effects: [ChangeEffect]

  package init(from old: ResolvedSchema, to new: ResolvedSchema) { self.init(through: [old, new]) }

  /// - Parameters:
  ///   - versions: The two compared versions and the versions between them, oldest first.
  ///   - earlier: The versions that may have written rows in the first compared version, if they are known.
  ///   - axes: Omits changes that break none of these axes.
  package init(
    through versions: [ResolvedSchema], earlier: [ResolvedSchema]? = nil, breaking axes: Set<BreakingAxis>? = nil
  ) {
    let changes = SchemaDiff.changes(through: versions, earlier: earlier).filter { change in
      axes.map { !$0.isDisjoint(with: change.axes) } ?? true
    }
    old = Self.version(versions.first)
    new = Self.version(versions.last)
    effects = changes.map(\.effect)
    self.changes = changes.map { change in
      Change(
        kind: change.kind, subject: change.subject, effect: change.effect.rawValue, text: change.text,
        rule: change.rules.first.map { Change.Rule(id: $0.code, name: $0.name) },
        axes: change.axes.map(\.rawValue))
    }
  }

  private static func version(_ schema: ResolvedSchema?) -> Version {
    Version(name: schema?.name ?? "", version: schema?.version.description ?? "")
  }

  private enum CodingKeys: String, CodingKey {
    case schemaVersion, old, new, changes
  }

  private var title: String { "\(old.name) \(old.version) → \(new.name) \(new.version)" }

  /// For example `3 changes: 1 loses data, 2 automatic`.
  private var summary: String {
    let totals = ChangeEffect.allCases.reversed().compactMap { effect in
      let count = effects.count { $0 == effect }
      return count == 0 ? nil : "\(count) \(effect.title)"
    }
    let count = changes.count == 1 ? "1 change" : "\(changes.count) changes"
    return "\(count): \(totals.joined(separator: ", "))"
  }

  /// The report as plain text: a line for each change, and a line with the totals.
  package var text: String {
    guard !changes.isEmpty else { return "\(title)\n  no changes\n" }
    let width = ChangeEffect.allCases.map(\.title.count).max() ?? 0
    let lines = zip(effects, changes).map { effect, change in
      let space = String(repeating: " ", count: width - effect.title.count)
      return "  \(effect.title)\(space)  \(change.text)\(change.marks.map { " [\($0)]" } ?? "")\n"
    }
    return "\(title)\n\(lines.joined())\(summary)\n"
  }

  /// The report as a Markdown table for pull requests.
  package var markdown: String {
    guard !changes.isEmpty else { return "### \(title)\n\nNo changes.\n" }
    let rows = zip(effects, changes).map { effect, change in
      let rule = change.rule.map { "\($0.id) \($0.name)" } ?? ""
      let text = change.text.map { $0 == "|" ? "\\|" : String($0) }.joined()
      return "| \(text) | \(effect.title) | \(rule) | \(change.axes.joined(separator: ", ")) |\n"
    }
    return """
      ### \(title)

      \(summary)

      | change | effect | rule | breaks |
      |---|---|---|---|
      \(rows.joined())
      """
  }
}

extension DiffReport.Change {
  /// For example `MIG011: STORE, SOURCE`.
  fileprivate var marks: String? {
    let list = axes.joined(separator: ", ")
    guard let rule else { return list.isEmpty ? nil : list }
    return list.isEmpty ? rule.id : "\(rule.id): \(list)"
  }
}
