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

  var diagnostic: Diagnostic {
    guard successors.isEmpty else { return rename }
    var related: [Diagnostic.Related] = []
    if change.newRange == nil, let range = change.oldRange {
      related.append(.init(range, "it is here in version \(versions.old.version)"))
    }
    return Diagnostic(
      rule, at: change.newRange ?? place,
      needsCustomStep
        ? "\(change.text), and only a custom step can say what becomes of its rows in stores of \(versions.old.version)"
        : "\(change.text), and nothing says what becomes of stores of \(versions.old.version)",
      related: related, help: help)
  }

  /// Asks whether a removed declaration was renamed. Either answer is a declaration.
  private var rename: Diagnostic {
    let names = successors.map { "'\($0.new)'" }
    let isClear = successors.count == 1
    let what =
      isClear
      ? "\(names[0]), which is new, looks like it"
      : names.joined(separator: " and ")
        + ", which are new, look like it equally"
    let origin = successors.map { "'\($0.declaration)' at '\($0.new)'" }.joined(separator: " or ")
    return Diagnostic(
      .probableRename, at: successors[0].range, "\(change.text), and \(what)",
      related: successors.map { .init($0.range, "\($0.new): \($0.reasons)") }
        + (change.oldRange.map { [.init($0, "it is here in version \(versions.old.version)")] } ?? []),
      help: "write \(origin) if that is what it is called now, or say \(block) that it goes: \(acceptance)")
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
      return "say \(block) which row stays: 'dedupe \(subject) on \(keyPaths) keep newest', or that there "
        + "are no equal ones: \(acceptance)"
    case .entity(.superentityChanged(_, let entity)): return superclassHelp(entity.name)
    case .entity(.removed):
      return "say what it is called now with '@Model(originalName:)', copy it in a 'custom' step and "
        + "accept that the rest goes, \(block): \(acceptance)"
    case .attribute(let change) where change.effect == .losesData:
      return "say what it is called now with '@Attribute(originalName: \"\(change.old?.name ?? "")\")', use it "
        + "in a 'fill', or accept \(block) that it goes: \(acceptance)"
    case .attribute(let change) where change.aspect == .optionRemoved(.externalStorage):
      return "say \(block) that the files are to be read: 'fill \(change.subject) = old.\(change.old?.name ?? "")'"
    case .attribute:
      return "say \(block) what old rows get: 'fill \(change.subject) = …'"
    case .enumeration(let change):
      guard case .caseRemoved(let gone) = change.aspect, case .string(let raw)? = gone.rawValue else {
        return valueHelp(change.name)
      }
      return valueHelp(change.name) + "; one that only has another name keeps what is stored: 'case "
        + "newName = \"\(raw)\"'"
    case .structure(let change):
      guard case .fieldKey(let key?, let newKey, let field) = change.aspect else { return valueHelp(change.name) }
      let entry = key == field.name ? key : "\(field.name) = \"\(key)\""
      return "let 'CodingKeys' \(newKey == nil ? "have" : "call") it as before ('case \(entry)'), or "
        + valueHelp(change.name)
    case .relationship(let change) where change.effect == .losesData:
      return "read it in a 'custom' step and accept that the rest goes, \(block): \(acceptance)"
    case .relationship(let change) where change.narrowing != nil:
      return "write a 'custom' step \(block) that says which links stay (a 'fill' of '\(change.narrowing ?? "")' "
        + "does not), or accept that the first one stays: \(acceptance)"
    case .schema, .index, .entity, .relationship:
      return "write a 'custom' step \(block), or accept it: \(acceptance)"
    }
  }

  private func superclassHelp(_ entity: String) -> String {
    if versions.comesIntoAnotherTable(entity) {
      return "rows of '\(entity)' come into a table where their numbers may be taken: make them anew in a "
        + "'custom' step \(block), which has the old rows and the new ones; accepting it is not enough"
    }
    let left = versions.leftBehind(by: entity)
    let names = left.map { "'\($0.name)'" }.joined(separator: ", ")
    if needsCustomStep {
      let required = left.filter(\.isRequired).map { "'\($0.name)'" }.joined(separator: ", ")
      return "give \(required), which cannot be without a model, another one in a 'custom' step \(block); "
        + "accepting it is not enough"
    }
    let loss = left.isEmpty ? "" : "; \(names) then has those rows no more"
    return "write a 'custom' step \(block), or accept it: \(acceptance)\(loss)"
  }

  private func valueHelp(_ type: String) -> String {
    let holders = versions.new.holders(of: type, about: change).map { "'fill \($0.entity).\($0.property) = …'" }
    guard !holders.isEmpty else { return "accept it \(block): \(acceptance)" }
    return "say \(block) what becomes of the values: \(holders.joined(separator: ", ")), or accept it: "
      + acceptance
  }

  private var keyPaths: String {
    guard case .unique(.added(let unique, _)) = change else { return "[…]" }
    return "[" + unique.properties.map { "\\.\($0)" }.joined(separator: ", ") + "]"
  }
}
