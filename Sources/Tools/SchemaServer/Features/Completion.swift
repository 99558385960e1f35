import SchemaDiagnostics
import SchemaFacts
import SchemaGraph
import SchemaLint
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// Proposes words for the place before the cursor.
enum Completion {
  enum Kind: Int, Encodable {
    case `class` = 7
    case property = 10
    case value = 12
    case enumeration = 13
    case keyword = 14
    case snippet = 15
    case enumMember = 20
    case structure = 22
  }

  struct Item: Encodable, Equatable {
    var label: String
    var kind: Kind
    var detail: String?
    var insertText: String?
    /// 2 for a snippet with placeholders.
    var insertTextFormat: Int?
  }

  static func items(_ parameters: PositionParameters, _ state: inout ServerState) -> [Item] {
    let uri = parameters.textDocument.uri
    guard let document = state.documents[uri] else { return [] }
    let project = state.project(of: uri)
    let place = CompletionPlace(document.table.offset(of: parameters.position), in: Formatting.tree(document))
    let schema = project?.tree(document.path).flatMap { project?.schema(containing: $0.fileIndex) }
    // An unfinished migration is an error, so the released versions come from the files on disk.
    let released = state.released(uri, schema?.name)
    let items = self.items(place, schema, released)
    return state.supportsSnippets ? items : items.filter { $0.insertTextFormat == nil }
  }

  private static func items(_ place: CompletionPlace, _ schema: ResolvedSchema?, _ released: [SchemaVersion]) -> [Item]
  {
    let models = schema?.entities ?? []
    switch place.kind {
    case .none: return []
    case .suppression: return rules(RuleCatalogue.all.filter { !$0.isFixed })
    case .attributeName:
      return [
        ("Model", "a class whose objects are stored"), ("Attribute", "options of a stored value"),
        ("Relationship", "options of a reference to models"), ("Transient", "a property that is not stored"),
      ].map { Item(label: $0, kind: .keyword, detail: $1) }
    case .macroName:
      return [
        snippet("Unique", "Unique<\(place.model ?? "${1:Model}")>([\\\\.${2:property}])", "values that occur once"),
        snippet("Index", "Index<\(place.model ?? "${1:Model}")>([\\\\.${2:property}])", "values that are searched"),
      ]
    case .option(let attribute, let isMember):
      let isRelationship = attribute == "Relationship"
      let names = isRelationship ? RelationshipOptions.optionNames : AttributeOptions.optionNames
      let labels = isRelationship ? RelationshipOptions.labels : AttributeOptions.labels
      let options = names.map { Item(label: isMember ? $0 : ".\($0)", kind: .enumMember) }
      return options + (isMember ? [] : labels.map { Item(label: "\($0):", kind: .property, insertText: "\($0): ") })
    case .deleteRule: return DeleteRule.allCases.map { Item(label: $0.rawValue, kind: .enumMember) }
    case .conflictPolicy: return ConflictPolicy.allCases.map { Item(label: $0.rawValue, kind: .enumMember) }
    case .inverse:
      guard let property = place.property, let owner = models.first(where: { $0.name == place.model }) else {
        return []
      }
      let destination = owner.relationships.first { $0.name == property }?.destination
      return models.filter { destination == nil || $0.name == destination }.flatMap { model in
        model.relationships.filter { $0.destination == owner.name }.map { relationship in
          Item(
            label: "\\\(model.name).\(relationship.name)", kind: .property, detail: relationship.spelling,
            insertText: String("\\\(model.name).\(relationship.name)".dropFirst(place.hasBackslash ? 1 : 0)))
        }
      }
    case .property(let model): return properties(model ?? place.model, models)
    case .type:
      return ScalarType.allCases.map { Item(label: $0.rawValue, kind: .value) }
        + models.map { Item(label: $0.name, kind: .class) }
        + (schema?.enums ?? []).map { Item(label: $0.name, kind: .enumeration) }
        + (schema?.structs ?? []).map { Item(label: $0.name, kind: .structure) }
    case .step:
      return [
        snippet("fill", "fill ${1:Model}.${2:property} = ${3:value}", "a value for existing rows"),
        snippet(
          "dedupe", "dedupe ${1:Model} on [\\\\.${2:property}] keep ${3|newest,oldest|}", "rows with equal values"),
        snippet("accept", "accept ${1:RULE} ${2:Model.property} -- \"${3:reason}\"", "an intended change"),
        snippet("custom", "custom ${1:name}", "a step in Swift"),
      ]
    case .stepSubject: return models.map { Item(label: $0.name, kind: .class) }
    case .acceptedRule:
      let codes = Set(DiagnosticID.versionDiagnostics.map(\.code))
      return rules(RuleCatalogue.all.filter { codes.contains($0.id.code) })
    case .version:
      return released.reversed().map { Item(label: "\($0)", kind: .value, detail: "released") }
    case .declaration:
      return [
        snippet("@Model class", "@Model\nclass ${1:Name} {\n    var ${2:name}: ${3:String}\n}", "a model"),
        snippet("enum", "enum ${1:Name}: String, Codable {\n    case ${2:first}\n}", "a value with named cases"),
        snippet("struct", "struct ${1:Name}: Codable {\n    var ${2:name}: ${3:String}\n}", "a value with fields"),
        snippet("migration from", "migration from ${1:1.0.0} {\n    $0\n}", "the way from a released version"),
      ]
    case .member:
      return [
        snippet("var", "var ${1:name}: ${2:String}", "a stored property"),
        snippet("@Attribute", "@Attribute(${1:.unique}) var ${2:name}: ${3:String}", "a stored property with options"),
        snippet(
          "@Relationship", "@Relationship(deleteRule: ${1|.cascade,.nullify,.deny|}) var ${2:names}: [${3:Model}] = []",
          "a reference to models"),
        snippet("#Unique", "#Unique<\(place.model ?? "Model")>([\\\\.${1:property}])", "values that occur once"),
        snippet("#Index", "#Index<\(place.model ?? "Model")>([\\\\.${1:property}])", "values that are searched"),
      ]
    }
  }

  /// The properties of a model, including inherited properties.
  private static func properties(_ name: String?, _ models: [ResolvedEntity]) -> [Item] {
    var items: [Item] = []
    var next = models.first { $0.name == name }
    var seen: Set<String> = []
    while let model = next, seen.insert(model.name).inserted {
      items += model.properties.map { property in
        switch property {
        case .attribute(let attribute): Item(label: attribute.name, kind: .property, detail: attribute.type.spelling)
        case .relationship(let relationship):
          Item(label: relationship.name, kind: .property, detail: relationship.spelling)
        }
      }
      next = models.first { $0.name == model.superentity }
    }
    return items
  }

  private static func rules(_ rules: [any RuleDescription.Type]) -> [Item] {
    rules.map { Item(label: $0.id.code, kind: .value, detail: "\($0.id.name): \($0.summary)") }
  }

  private static func snippet(_ label: String, _ text: String, _ detail: String) -> Item {
    Item(label: label, kind: .snippet, detail: detail, insertText: text, insertTextFormat: 2)
  }
}
