import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaSyntax
import SchemaVersions

extension DraftSchema {
  /// Removes an `originalName` that no earlier version contains or that two properties declare. Returns false if
  /// nothing was removed.
  mutating func dropOrigins(from older: [ResolvedSchema]) -> Bool {
    let compiled = compile()
    guard !compiled.compilation.hasErrors, let resolved = compiled.compilation.schemas.first,
      let tree = compiled.compilation.trees.first
    else { return false }
    let lock = SchemaHistory(head: resolved, frozen: older).rebuiltLock
    let problems = SchemaHistory(head: resolved, frozen: older, lock: lock).check()
      .filter { [.originalNameUnknown, .originalNameConflict].contains($0.id) && $0.severity == .error }
    var edits: [TextEdit] = []
    for problem in problems {
      guard let attribute = Self.attribute(at: problem.range.start, tree),
        let argument = attribute.arguments.first(where: { $0.label == "originalName" })
      else { continue }
      // The import can have renamed the property in the earlier version.
      if let member = Self.member(at: problem.range.start, tree),
        let now = Self.name(of: argument.value?.text ?? "", in: member.ownerName, resolved, older)
      {
        edits.append(TextEdit(argument.range, "originalName: \"\(now)\""))
        continue
      }
      let isAlone = attribute.arguments.count == 1
      edits.append(
        TextEdit(isAlone && attribute.name != "Model" ? attribute.removalRange : argument.removalRange, ""))
      // A name that the import assigned does not refer to an earlier version.
      let title = Self.member(at: problem.range.start, tree).map { "\($0.ownerName).\($0.title)" }
      guard title.map({ !given.contains($0) }) ?? true else { continue }
      changes.append(
        Change(
          kind: .check, origin: origin(at: problem.range.start, compiled),
          message: "'originalName' is left out here: \(problem.message)"))
    }
    return apply(edits, compiled)
  }

  private static func name(
    of origin: String, in owner: String, _ schema: ResolvedSchema, _ older: [ResolvedSchema]
  ) -> String? {
    let entity = schema.entities.first { $0.name == owner }
    let before =
      older.last?.entities.first { $0.name == owner } ?? older.last?.entities.first { $0.name == entity?.originalName }
    return before?.properties.first { "\"\($0.originalName ?? "")\"" == origin }?.name
  }

  private static func attribute(at offset: Int, _ tree: SyntaxTree) -> AttributeSyntax? {
    if let member = member(at: offset, tree) {
      return ["Attribute", "Relationship"].lazy.compactMap { member.declaration.attribute(named: $0) }
        .first { $0.arguments.contains { $0.label == "originalName" } }
    }
    let node = tree.root.children.first { $0.range.start <= offset && offset < $0.range.end }
    return node.flatMap { DeclarationSyntax($0).attribute(named: "Model") }
  }
}
