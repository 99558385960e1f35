import SchemaDiagnostics
import SchemaSyntax

/// A file's declarations by kind, before name lookup.
struct FileOutline {
  struct Version {
    var value: SchemaVersion
    var range: SourceRange
  }

  let tree: SyntaxTree
  let lines: LineTable
  /// From the `schema` line, or the file stem.
  var schemaName: String
  var version: Version
  /// For a Swift file: the schema file that it belongs to.
  var home: SchemaGroup.Key?
  var models: [DeclarationSyntax] = []
  var enums: [DeclarationSyntax] = []
  var structs: [DeclarationSyntax] = []
  var imports: [(module: String, declaration: DeclarationSyntax)] = []
  var migrations: [SyntaxNode] = []

  /// For a Swift file: explicit access levels of imports, by module.
  var importAccess: [String: AccessLevel] {
    guard tree.file.isSwift else { return [:] }
    let written = imports.compactMap { module, declaration in declaration.access.map { (module, $0) } }
    return Dictionary(firstOf: written)
  }

  static func read(_ tree: SyntaxTree) -> (FileOutline, [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    let start = SourceRange(file: tree.fileIndex, start: 0, end: 0)
    var outline = FileOutline(
      tree: tree, lines: LineTable(tree.file),
      schemaName: tree.file.swift?.schemaName ?? identifier(from: tree.file.stem),
      version: Version(
        value: tree.file.swift.flatMap { SchemaVersion($0.version) } ?? SchemaVersion(1, 0, 0), range: start))
    var schemaLine: SchemaLine?
    for node in tree.root.children {
      let declaration = DeclarationSyntax(node)
      switch node.kind {
      case .schemaLine:
        let line = SchemaLine(node)
        if let first = schemaLine {
          diagnostics.append(.secondSchemaLine(node.range, first: first.node.range))
        } else {
          schemaLine = line
          diagnostics += line.problems
        }
      case .classDeclaration: outline.add(model: declaration, &diagnostics)
      case .enumDeclaration: outline.add(value: declaration, to: \.enums, &diagnostics)
      case .structDeclaration: outline.add(value: declaration, to: \.structs, &diagnostics)
      case .importDeclaration:
        if let module = declaration.importedModule {
          outline.imports.append((module, declaration))
        }
      case .migration: outline.migrations.append(node)
      case .unexpected: break
      default: diagnostics.append(.refused(declaration))
      }
    }
    if let schemaLine {
      if let name = schemaLine.name { outline.schemaName = name }
      outline.version = Version(value: schemaLine.version, range: schemaLine.range)
    } else if !tree.file.isSwift, tree.file.bytes.count <= Parser.maximumFileSize,
      // The parser has already reported a misspelled `schema`.
      NearestName.find(tree.text(ofToken: 0), in: ["schema"]) == nil
    {
      diagnostics.append(.noSchemaLine(start, name: outline.schemaName))
    }
    return (outline, diagnostics)
  }

  private mutating func add(model: DeclarationSyntax, _ diagnostics: inout [Diagnostic]) {
    guard model.nameToken != nil else { return }
    if model.attribute(named: "Model") == nil {
      // Still treated as a model, so that references to it are not reported as well.
      let misspelt = model.attributes.first { $0.name != "Model" && NearestName.find($0.name, in: ["Model"]) != nil }
      diagnostics.append(misspelt.map { .unknownAttribute($0, "Model") } ?? .classWithoutModel(model))
    }
    if model.isGeneric {
      return diagnostics.append(.generic(model))
    }
    models.append(model)
  }

  private mutating func add(
    value: DeclarationSyntax, to list: WritableKeyPath<FileOutline, [DeclarationSyntax]>,
    _ diagnostics: inout [Diagnostic]
  ) {
    guard value.nameToken != nil else { return }
    if let model = value.attribute(named: "Model") {
      guard value.keyword == .enum else {
        diagnostics.append(.structAsModel(value))
        if !value.isGeneric { models.append(value) }
        return
      }
      diagnostics.append(.modelOnValue(model))
    }
    if value.isGeneric {
      return diagnostics.append(.generic(value))
    }
    let nested = value.members.first { member in
      DeclarationSyntax(member).attribute(named: "Model") != nil
    }
    if let nested {
      return diagnostics.append(.nestedModel(DeclarationSyntax(nested)))
    }
    for member in value.members where member.kind == .conditionalBlock {
      diagnostics.append(.conditionalMembers(member.tree.range(ofToken: member.firstToken)))
    }
    self[keyPath: list].append(value)
  }

  /// Builds an identifier from the letters, digits and underscores of a file stem, omitting separators.
  private static func identifier(from stem: String) -> String {
    var result = ""
    var raise = false
    for character in stem {
      if character.isLetter || character == "_" || (character.isNumber && !result.isEmpty) {
        result += raise ? character.uppercased() : String(character)
        raise = false
      } else {
        raise = !result.isEmpty
      }
    }
    return result.isEmpty ? "Schema" : result
  }
}

extension Diagnostic {
  fileprivate static func secondSchemaLine(_ range: SourceRange, first: SourceRange) -> Self {
    Self(
      .duplicateDeclaration, at: range, "duplicate 'schema' line",
      related: [.init(first, "the first one is here")])
  }

  fileprivate static func noSchemaLine(_ range: SourceRange, name: String) -> Self {
    let line = "schema \(name) 1.0.0"
    return Self(
      .missingVersion, .warning, at: range, "the file has no 'schema' line, so '\(line)' is assumed",
      help: "begin the file with '\(line)'",
      fixIts: [.insert(line + "\n\n", at: range, title: "insert '\(line)'")])
  }

  fileprivate static func classWithoutModel(_ declaration: DeclarationSyntax) -> Self {
    let name = declaration.name ?? ""
    var start = declaration.node.range
    start.end = start.start
    return Self(
      .unsupportedDeclaration, at: declaration.nameRange, "class '\(name)' is not a '@Model'",
      help: "add '@Model', or move it to a Swift file",
      fixIts: [.insert("@Model\n", at: start, title: "insert '@Model'")])
  }

  fileprivate static func generic(_ declaration: DeclarationSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: declaration.nameRange,
      "generic type '\(declaration.name ?? "")' cannot be part of a schema",
      help: declaration.keyword == .class
        ? "declare a model for each type that it is used with" : "move it to a Swift file")
  }

  fileprivate static func structAsModel(_ declaration: DeclarationSyntax) -> Self {
    let range = declaration.keywordToken.map { declaration.node.tree.range(ofToken: $0) } ?? declaration.nameRange
    return Self(
      .optionNotApplicable, at: range, "'@Model' applies only to classes",
      fixIts: [.replace(range, with: "class", title: "write 'class'")])
  }

  fileprivate static func modelOnValue(_ attribute: AttributeSyntax) -> Self {
    Self(
      .optionNotApplicable, at: attribute.range, "'@Model' applies only to classes",
      fixIts: [.remove(attribute.removalRange, title: "remove '@Model'")])
  }

  fileprivate static func nestedModel(_ declaration: DeclarationSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: declaration.nameRange,
      "a '@Model' class cannot be inside another type",
      help: "move it to the top level of the file; each version has its own files")
  }

  /// Cases and fields must not depend on the build configuration.
  static func conditionalMembers(_ range: SourceRange, isSwift: Bool = false) -> Self {
    if isSwift {
      return Self(
        .unsupportedDeclaration, at: range,
        "'#if' cannot surround stored properties, '#Index' or '#Unique' of a model "
          + "if its condition depends on the build",
        help: "declare them outside '#if', or mark properties that are not stored '@Transient'")
    }
    return Self(
      .unsupportedDeclaration, at: range, "'#if' is not allowed in a schema type",
      help: "move its contents to an extension in a Swift file")
  }

  fileprivate static func refused(_ declaration: DeclarationSyntax) -> Self {
    if declaration.node.tree.file.isSwift, declaration.node.kind == .conditionalBlock {
      return Self(
        .unsupportedDeclaration, at: declaration.node.tree.range(ofToken: declaration.node.firstToken),
        "a model cannot be inside '#if' if its condition depends on the build",
        help: "declare the model without '#if', or use 'canImport', 'os', 'swift' or 'compiler'")
    }
    let what =
      declaration.node.kind == .conditionalBlock
      ? "'#if'"
      : declaration.node.kind == .macroDeclaration
        ? "a macro" : declaration.keyword.map { "'\($0.rawValue)'" } ?? "this declaration"
    let range =
      declaration.node.kind == .verbatimDeclaration
        || declaration.node.kind == .propertyDeclaration
      ? declaration.nameRange
      : declaration.node.tree.range(ofToken: declaration.node.firstToken)
    return Self(
      .unsupportedDeclaration, at: range, "\(what) is not allowed at the top level of a schema file",
      help: isAroundImports(declaration.node)
        ? "remove '#if' around the imports: each is compiled only if its module is available"
        : "move it to a Swift file of the same target")
  }

  private static func isAroundImports(_ node: SyntaxNode) -> Bool {
    guard node.kind == .conditionalBlock else { return false }
    return (node.firstToken..<node.tokenEnd).allSatisfy { index in
      let token = node.tree.tokens[index]
      return !token.startsLine || token.kind == .directive || token.keyword == .import
    }
  }
}
