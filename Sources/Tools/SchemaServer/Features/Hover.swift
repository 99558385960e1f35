import SchemaDiagnostics
import SchemaDiff
import SchemaFacts
import SchemaGraph
import SchemaLint
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// What a declaration means: documentation, stored form, indexes, deletion and the release that introduced it.
enum Hover {
  struct Result: Encodable {
    struct Markup: Encodable {
      var kind = "markdown"
      var value: String
    }
    var contents: Markup
    var range: DocumentRange
  }

  static func text(_ parameters: PositionParameters, _ state: inout ServerState) -> Result? {
    let uri = parameters.textDocument.uri
    let symbol = References.symbol(uri, parameters.position, &state)
    let rules = rules(uri, parameters.position, &state)
    guard let location = symbol.flatMap({ $0.project.location($0.range) })?.range ?? rules.first?.range else {
      return nil
    }
    let parts = rules.map(\.text) + (symbol.map { [markdown($0)] } ?? [])
    return Result(contents: .init(value: parts.joined(separator: "\n\n---\n\n")), range: location)
  }

  /// Returns the pages of the rules that are violated at a position.
  private static func rules(
    _ uri: String, _ position: Position, _ state: inout ServerState
  ) -> [(range: DocumentRange, text: String)] {
    guard let (project, tree) = state.tree(of: uri),
      let table = project.table(tree.fileIndex)
    else { return [] }
    let offset = table.offset(of: position)
    var seen: Set<String> = []
    return project.outcome.findings.open.compactMap { diagnostic in
      let range = diagnostic.range
      guard range.file == tree.fileIndex, range.start <= offset, offset <= range.end,
        seen.insert(diagnostic.id.code).inserted,
        let rule = RuleCatalogue.rule(diagnostic.id.code)
      else { return nil }
      let text = "**\(rule.id.code) \(rule.id.name)**: \(rule.summary)\n\n\(rule.why)\n\n\(rule.remedy)"
      return (table.range(range), text)
    }
  }

  private static func markdown(_ symbol: SymbolReference) -> String {
    switch symbol.symbol {
    case .model(let entity): model(entity, symbol)
    case .property(.attribute(let attribute), let entity): self.attribute(attribute, entity, symbol)
    case .property(.relationship(let relationship), let entity): self.relationship(relationship, entity, symbol)
    case .enumeration(let type):
      sections(
        code("enum \(type.name)"), type.documentation, [type.cases.map { "`\($0.name)`" }.joined(separator: ", ")])
    case .structure(let type):
      sections(
        code("struct \(type.name)"), type.documentation, [type.fields.map { "`\($0.name)`" }.joined(separator: ", ")])
    }
  }

  private static func model(_ entity: ResolvedEntity, _ symbol: SymbolReference) -> String {
    let parent = entity.superentity.map { ": \($0)" } ?? ""
    var facts: [String] = []
    facts += entity.uniques.map { "Unique: \($0.properties.joined(separator: ", "))" }
    facts += entity.indexes.map { "Index: \($0.properties.joined(separator: ", "))" }
    // Names without folders are short enough for the window.
    let files = symbol.project.files.map { file in
      SourceFile(path: file.path.split(separator: "/").last.map(String.init) ?? file.path, bytes: file.bytes)
    }
    if let deletion = DeleteConsequences(of: entity.name, in: symbol.schema, files: files) {
      facts.append("```text\n\(deletion.text)```")
    }
    return sections(code("class \(entity.name)\(parent)"), entity.documentation, facts + [since(symbol)])
  }

  private static func attribute(
    _ attribute: ResolvedAttribute, _ entity: ResolvedEntity, _ symbol: SymbolReference
  ) -> String {
    var facts: [String] = []
    if attribute.isTransient || attribute.options.contains(.ephemeral) {
      facts.append("Not stored.")
    } else if let type = ColumnType.text(of: attribute, in: symbol.schema) {
      facts.append("Column `\(attribute.name)`: \(type)")
    }
    facts += covering(attribute.name, entity)
    return sections(
      code("\(entity.name).\(attribute.name): \(attribute.type.spelling)"), attribute.documentation,
      facts + [since(symbol)])
  }

  private static func relationship(
    _ relationship: ResolvedRelationship, _ entity: ResolvedEntity, _ symbol: SymbolReference
  ) -> String {
    var facts: [String] = []
    switch relationship.inverse {
    case .property(let name): facts.append("Inverse: `\(relationship.destination).\(name)`")
    case .none: facts.append("No inverse.")
    }
    facts.append("Delete rule: `.\(relationship.deleteRule.rawValue)`")
    facts += covering(relationship.name, entity)
    if relationship.deleteRule == .cascade,
      let deletion = DeleteConsequences(of: relationship.destination, in: symbol.schema, files: symbol.project.files)
    {
      facts.append("```text\n\(deletion.text)```")
    }
    let title = "\(entity.name).\(relationship.name): \(relationship.spelling)"
    return sections(code(title), relationship.documentation, facts + [since(symbol)])
  }

  private static func covering(_ name: String, _ entity: ResolvedEntity) -> [String] {
    entity.uniques.filter { $0.properties.contains(name) }.map { "Unique: \($0.properties.joined(separator: ", "))" }
      + entity.indexes.filter { $0.properties.first == name }.map { "Index: \($0.properties.joined(separator: ", "))" }
  }

  private static func code(_ text: String) -> String { "```swift\n\(text)\n```" }

  private static func sections(_ title: String, _ documentation: [String], _ facts: [String]) -> String {
    ([title, documentation.joined(separator: "\n")] + facts).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// The first version that contains the declaration, followed through renames.
  private static func since(_ symbol: SymbolReference) -> String {
    // With errors, the released versions are unknown.
    guard !symbol.project.hasErrors else { return "" }
    let history = symbol.project.history(of: symbol.schema)
    var (entity, property): (String, String?) =
      switch symbol.symbol {
      case .model(let entity): (entity.name, nil)
      case .property(let property, let entity): (entity.name, property.name)
      case .enumeration, .structure: ("", nil)
      }
    guard !entity.isEmpty else { return "" }
    var first: SchemaVersion?
    var newer = history.head
    for older in history.older.reversed() {
      let names = Counterparts(from: older, to: newer)
      guard let oldEntity = names.entities[entity] else { break }
      if let name = property {
        guard let oldName = names.oldName(of: name, in: entity) else { break }
        property = oldName
      }
      entity = oldEntity
      first = older.version
      newer = older
    }
    return first.map { "Since version \($0)" } ?? "New in version \(history.head.version)"
  }
}
