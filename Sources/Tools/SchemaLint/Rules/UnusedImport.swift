import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// SYN010
struct UnusedImport: LintRule {
  static let id = DiagnosticID("SYN010", "unused-import")
  static let severity = Severity.warning
  static let summary = "A file imports a module once."
  static let why = "The second import is not copied into generated code, nor are its attributes and access level."
  static let remedy = "Remove the second import, and add any required attributes or access level to the first."
  static let fix = FixKind.auto
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      import Foundation
      import Foundation
      @Model class Trip { var name: String }
      """#,
    good: #"""
      schema S 1.0.0
      import Foundation
      @Model class Trip { var name: String }
      """#)

  func run(in context: inout LintContext) {
    for imports in context.sources.imports {
      var first: [String: SourceRange] = [:]
      for declaration in imports {
        guard let module = declaration.importedModule else { continue }
        guard let other = first[module] else {
          first[module] = declaration.node.range
          continue
        }
        context.report(.unusedImport(module, declaration, other))
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func unusedImport(
    _ module: String, _ declaration: DeclarationSyntax, _ other: SourceRange
  ) -> Self {
    let range = declaration.node.range
    return Self(
      UnusedImport.id, UnusedImport.severity, at: range, "'\(module)' is already imported",
      related: [.init(other, "the first import is here")], help: "remove it",
      fixIts: [.remove(declaration.node.tree.wholeLine(range), title: "remove the second import")])
  }
}
