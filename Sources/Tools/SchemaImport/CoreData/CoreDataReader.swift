package import SchemaDiagnostics

/// Reads a `contents` file.
package enum CoreDataReader {
  package static func read(_ file: SourceFile) throws(MarkupProblem) -> CoreDataModel {
    let root = try MarkupReader.read(file)
    guard root.name == "model" else {
      throw MarkupProblem(
        file: file.path, line: root.line, column: 1,
        message: "this is no Core Data model: it begins with '<\(root.name)>' and not with '<model>'")
    }
    var fields = MarkupFields(root)
    var model = CoreDataModel(line: root.line)
    model.identifier = fields.text("userDefinedModelVersionIdentifier") ?? ""
    model.isUsedWithCloudKit = fields.flag("usedWithCloudKit")
    fields.ignore(
      "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "name",
      "sourceLanguage", "usedWithSwiftData", "macOSVersion", "iOSVersion")
    // Ignore the positions in Xcode's diagram.
    _ = fields.elements("elements")
    let composites = fields.elements("composite") + fields.elements("compositeAttribute")
    let names = Set(composites.compactMap { $0["name"] })
    model.composites = try composites.map { element throws(MarkupProblem) in
      try composite(element, names, file)
    }
    model.entities = try fields.elements("entity").map { element throws(MarkupProblem) in
      try entity(element, names, file)
    }
    model.configurations = fields.elements("configuration").map { element in
      let members = element.children("memberEntity").compactMap { $0["name"] }
      return CoreDataNamed(
        name: element["name"] ?? "", detail: members.joined(separator: ", "), line: element.line)
    }
    model.fetchRequests = fields.elements("fetchRequest").map { named($0, detail: $0["predicateString"]) }
    model.unknown = fields.unknown
    return model
  }

  /// The folder name of the current version; nil if the file does not contain it.
  package static func currentVersion(_ file: SourceFile) throws(MarkupProblem) -> String? {
    let root = try MarkupReader.read(file)
    guard root.name == "plist", let list = root.children("dict").first else {
      throw MarkupProblem(
        file: file.path, line: root.line, column: 1, message: "this is no property list with a dictionary")
    }
    for (key, value) in zip(list.children, list.children.dropFirst())
    where key.name == "key" && key.text == "_XCCurrentVersionName" && value.name == "string" {
      return value.text
    }
    return nil
  }

  static func name(_ element: MarkupElement, _ file: SourceFile) throws(MarkupProblem) -> String {
    guard let name = element["name"], !name.isEmpty else {
      throw MarkupProblem(
        file: file.path, line: element.line, column: 1, message: "this '\(element.name)' has no name")
    }
    return name
  }

  static func named(_ element: MarkupElement, detail: String?) -> CoreDataNamed {
    CoreDataNamed(name: element["name"] ?? "", detail: detail ?? "", line: element.line)
  }

  private static func composite(
    _ element: MarkupElement, _ names: Set<String>, _ file: SourceFile
  ) throws(MarkupProblem) -> CoreDataComposite {
    var fields = MarkupFields(element)
    fields.ignore("name", "syncable")
    var composite = CoreDataComposite(name: try name(element, file), attributes: [], line: element.line)
    composite.attributes = try fields.elements("attribute").map { element throws(MarkupProblem) in
      try attribute(element, names, file)
    }
    composite.unknown = fields.unknown
    return composite
  }
}
