import SchemaDiagnostics
import SchemaFacts
import SchemaGraph
import SchemaLint
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// Proposes words for the place before the cursor.
enum Completion {
  static func items(_ parameters: PositionParameters, _ state: inout ServerState) -> [CompletionItem] {
    let uri = parameters.textDocument.uri
    guard let document = state.documents[uri] else { return [] }
    let offset = document.table.offset(of: parameters.position)
    let place = CompletionPlace(offset, in: Formatting.tree(document))
    let repaired = place.repair.flatMap { repair in
      state.project(replacing: document.replacing(repair.range, with: repair.text, state.encoding))
    }
    let project = repaired ?? state.project(of: uri)
    let schema = project?.tree(document.path).flatMap { project?.schema(containing: $0.fileIndex) }
    // Other unfinished text may be an error. The released versions then come from the files on disk.
    let current = schema.flatMap { project?.history(of: $0) }
    let history = current?.frozen.isEmpty ?? true ? state.history(uri, schema?.name) : current
    let proposals = Proposals(
      place: place, schema: schema, history: history, supportsSnippets: state.supportsSnippets)
    let items = proposals.items.compactMap { $0.sent(behind: place.typed, snippets: state.supportsSnippets) }
    return items.enumerated().map { index, item in
      var item = item
      item.sortText = String("\(100_000 + index)".dropFirst())
      return item
    }
  }
}

/// The proposals for a place, with all punctuation.
private struct Proposals {
  typealias Item = CompletionItem

  let place: CompletionPlace
  let schema: ResolvedSchema?
  let history: SchemaHistory?
  let supportsSnippets: Bool

  var items: [Item] {
    switch place.kind {
    case .none: []
    case .suppression: rules(RuleCatalogue.all.filter { !$0.isFixed })
    case .attributeName(let isOnClass): isOnClass ? Array(attributes.prefix(1)) : Array(attributes.dropFirst())
    case .macro: macros
    case .macroModel: macroModel
    case .option(let attribute): options(of: attribute)
    case .deleteRule: members(DeleteRule.allCases.map(\.rawValue))
    case .conflictPolicy: members(ConflictPolicy.allCases.map(\.rawValue))
    case .unknownPolicy: members(UnknownPolicy.allCases.map(\.rawValue))
    case .inverse: inverses
    case .originalName(let isOfModel): originalNames(isOfModel: isOfModel)
    case .property(let model): properties(model, schema).map(item)
    case .keyPath(let model): keyPaths(of: model)
    case .keyPaths:
      keyPaths(of: nil).map { path in
        Item(label: "[\(path.label)]", kind: path.kind, detail: path.detail)
      }
    case .type: types
    case .conformance(let keyword): conformances(to: keyword)
    case .value(let type): values(of: type)
    case .step: CompletionSnippets.steps
    case .stepSubject: models(schema)
    case .acceptedRule: acceptedRules
    case .acceptedSubject(let rule): acceptedSubjects(rule)
    case .acceptedProperty(let model): acceptedProperties(of: model)
    case .oldProperty(let model): properties(oldName(of: model), old).map(item)
    case .version:
      (history?.frozen ?? []).reversed().map { Item(label: "\($0.version)", kind: .value, detail: "released") }
    case .declaration:
      CompletionSnippets.declarations(
        hasSchemaLine: place.tree.root.first(.schemaLine) != nil, released: history?.frozen.last?.version)
        // Clients without snippets require that the text begins with the word. A fix inserts '@Model'.
        + (supportsSnippets ? [] : [CompletionSnippets.modelClass])
    case .modelClass: [CompletionSnippets.modelClass]
    case .classMember: CompletionSnippets.classMembers(place.model)
    case .structMember: [CompletionSnippets.property]
    case .enumMember: [CompletionSnippets.enumCase]
    }
  }

  // MARK: Attributes and macros

  private var attributes: [Item] {
    [
      ("Model", "a class whose objects are stored"), ("Attribute", "options of a stored value"),
      ("Relationship", "options of a reference to models"), ("Transient", "a property that is not stored"),
    ].map { Item(label: "@\($0)", kind: .keyword, detail: $1) }
  }

  private var macros: [Item] { CompletionSnippets.macros(place.model) }

  private var macroModel: [Item] {
    let name = place.model ?? ""
    guard !place.isFollowed(by: ">") else { return [Item(label: name, kind: .class)] }
    return [
      Item(
        label: name, kind: .class, insertText: "\(name)>([\\\\.${1:property}])", insertTextFormat: 2)
    ]
  }

  private func options(of attribute: String) -> [Item] {
    let isRelationship = attribute == "Relationship"
    let names = isRelationship ? RelationshipOptions.optionNames : AttributeOptions.optionNames
    let labels = isRelationship ? RelationshipOptions.labels : AttributeOptions.labels
    // At most one of each group may be written.
    let groups: [Set<String>] =
      isRelationship
      ? [Set(DeleteRule.allCases.map(\.rawValue) + ["deleteRule"])] : [Set(ValueStorage.allCases.map(\.rawValue))]
    let excluded = groups.filter { !$0.isDisjoint(with: place.written) }.reduce(place.written) { $0.union($1) }
    let options = place.followsLabel ? [] : names.filter { !excluded.contains($0) }
    return options.map(option)
      + labels.filter { !excluded.contains($0) }
      .map { Item(label: "\($0):", kind: .property, insertText: "\($0): ") }
  }

  private func option(_ name: String) -> Item {
    var item = Item(label: ".\(name)", kind: .enumMember)
    switch name {
    case "unknown":
      let policies = UnknownPolicy.allCases.map { ".\($0.rawValue)" }
      item.insertText = ".unknown(${1|\(policies.joined(separator: ","))|})"
    case "transformable": item.insertText = ".transformable(by: ${1:Transformer}.self)"
    default: return item
    }
    item.insertTextFormat = 2
    return item
  }

  private func members(_ names: [String]) -> [Item] { names.map { Item(label: ".\($0)", kind: .enumMember) } }

  private var inverses: [Item] {
    let models = schema?.entities ?? []
    guard let owner = models.first(where: { $0.name == place.model }) else { return [] }
    // In unfinished text, the property that follows may belong to another declaration, so it only decides the order.
    let destination = owner.relationships.first { $0.name == place.property }?.destination
    let ordered = models.filter { $0.name == destination } + models.filter { $0.name != destination }
    return ordered.flatMap { model in
      model.relationships.filter { $0.destination == owner.name }.map { relationship in
        Item(label: "\\\(model.name).\(relationship.name)", kind: .property, detail: relationship.spelling)
      }
    }
  }

  /// The released names that are no longer in use.
  private func originalNames(isOfModel: Bool) -> [Item] {
    guard let released = history?.frozen.last, let schema else { return [] }
    let names: [(name: String, detail: String?)]
    let used: [String?]
    if isOfModel {
      names = released.entities.map { ($0.name, nil) }
      used = schema.entities.flatMap { [$0.name, $0.originalName] }
    } else {
      guard let model = place.model else { return [] }
      names = properties(oldName(of: model, in: released), released).map { ($0.name, $0.spelling) }
      used = properties(model, schema).flatMap { [$0.name, $0.originalName] }
    }
    let quote = place.typed.isEmpty || !place.isFollowed(by: "\"") ? "\"" : ""
    return names.filter { !used.contains($0.name) }.map { name, detail in
      Item(
        label: name, kind: .property, detail: detail ?? "in version \(released.version)",
        insertText: "\"\(name)\(quote)")
    }
  }

  private func keyPaths(of model: String?) -> [Item] {
    let isConstraint = model == nil
    return properties(model ?? place.model, schema).filter { !isConstraint || $0.canBeConstrained }.map { property in
      Item(label: "\\.\(property.name)", kind: .property, detail: property.spelling)
    }
  }

  // MARK: Types and values

  private var types: [Item] {
    ScalarType.allCases.map { Item(label: $0.rawValue, kind: .value) } + models(schema)
      + (schema?.enums ?? []).map { Item(label: $0.name, kind: .enumeration) }
      + (schema?.structs ?? []).map { Item(label: $0.name, kind: .structure) }
  }

  private func conformances(to keyword: Keyword) -> [Item] {
    let protocols = ["Codable", "CaseIterable"].filter { !place.written.contains($0) }
    switch keyword {
    case .enum:
      let isFirst = place.text(1) == ":"
      let raw = isFirst ? ScalarType.allCases.filter(\.canBeRawValue) : []
      let common = raw.filter { [.string, .int].contains($0) }.sorted { first, _ in first == .string }
      return (common + raw.filter { !common.contains($0) }).map { Item(label: $0.rawValue, kind: .value) }
        + protocols.map { Item(label: $0, kind: .keyword) }
    case .struct: return protocols.prefix(1).map { Item(label: $0, kind: .keyword) }
    default: return models(schema).filter { !place.written.contains($0.label) }
    }
  }

  private func values(of type: TypeSyntax) -> [Item] {
    if let qualifier = place.qualifier, qualifier != type.innermost.text.split(separator: ".").last.map(String.init) {
      return []
    }
    func plain(_ words: [String]) -> [Item] { words.map { Item(label: $0, kind: .value) } }
    switch type.shape {
    case .optional(let wrapped): return values(of: wrapped).filter { $0.label != "nil" } + plain(["nil"])
    case .array: return plain(["[]"])
    case .dictionary: return plain(["[:]"])
    case .named(["Set"], _): return plain(["[]"])
    case .named(let parts, _):
      let name = parts.joined(separator: ".")
      if let scalar = ScalarType(rawValue: name) { return plain(scalar.proposedValues) }
      let nested = place.model.map { "\($0).\(name)" }
      let enums = schema?.enums ?? []
      let found = enums.first { $0.name == nested } ?? enums.first { $0.name == name }
      return (found?.cases ?? []).map { enumCase in
        let label = ".\(Keyword.name(enumCase.name))"
        guard !enumCase.payload.isEmpty else { return Item(label: label, kind: .enumMember) }
        return Item(label: label, kind: .enumMember, insertText: "\(label)($1)", insertTextFormat: 2)
      }
    case .other: return []
    }
  }

  // MARK: Migrations

  /// The version from which the enclosing migration starts.
  private var old: ResolvedSchema? { history?.frozen.first { "\($0.version)" == place.version } }

  /// Returns the older name of a model, which may also be the newer name.
  private func oldName(of model: String, in released: ResolvedSchema? = nil) -> String {
    let renamed = schema?.entities.first { $0.name == model }?.originalName
    let known = (released ?? old)?.entities.contains { $0.name == renamed } ?? false
    return known ? renamed ?? model : model
  }

  /// The changes of the enclosing migration's stage that have no step.
  private var openChanges: [UnhandledChange] {
    let stage = history?.openStages.first { "\($0.from.version)" == place.version }
    return (stage?.unhandled ?? []).filter { !$0.isSuccessor && !$0.needsCustomStep }
  }

  private var acceptedRules: [Item] {
    let open = Set(openChanges.map(\.rule.code))
    let codes = open.isEmpty ? Set(DiagnosticID.versionDiagnostics.map(\.code)) : open
    return rules(RuleCatalogue.all.filter { codes.contains($0.id.code) })
  }

  /// The open changes of a rule, then all models of both versions.
  private func acceptedSubjects(_ rule: String) -> [Item] {
    let open = openChanges.filter { $0.rule.code == rule }
      .map { Item(label: $0.subject, kind: .value, detail: $0.diagnostic.message) }
    let all = models(schema) + models(old)
    return (open + all).reduce(into: []) { items, item in
      if !items.contains(where: { $0.label == item.label }) { items.append(item) }
    }
  }

  /// The properties of a model in both versions.
  private func acceptedProperties(of model: String) -> [Item] {
    let former = properties(oldName(of: model), old)
    let added = properties(model, schema).filter { property in !former.contains { $0.name == property.name } }
    return (former + added).map(item)
  }

  // MARK: Declarations

  private func models(_ schema: ResolvedSchema?) -> [Item] {
    (schema?.entities ?? []).map { Item(label: $0.name, kind: .class) }
  }

  private func item(_ property: ResolvedProperty) -> Item {
    Item(label: property.name, kind: .property, detail: property.spelling)
  }

  /// The properties of a model, including inherited properties.
  private func properties(_ name: String?, _ schema: ResolvedSchema?) -> [ResolvedProperty] {
    let models = schema?.entities ?? []
    var properties: [ResolvedProperty] = []
    var next = models.first { $0.name == name }
    var seen: Set<String> = []
    while let model = next, seen.insert(model.name).inserted {
      properties += model.properties
      next = models.first { $0.name == model.superentity }
    }
    return properties
  }

  private func rules(_ rules: [any RuleDescription.Type]) -> [Item] {
    rules.map { Item(label: $0.id.code, kind: .value, detail: "\($0.id.name): \($0.summary)") }
  }
}

extension ResolvedProperty {
  fileprivate var spelling: String {
    switch self {
    case .attribute(let attribute): attribute.type.spelling
    case .relationship(let relationship): relationship.spelling
    }
  }

  fileprivate var originalName: String? {
    switch self {
    case .attribute(let attribute): attribute.originalName
    case .relationship(let relationship): relationship.originalName
    }
  }

  /// True if `#Unique` and `#Index` accept the property.
  fileprivate var canBeConstrained: Bool {
    guard case .attribute(let attribute) = self else {
      if case .relationship(let relationship) = self { return !relationship.isToMany }
      return false
    }
    let isFile = attribute.options.contains(.externalStorage) && attribute.type.unwrapped == .scalar(.data)
    guard !attribute.isTransient, !attribute.options.contains(.ephemeral), attribute.storage != .flattened, !isFile
    else { return false }
    switch attribute.type.unwrapped {
    case .array, .set, .dictionary: return false
    default: return true
    }
  }
}

extension ScalarType {
  /// True if literals can express values of the type.
  fileprivate var canBeRawValue: Bool {
    switch traits.number {
    case .integer, .binary: true
    case .decimal: false
    case nil: self == .string || self == .character
    }
  }

  /// Short default values.
  fileprivate var proposedValues: [String] {
    switch self {
    case .bool: ["true", "false"]
    case .date, .uuid, .data: [traits.example]
    default: traits.emptyValue.map { [$0] } ?? []
    }
  }
}
