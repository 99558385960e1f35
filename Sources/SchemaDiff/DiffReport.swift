package import SchemaModel

/// The difference between two versions for people and for machines.
package struct DiffReport: Encodable, Sendable {
  package struct Change: Encodable, Sendable {
    package var kind: String
    package var subject: String
    package var effect: String
    package var text: String
  }

  package struct Version: Encodable, Sendable {
    package var name: String
    package var version: String
  }

  /// Raised when a reader of this form would have to change.
  package var schemaVersion = 1
  package var old: Version
  package var new: Version
  package var changes: [Change]
  private var counts: [ChangeEffect: Int]
  private var lines: [String]

  package init(from old: ResolvedSchema, to new: ResolvedSchema) {
    let changes = SchemaDiff.changes(from: old, to: new)
    self.old = Version(name: old.name, version: old.version.description)
    self.new = Version(name: new.name, version: new.version.description)
    self.changes = changes.map {
      Change(kind: $0.kind, subject: $0.subject, effect: $0.effect.rawValue, text: $0.text)
    }
    counts = changes.reduce(into: [:]) { $0[$1.effect, default: 0] += 1 }
    let width = ChangeEffect.allCases.map(\.title.count).max() ?? 0
    lines = changes.map { change in
      let title = change.effect.title
      return "  \(title)\(String(repeating: " ", count: width - title.count))  \(change.text)\n"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case schemaVersion, old, new, changes
  }

  /// One line per change and a line with their number.
  package var text: String {
    let head = "\(old.name) \(old.version) → \(new.name) \(new.version)\n"
    guard !changes.isEmpty else { return head + "  no changes\n" }
    let totals = ChangeEffect.allCases.reversed().compactMap { effect in
      counts[effect].map { "\($0) \(effect.title)" }
    }
    let count = changes.count == 1 ? "1 change" : "\(changes.count) changes"
    return head + lines.joined() + "\(count): \(totals.joined(separator: ", "))\n"
  }
}
