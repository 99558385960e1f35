import SchemaModel

/// Declarations, members and steps with placeholders.
enum CompletionSnippets {
  private typealias Item = CompletionItem

  static func declarations(hasSchemaLine: Bool, released: SchemaVersion?) -> [CompletionItem] {
    let line = Item.snippet("schema", "schema ${1:Name} ${2:1.0.0}", "the name and version of the schema")
    let types = [
      Item.snippet(
        "@Model class", "@Model\nclass ${1:Name} {\n    var ${2:name}: ${3:String}\n}", "a model", filter: "class"),
      Item.snippet("enum", "enum ${1:Name}: String, Codable {\n    case ${2:first}\n}", "a value with named cases"),
      Item.snippet("struct", "struct ${1:Name}: Codable {\n    var ${2:name}: ${3:String}\n}", "a value with fields"),
    ]
    let migration = released.map { version in
      Item.snippet(
        "migration from", "migration from ${1:\(version)} {\n    $0\n}", "the way from a released version")
    }
    return (hasSchemaLine ? [] : [line]) + types + [migration].compactMap(\.self)
  }

  static func classMembers(_ model: String?) -> [CompletionItem] {
    [
      property,
      Item.snippet(
        "@Attribute", "@Attribute(${1:.unique}) var ${2:name}: ${3:String}", "a stored property with options"),
      Item.snippet(
        "@Relationship", "@Relationship(deleteRule: ${1|.cascade,.nullify,.deny|}) var ${2:names}: [${3:Model}] = []",
        "a reference to models"),
    ] + macros(model) + [
      Item.snippet("@Transient", "@Transient var ${1:name}: ${2:Int} = ${3:0}", "a property that is not stored")
    ]
  }

  static let modelClass = CompletionItem.snippet(
    "class", "class ${1:Name} {\n    var ${2:name}: ${3:String}\n}", "a class whose objects are stored")
  static let property = CompletionItem.snippet("var", "var ${1:name}: ${2:String}", "a stored property")
  static let enumCase = CompletionItem.snippet("case", "case ${1:name}", "a value of the enum")

  static func macros(_ model: String?) -> [CompletionItem] {
    [("#Unique", "values that occur once"), ("#Index", "values that are searched")].map { name, detail in
      Item.snippet(name, "\(name)<\(model ?? "Model")>([\\\\.${1:property}])", detail)
    }
  }

  static let steps = [
    CompletionItem.snippet("fill", "fill ${1:Model}.${2:property} = ${3:value}", "a value for existing rows"),
    CompletionItem.snippet(
      "dedupe", "dedupe ${1:Model} on [\\\\.${2:property}] keep ${3|newest,oldest|}", "rows with equal values"),
    CompletionItem.snippet("accept", "accept ${1:RULE} ${2:Model.property} -- \"${3:reason}\"", "an intended change"),
    CompletionItem.snippet("custom", "custom ${1:name}", "a step in Swift"),
  ]
}
