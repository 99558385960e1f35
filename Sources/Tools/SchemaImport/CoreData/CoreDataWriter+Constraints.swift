extension CoreDataWriter {
  mutating func constraints(of entity: CoreDataEntity) -> [(String, Int)] {
    guard let type = CoreDataSpelling.name(entity.name) else { return [] }
    var lines: [(String, Int)] = []
    for unique in entity.uniques where !unique.names.isEmpty {
      note(
        .check, .uniqueConflict, unique.line,
        "what happens to a second '\(entity.name)' with the same \(unique.names.joined(separator: ", ")) was up to the merge "
          + "policy; now the first one is updated, and 'onConflict: .fail' makes it an error")
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
      note(.notCarried, .indexExpression, index.line, "\(title) is of an expression: \(expressions)")
      return [("// Not carried over: an index of \(CoreDataSpelling.line(expressions))", index.line)]
    }
    guard !names.isEmpty else { return [] }
    if let predicate = index.predicate {
      note(.check, .indexPredicate, index.line, "\(title) is of the rows with '\(predicate)', and of all rows now")
    }
    let kinds = Set(index.elements.map(\.isRTree))
    let isMixed = Set(index.elements.map(\.isDescending)).count > 1
    if isMixed || kinds.count > 1 {
      note(
        .check, .indexOrder, index.line,
        isMixed
          ? "\(title) goes up and down; the one of the schema goes up"
          : "\(title) is of two kinds; the one of the schema is ordinary")
    }
    let list = "[\(paths(names))]"
    return [("#Index<\(type)>(\(kinds == [true] ? ".rtree(\(list))" : list))", index.line)]
  }
}
