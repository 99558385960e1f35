package import SchemaDiagnostics
import SchemaDiff
import SchemaDriver
import SchemaModel
package import SchemaSyntax
import SchemaVersions

/// The answers to a change since a release that the migration does not handle: a rename, a value for existing rows, or
/// an acceptance.
package enum ChangeAnswers {
  /// Returns the answers to the change that a diagnostic reports.
  package static func fixes(for diagnostic: Diagnostic, in folder: SchemaFolder) -> [FixIt] {
    guard DiagnosticID.versionDiagnostics.contains(diagnostic.id) else { return [] }
    for history in folder.project.histories {
      for stage in history.stagesToHead {
        let change = stage.unhandled.first {
          $0.diagnostic.range == diagnostic.range && $0.diagnostic.message == diagnostic.message
        }
        if let change { return fixes(change, stage, history, folder) }
      }
    }
    return []
  }

  private static func fixes(
    _ change: UnhandledChange, _ stage: PlannedStage, _ history: SchemaHistory, _ folder: SchemaFolder
  ) -> [FixIt] {
    let trees = folder.schemaTrees(of: history)
    func step(_ title: String, _ line: String) -> FixIt? {
      let from = stage.from.version
      let tree = trees.first { SchemaEdits.block(from: from, in: $0) != nil } ?? trees.first
      return tree.map { FixIt(title, [SchemaEdits.addSteps([line], from: from, in: $0)]) }
    }
    var fixes = change.successors.compactMap { successor -> FixIt? in
      guard let subject = RenameSubject(successor.new, in: history),
        let origin = change.subject.split(separator: ".").last,
        let edits = try? OriginalNameEdits.edits(subject, origin: String(origin), in: trees), !edits.isEmpty
      else { return nil }
      return FixIt("'\(change.subject)' was renamed to '\(successor.new)'", edits)
    }
    if case .attribute(let detail) = change.change, let new = detail.new, change.successors.isEmpty {
      let value = detail.old.map { new.type.value(from: $0) } ?? new.type.exampleValue
      if let fix = step("Set a value for existing rows", "fill \(detail.subject) = \(value)") { fixes.append(fix) }
    }
    if !change.needsCustomStep,
      let fix = step("Accept the change", "accept \(change.rule.code) \(change.subject) -- \"reason\"")
    {
      fixes.append(fix)
    }
    return fixes
  }
}

extension ValueType {
  /// Returns a value of this type in source form, from an attribute of the older version.
  fileprivate func value(from old: ResolvedAttribute) -> String {
    let value = "old.\(old.name)"
    if old.type.unwrapped == unwrapped {
      return old.type == unwrapped || self != unwrapped ? value : "\(value) ?? \(exampleValue)"
    }
    return switch unwrapped {
    case .scalar(.string): "\"\\(\(value))\""
    case .scalar(let scalar): "\(scalar.rawValue)(\(value))"
    default: value
    }
  }

  /// A value in source form.
  fileprivate var exampleValue: String {
    switch self {
    case .scalar(let scalar): scalar.traits.example
    case .optional: "nil"
    case .array, .set: "[]"
    case .dictionary: "[:]"
    case .enumeration, .structure, .opaque: "…"
    }
  }
}

/// Comments that ignore findings.
package enum SuppressionEdits {
  /// Returns the edit that adds a comment with a reason on the line before a finding.
  package static func ignore(_ diagnostic: Diagnostic, in tree: SyntaxTree) -> TextEdit {
    let bytes = tree.file.bytes
    let map = DeclarationMap(tree)
    let start = map.declaration(at: diagnostic.range.start).map { map.start(of: $0) } ?? diagnostic.range.start
    let line = bytes[..<start].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    let indentation = bytes[line..<start].prefix { $0 == 0x20 || $0 == 0x09 }
    let place = SourceRange(file: tree.fileIndex, start: line, end: line)
    return TextEdit(
      place,
      String(decoding: indentation, as: UTF8.self) + "// schema:ignore \(diagnostic.id.code) -- reason"
        + SchemaEdits.lineBreak(tree.file))
  }
}
