package import SchemaDiagnostics
package import SchemaDiff
import SchemaModel

/// A change that needs a word in the migration and has none.
package struct UnhandledChange: Sendable {
  package let change: SchemaChange
  package let rule: DiagnosticID
  let from: ResolvedSchema
  let to: ResolvedSchema
  /// The migration, or the version of the newer schema.
  let place: SourceRange
  /// What it may be called now.
  var successors: [RenameCandidate] = []

  var diagnostic: Diagnostic {
    guard successors.isEmpty else { return rename }
    var related: [Diagnostic.Related] = []
    if change.newRange == nil, let range = change.oldRange {
      related.append(.init(range, "it is here in version \(from.version)"))
    }
    return Diagnostic(
      rule, at: change.newRange ?? place,
      "\(change.text), and nothing says what becomes of stores of \(from.version)",
      related: related, help: help)
  }

  /// Something that looks like what is gone is new: the answer is a declaration, one way or the other.
  private var rename: Diagnostic {
    let names = successors.map { "'\($0.new)'" }
    let isClear = successors.count == 1
    let what = isClear ? "\(names[0]), which is new, looks like it" : names.joined(separator: " and ")
      + ", which are new, look like it equally"
    let origin = successors.map { "'\($0.declaration)' at '\($0.new)'" }.joined(separator: " or ")
    return Diagnostic(
      .probableRename, at: successors[0].range, "\(change.text), and \(what)",
      related: successors.map { .init($0.range, "\($0.new): \($0.reasons)") }
        + (change.oldRange.map { [.init($0, "it is here in version \(from.version)")] } ?? []),
      help: "write \(origin) if that is what it is called now, or say \(block) that it goes: \(acceptance)")
  }

  private var block: String { "in 'migration from \(from.version)'" }
  private var acceptance: String { "'accept \(rule.code) \(subject) -- \"reason\"'" }

  /// How the migration names what changed.
  package var subject: String {
    guard case .unique(let change) = change else { return self.change.subject }
    return String(change.subject.prefix { $0 != "[" && $0 != "(" })
  }

  private var help: String {
    switch change {
    case .unique:
      return "say \(block) which row stays: 'dedupe \(subject) on \(keyPaths) keep newest', or that there "
        + "are no equal ones: \(acceptance)"
    case .entity(.removed):
      return "say what it is called now with '@Model(originalName:)', copy it in a 'custom' step and "
        + "accept that the rest goes, \(block): \(acceptance)"
    case .attribute(let change) where change.effect == .losesData:
      return "say what it is called now with '@Attribute(originalName: \"\(change.old?.name ?? "")\")', use it "
        + "in a 'fill', or accept \(block) that it goes: \(acceptance)"
    case .attribute:
      return "say \(block) what old rows get: 'fill \(change.subject) = …'"
    case .enumeration(let change): return valueHelp(change.name)
    case .structure(let change): return valueHelp(change.name)
    case .schema, .index, .entity, .relationship:
      return "write a 'custom' step \(block), or accept it: \(acceptance)"
    }
  }

  private func valueHelp(_ type: String) -> String {
    let holders = to.holders(of: type).map { "'fill \($0.entity).\($0.property) = …'" }
    guard !holders.isEmpty else { return "accept it \(block): \(acceptance)" }
    return "say \(block) what becomes of the values: \(holders.joined(separator: ", ")), or accept it: "
      + acceptance
  }

  private var keyPaths: String {
    guard case .unique(.added(let unique, _)) = change else { return "[…]" }
    return "[" + unique.properties.map { "\\.\($0)" }.joined(separator: ", ") + "]"
  }
}
