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
    let range = table.range(parameters.range)
    let found = project.outcome.findings.open.filter { diagnostic in
      let place = diagnostic.range
      return place.file == tree.fileIndex && place.start <= range.upperBound && place.end >= range.lowerBound
    }
    return found.flatMap { diagnostic -> [Action] in
      let rule = RuleCatalogue.rule(diagnostic.id.code)
      var fixes = diagnostic.fixIts + ChangeAnswers.fixes(for: diagnostic, in: project.linted.folder)
      let isSafe = rule?.fix == .auto && !diagnostic.fixIts.isEmpty
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
}
