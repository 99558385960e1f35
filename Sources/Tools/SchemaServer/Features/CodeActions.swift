import SchemaCommands
import SchemaDiagnostics
import SchemaLint
import SchemaSyntax

/// Fixes of findings, answers to changes since a release, and comments that ignore findings.
enum CodeActions {
  struct Action: Encodable {
    var title: String
    var kind = "quickfix"
    var isPreferred: Bool?
    var edit: WorkspaceEdit
  }

  static func actions(_ parameters: RangeParameters, _ state: inout ServerState) -> [Action] {
    let uri = parameters.textDocument.uri
    guard let (project, tree) = state.tree(of: uri), let table = project.table(tree.fileIndex) else { return [] }
    func findings(in range: DocumentRange) -> [Diagnostic] {
      let range = table.range(range)
      return project.outcome.findings.open.filter { diagnostic in
        let place = diagnostic.range
        return place.file == tree.fileIndex && place.start <= range.upperBound && place.end >= range.lowerBound
      }
    }
    var lines = parameters.range
    lines.start.character = 0
    lines.end.character = .max
    let exact = findings(in: parameters.range)
    return (exact.isEmpty ? findings(in: lines) : exact).flatMap { diagnostic -> [Action] in
      let rule = RuleCatalogue.rule(diagnostic.id.code)
      var fixes = diagnostic.fixIts + ChangeAnswers.fixes(for: diagnostic, in: project.linted.folder)
      let isSafe = rule?.fix == .auto && !diagnostic.fixIts.isEmpty
      if fixes.isEmpty { fixes = declarations(diagnostic, in: tree) }
      if let rule, !rule.isFixed {
        fixes.append(
          FixIt("Ignore \(rule.id.code) with a reason", [SuppressionEdits.ignore(diagnostic, in: tree)]))
      }
      return fixes.enumerated().map { index, fix in
        Action(
          title: fix.title, isPreferred: index == 0 && isSafe ? true : nil,
          edit: WorkspaceEdit(project.edits(fix.edits), state))
      }
    }
  }

  /// Returns fixes that declare a missing type at the end of the file.
  private static func declarations(_ diagnostic: Diagnostic, in tree: SyntaxTree) -> [FixIt] {
    guard [.unknownType, .opaqueCodable].contains(diagnostic.id) else { return [] }
    let file = tree.file
    let text = file.text(from: diagnostic.range.start, to: diagnostic.range.end)
    let name = text.drop { $0 == "[" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard name.first?.isUppercase == true, !["Any", "AnyObject"].contains(name) else { return [] }
    let end = SourceRange(file: tree.fileIndex, start: file.bytes.count, end: file.bytes.count)
    let space = file.bytes.last == 0x0A ? "\n" : "\n\n"
    return [
      FixIt("declare '@Model class \(name)'", [TextEdit(end, "\(space)@Model\nclass \(name) {\n}\n")]),
      FixIt(
        "declare 'enum \(name)'",
        [TextEdit(end, "\(space)enum \(name): String, Codable {\n    case first\n}\n")]),
    ]
  }
}
