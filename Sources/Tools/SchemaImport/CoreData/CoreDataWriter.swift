/// Writes a Core Data model version as schema declarations.
struct CoreDataWriter {
  let model: CoreDataModel
  let renames: CoreDataRenames
  let path: String
  /// The declarations in the model's order. Structs follow the models that use them.
  private(set) var declarations: [ImportedText] = []
  private(set) var notes: [ImportNote] = []
  let entities: [String: CoreDataEntity]
  /// The class and struct names.
  let types: Set<String>

  init(_ model: CoreDataModel, _ renames: CoreDataRenames, path: String) {
    self.model = model
    self.renames = renames
    self.path = path
    entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    types = Set(model.entities.map(\.name) + model.composites.map(\.name))
    notes = renames.notes
    for entity in model.entities { write(entity) }
    for composite in model.composites { write(composite) }
    writeRest()
  }

  mutating func note(_ kind: ImportNote.Kind, _ topic: CoreDataTopic, _ line: Int, _ message: String) {
    notes.append(ImportNote(kind, path, line, message, topic: topic.rawValue))
  }

  mutating func note(_ unknown: [CoreDataUnknown]) {
    for item in unknown { note(.notCarried, .unknown, item.line, "unknown \(item.what)") }
  }

  private mutating func write(_ entity: CoreDataEntity) {
    guard let name = CoreDataSpelling.name(entity.name) else {
      note(.notCarried, .name, entity.line, "entity '\(entity.name)' is not a valid Swift class name")
      return
    }
    var text = ImportedText()
    let origin = ImportedText.Origin(file: 0, line: entity.line)
    for line in describe(entity) { text.add(line, from: origin) }
    let original = renames.entities[entity.name].map { "(originalName: \(CoreDataSpelling.literal($0)))" } ?? ""
    text.add("@Model\(original)", from: origin)
    text.add("class \(name)\(superclass(of: entity).map { ": \($0)" } ?? "") {", from: origin)
    let sections = [constraints(of: entity), attributes(of: entity), relationships(of: entity), fetched(of: entity)]
    var isFirst = true
    for section in sections where !section.isEmpty {
      if !isFirst { text.add("", from: origin) }
      isFirst = false
      for (line, number) in section { text.add("    \(line)", from: .init(file: 0, line: number)) }
    }
    text.add("}", from: origin)
    declarations.append(text)
  }

  /// Returns nil if there is no superclass or if the superclass does not exist.
  private mutating func superclass(of entity: CoreDataEntity) -> String? {
    guard let parent = entity.parent else { return nil }
    guard entities[parent] != nil, let name = CoreDataSpelling.name(parent) else {
      note(.notCarried, .superclass, entity.line, "'\(entity.name)' inherits from '\(parent)', which is missing")
      return nil
    }
    return name
  }

  /// Reports features that are not carried over and returns the comments for an entity.
  private mutating func describe(_ entity: CoreDataEntity) -> [String] {
    let name = entity.name
    note(entity.unknown)
    if entity.isAbstract {
      note(.check, .abstract, entity.line, "'\(name)' is abstract; in a schema, the class can be instantiated")
    }
    if let modifier = entity.identity.hashModifier {
      note(
        .notCarried, .hashModifier, entity.line,
        "'\(name)' has the hash modifier '\(modifier)', which a schema supports only for properties")
    }
    let className = entity.className.split(separator: ".").last.map(String.init) ?? ""
    if !className.isEmpty, className != name, className != "NSManagedObject" {
      note(
        .hint, .className, entity.line,
        "'\(name)' has the class '\(className)' in the app; add 'typealias \(className) = \(name)' to keep the code")
    }
    if !entity.isSyncable { note(.notCarried, .notSynced, entity.line, "'\(name)' is excluded from synchronization") }
    if let expression = entity.spotlightName {
      note(.notCarried, .spotlight, entity.line, "'\(name)' is displayed in Spotlight as '\(expression)'")
    }
    return userInfo(entity.userInfo, of: name, entity.line)
  }

  /// Returns comments with a declaration's user info.
  mutating func userInfo(_ entries: [CoreDataNamed], of title: String, _ line: Int) -> [String] {
    guard !entries.isEmpty else { return [] }
    let keys = entries.map { "'\($0.name)'" }.joined(separator: ", ")
    note(.notCarried, .userInfo, line, "'\(title)' has user info, which is now a comment: \(keys)")
    return entries.map { "// userInfo: \(CoreDataSpelling.line($0.name)) = \(CoreDataSpelling.line($0.detail))" }
  }

  private mutating func write(_ composite: CoreDataComposite) {
    note(composite.unknown)
    guard let name = CoreDataSpelling.name(composite.name) else {
      note(.notCarried, .name, composite.line, "composite '\(composite.name)' is not a valid Swift struct name")
      return
    }
    var text = ImportedText()
    let origin = ImportedText.Origin(file: 0, line: composite.line)
    text.add("struct \(name): Codable, Hashable {", from: origin)
    for attribute in composite.attributes {
      for line in lines(of: attribute, in: composite.name, isField: true) {
        text.add("    \(line)", from: .init(file: 0, line: attribute.line))
      }
    }
    text.add("}", from: origin)
    declarations.append(text)
  }

  private mutating func fetched(of entity: CoreDataEntity) -> [(String, Int)] {
    entity.fetchedProperties.flatMap { property -> [(String, Int)] in
      let condition = property.detail.isEmpty ? "" : ": \(CoreDataSpelling.line(property.detail))"
      note(
        .notCarried, .fetchedProperty, property.line,
        "'\(entity.name).\(property.name)' is a fetched property; write a function that fetches\(condition)")
      return [
        ("// Not carried over: fetched property '\(CoreDataSpelling.line(property.name))'\(condition)", property.line)
      ]
    }
  }

  /// Reports features that belong to the app or to Apple services.
  private mutating func writeRest() {
    note(model.unknown)
    for configuration in model.configurations {
      note(
        .notCarried, .configuration, configuration.line,
        "configuration '\(configuration.name)' (\(configuration.detail)): use a 'ModelConfiguration' in the app")
    }
    for request in model.fetchRequests {
      let condition = request.detail.isEmpty ? "" : " (\(CoreDataSpelling.line(request.detail)))"
      note(
        .notCarried, .fetchRequest, request.line,
        "fetch request '\(request.name)'\(condition): use a 'FetchDescriptor' in the app")
    }
    if model.isUsedWithCloudKit {
      note(
        .notCarried, .cloudKit, model.line,
        "the model is synchronized with CloudKit, which a schema does not support")
    }
  }
}

extension CoreDataWriter {
  mutating func constraints(of entity: CoreDataEntity) -> [(String, Int)] {
    guard let type = CoreDataSpelling.name(entity.name) else { return [] }
    var lines: [(String, Int)] = []
    for unique in entity.uniques where !unique.names.isEmpty {
      note(
        .check, .uniqueConflict, unique.line,
        "inserting another '\(entity.name)' with the same \(unique.names.joined(separator: ", ")) now updates the "
          + "existing row; use 'onConflict: .fail' for an error (Core Data applied the merge policy)")
      lines.append(("#Unique<\(type)>([\(paths(unique.names))])", unique.line))
    }
    for attribute in entity.attributes where attribute.isIndexed {
      lines.append(("#Index<\(type)>([\(paths([attribute.name]))])", attribute.line))
    }
    for relationship in entity.relationships where relationship.isIndexed && !relationship.isToMany {
      lines.append(("#Index<\(type)>([\(paths([relationship.name]))])", relationship.line))
    }
    for index in entity.indexes { lines += self.lines(of: index, entity, type) }
    return lines
  }

  private func paths(_ names: [String]) -> String {
    // A period separates a composite attribute and its field.
    names.map { name in
      "\\." + name.split(separator: ".").map { CoreDataSpelling.name(String($0)) ?? String($0) }.joined(separator: ".")
    }.joined(separator: ", ")
  }

  private mutating func lines(of index: CoreDataIndex, _ entity: CoreDataEntity, _ type: String) -> [(String, Int)] {
    let title = index.name.isEmpty ? "an index of '\(entity.name)'" : "index '\(index.name)' of '\(entity.name)'"
    let names = index.elements.compactMap(\.property)
    if names.count < index.elements.count {
      let expressions = index.elements.compactMap(\.expression).joined(separator: ", ")
      note(.notCarried, .indexExpression, index.line, "\(title) contains an expression: \(expressions)")
      return [("// Not carried over: an index of \(CoreDataSpelling.line(expressions))", index.line)]
    }
    guard !names.isEmpty else { return [] }
    if let predicate = index.predicate {
      note(
        .check, .indexPredicate, index.line,
        "\(title) covered only rows with '\(predicate)' and now covers all rows")
    }
    let kinds = Set(index.elements.map(\.isRTree))
    let isMixed = Set(index.elements.map(\.isDescending)).count > 1
    if isMixed || kinds.count > 1 {
      note(
        .check, .indexOrder, index.line,
        isMixed
          ? "\(title) mixes ascending and descending order; the schema's index is ascending"
          : "\(title) mixes two index types; the schema's index is an ordinary index")
    }
    let list = "[\(paths(names))]"
    return [("#Index<\(type)>(\(kinds == [true] ? ".rtree(\(list))" : list))", index.line)]
  }
}
