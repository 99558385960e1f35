import SchemaImport

/// Writes a draft's schema file.
struct DraftText {
  private let draft: SchemaDraft
  private var lines: [String] = []

  init(_ draft: SchemaDraft) {
    self.draft = draft
    lines = ["schema \(draft.name) 1.0.0"]
    for model in draft.models { add(model) }
    for type in draft.enums { add(type) }
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ model: DraftModel) {
    let original = model.table.name == model.name ? "" : "(originalName: \(CoreDataSpelling.literal(model.table.name)))"
    lines += ["", "@Model\(original)", "class \(model.name) {"]
    let constraints =
      model.uniques.map { "#Unique<\(model.name)>([\(paths($0))], onConflict: .fail)" }
      + (model.indexes.isEmpty
        ? [] : ["#Index<\(model.name)>(\(model.indexes.map { "[\(paths($0))]" }.joined(separator: ", ")))"])
    lines += constraints
    if !constraints.isEmpty { lines.append("") }
    let isStored = { (property: DraftProperty) in if case .attribute = property.kind { true } else { false } }
    let attributes = model.properties.filter(isStored)
    let relationships = model.properties.filter { !isStored($0) }
    lines += attributes.map(line)
    if !attributes.isEmpty, !relationships.isEmpty { lines.append("") }
    lines += relationships.map(line)
    lines.append("}")
  }

  private func paths(_ names: [String]) -> String { names.map { "\\.\(spelled($0))" }.joined(separator: ", ") }

  private func spelled(_ name: String) -> String { CoreDataSpelling.name(name) ?? name }

  private func path(_ path: String?) -> String? {
    path.map { "\\" + $0.split(separator: ".").map { spelled(String($0)) }.joined(separator: ".") }
  }

  private func line(_ property: DraftProperty) -> String {
    let name = spelled(property.name)
    var options: [String] = []
    if property.columns.count == 1, ![property.name, ""].contains(property.columns[0]) {
      options = ["originalName: \(CoreDataSpelling.literal(property.columns[0]))"]
    }
    switch property.kind {
    case .attribute(let type, let isUnique, let value):
      if isUnique { options = [".unique"] + options + ["onConflict: .fail"] }
      let attribute = options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
      return "\(attribute)var \(name): \(type)\(property.isOptional ? "?" : "")\(value.map { " = \($0)" } ?? "")"
    case .reference:
      let attribute = options.isEmpty ? "" : "@Relationship(\(options.joined(separator: ", "))) "
      return "\(attribute)var \(name): \(property.destination)\(property.isOptional ? "?" : "")"
    case .inverse(_, _, let isList, let rule):
      let inverse = path(property.inverse).map { "inverse: \($0)" }
      let arguments = ["deleteRule: .\(rule)", inverse].compactMap(\.self).joined(separator: ", ")
      let type = isList ? "[\(property.destination)] = []" : "\(property.destination)?"
      return "@Relationship(\(arguments)) var \(name): \(type)"
    case .members:
      let inverse = path(property.inverse).map { "@Relationship(inverse: \($0)) " } ?? ""
      return "\(inverse)var \(name): [\(property.destination)] = []"
    }
  }

  private mutating func add(_ type: DraftEnum) {
    lines += ["", "enum \(type.name): \(type.rawType), Codable, CaseIterable {"]
    lines += type.cases.map { item in
      let isOwn = item.value == CoreDataSpelling.literal(item.name)
      return "case \(spelled(item.name))\(isOwn ? "" : " = \(item.value)")"
    }
    lines.append("}")
  }
}
