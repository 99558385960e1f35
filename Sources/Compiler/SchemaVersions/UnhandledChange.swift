package import SchemaDiagnostics
package import SchemaDiff
import SchemaModel

/// A change that requires a migration step or an acceptance and has neither.
package struct UnhandledChange: Sendable {
  package let change: SchemaChange
  package let rule: DiagnosticID
  let versions: VersionPair
  /// The migration block, or the newer schema's version.
  let place: SourceRange
  /// True if the change cannot be accepted.
  package internal(set) var needsCustomStep = false
  /// Probable new names.
  package internal(set) var successors: [RenameCandidate] = []
  /// True for an addition that may be the new name of a removed declaration. The removal's diagnostic covers both.
  package internal(set) var isSuccessor = false

  package var diagnostic: Diagnostic {
    guard successors.isEmpty else { return rename }
    var related: [Diagnostic.Related] = []
    if change.newRange == nil, let range = change.oldRange {
      related.append(.init(range, "declared here in version \(versions.old.version)"))
    }
    return Diagnostic(
      rule, at: change.newRange ?? place,
      needsCustomStep
        ? "\(change.text), and rows in stores of \(versions.old.version) require a custom step"
        : "\(change.text), but the migration from \(versions.old.version) does not handle it",
      related: related, help: help)
  }

  /// A diagnostic that asks whether a removed declaration was renamed. The author answers with an original name or an
  /// acceptance.
  private var rename: Diagnostic {
    let names = successors.map { "'\($0.new)'" }
    let isClear = successors.count == 1
    let what =
      isClear
      ? "\(names[0]) is new and similar"
      : names.joined(separator: " and ")
        + " are new and equally similar"
    let origin = successors.map { "'\($0.declaration)' at '\($0.new)'" }.joined(separator: " or ")
    return Diagnostic(
      .probableRename, at: successors[0].range, "\(change.text), and \(what)",
      related: successors.map { .init($0.range, "\($0.new): \($0.reasons)") }
        + (change.oldRange.map { [.init($0, "declared here in version \(versions.old.version)")] } ?? []),
      help: "write \(origin) if it was renamed, or accept the removal \(block): \(acceptance)")
  }

  private var block: String { "in 'migration from \(versions.old.version)'" }
  private var acceptance: String { "'accept \(rule.code) \(subject) -- \"reason\"'" }

  /// The name of the changed declaration in a migration.
  package var subject: String {
    guard case .unique(let change) = change else { return self.change.subject }
    return String(change.subject.prefix { $0 != "[" && $0 != "(" })
  }

  private var help: String {
    switch change {
    case .unique:
      return "choose the row to keep \(block): 'dedupe \(subject) on \(keyPaths) keep newest', or accept "
        + "the change if no rows are equal: \(acceptance)"
    case .entity(.superentityChanged(_, let entity)): return superclassHelp(entity.name)
    case .entity(.removed):
      return "if it was renamed, add '@Model(originalName:)'; otherwise copy its values in a 'custom' step "
        + "and accept the removal \(block): \(acceptance)"
    case .attribute(let change) where change.effect == .losesData:
      return "if it was renamed, add '@Attribute(originalName: \"\(change.old?.name ?? "")\")'; otherwise "
        + "use it in a 'fill', or accept the loss \(block): \(acceptance)"
    case .attribute(let change) where change.aspect == .optionRemoved(.externalStorage):
      return "read the files \(block): 'fill \(change.subject) = old.\(change.old?.name ?? "")'"
    case .attribute:
      return "set a value for existing rows \(block): 'fill \(change.subject) = …'"
    case .enumeration(let change):
      guard case .caseRemoved(let gone) = change.aspect, case .string(let raw)? = gone.rawValue else {
        return valueHelp(change.name)
      }
      return valueHelp(change.name) + "; a case that was only renamed keeps its stored value: 'case "
        + "newName = \"\(raw)\"'"
    case .structure(let change):
      guard case .fieldKey(let key?, let newKey, let field) = change.aspect else { return valueHelp(change.name) }
      let entry = key == field.name ? key : "\(field.name) = \"\(key)\""
      return "make 'CodingKeys' \(newKey == nil ? "include" : "name") the field as before ('case \(entry)'), or "
        + valueHelp(change.name)
    case .relationship(let change) where change.effect == .losesData:
      return "copy its links in a 'custom' step and accept the loss \(block): \(acceptance)"
    case .relationship(let change) where change.narrowing != nil:
      return "write a 'custom' step \(block) that selects the links to keep (a 'fill' of '\(change.narrowing ?? "")' "
        + "does not), or accept keeping only the first link: \(acceptance)"
    case .schema, .index, .entity, .relationship:
      return "write a 'custom' step \(block), or accept the change: \(acceptance)"
    }
  }

  private func superclassHelp(_ entity: String) -> String {
    if versions.movesToAnotherTable(entity) {
      return "rows of '\(entity)' move to a table where their row keys may already exist: create new rows in a "
        + "'custom' step \(block), which receives the old and new rows; accepting the change is not enough"
    }
    let left = versions.leftBehind(by: entity)
    let names = left.map { "'\($0.name)'" }.joined(separator: ", ")
    if needsCustomStep {
      let required = left.filter(\.isRequired).map { "'\($0.name)'" }.joined(separator: ", ")
      return "assign a different model to the required \(required) in a 'custom' step \(block); "
        + "accepting the change is not enough"
    }
    let loss = left.isEmpty ? "" : "; \(names) then loses those rows"
    return "write a 'custom' step \(block), or accept the change: \(acceptance)\(loss)"
  }

  private func valueHelp(_ type: String) -> String {
    let holders = versions.new.holders(of: type, about: change).map { "'fill \($0.entity).\($0.property) = …'" }
    guard !holders.isEmpty else { return "accept the change \(block): \(acceptance)" }
    return "set the values \(block): \(holders.joined(separator: ", ")), or accept the change: "
      + acceptance
  }

  private var keyPaths: String {
    guard case .unique(.added(let unique, _)) = change else { return "[…]" }
    return "[" + unique.properties.map { "\\.\($0)" }.joined(separator: ", ") + "]"
  }
}
