import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// A released version's schema file, generated from models in Swift files.
struct SwiftCopy {
  let head: ResolvedSchema
  /// The syntax trees of the head's Swift files.
  let trees: [SyntaxTree]

  /// The part of the file name after the schema name.
  var suffix = ""

  var name: String { head.name + suffix + SchemaPaths.suffix }

  var text: String {
    var parts = ["schema \(head.name) \(head.version)"]
    let imports = Set(head.imports.map(\.module)).sorted()
    if !imports.isEmpty { parts.append(imports.map { "import \($0)" }.joined(separator: "\n")) }
    for tree in trees {
      for node in tree.root.children where node.kind == .classDeclaration { parts.append(model(node)) }
    }
    // A model's text includes its nested enums.
    let models = Set(head.entities.map(\.name))
    for type in head.enums where type.swift != nil {
      let owner = type.name.parts(separatedBy: ".").dropLast().joined(separator: ".")
      if owner.isEmpty || !models.contains(owner) { parts.append(type.declaration.text) }
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// Returns the text of a model, with types spelled as in the schema.
  private func model(_ node: SyntaxNode) -> String {
    let declaration = DeclarationSyntax(node)
    let file = node.tree.file
    var range = node.range
    if let start = declaration.documentation.start { range.start = start }
    var edits = head.spellings.filter {
      $0.range.file == node.tree.fileIndex && $0.range.start >= range.start && $0.range.end <= range.end
    }
    let last = node.tree.range(ofToken: node.tokenEnd - 1)
    for type in head.enums where type.swift != nil && type.name.hasPrefix((declaration.name ?? "") + ".") {
      let isInside = file.text(from: range.start, to: range.end).contains(type.declaration.text)
      var place = last
      place.end = place.start
      if !isInside { edits.append(TextEdit(place, "\n  \(type.declaration.text)\n")) }
    }
    var text = ""
    var offset = range.start
    for edit in edits.sorted(by: { $0.range < $1.range }) where edit.range.start >= offset {
      text += file.text(from: offset, to: edit.range.start) + edit.replacement
      offset = edit.range.end
    }
    return text + file.text(from: offset, to: range.end)
  }
}
