import SchemaDiagnostics
import SchemaSyntax

/// Reads a `@Model` class.
final class EntityReader {
  /// Attributes that belong to the schema and never appear in generated code.
  static let attributeNames: Set<String> = ["Model", "Attribute", "Relationship", "Transient"]
  static let macroNames = ["Unique", "Index"]

  private let source: CarriedSource
  private let names: SchemaNames
  private let draft: EntityDraft
  private var declared: [String: SourceRange] = [:]
  private var diagnostics: [Diagnostic] = []

  static func read(
    _ declaration: DeclarationSyntax, in source: CarriedSource, _ names: SchemaNames
  ) -> (EntityDraft, [Diagnostic]) {
    let entity = ResolvedEntity(
      name: declaration.name ?? "", access: declaration.access,
      documentation: declaration.documentation.lines, file: source.file,
      range: declaration.nameRange)
    let reader = EntityReader(
      source: source, names: names, draft: EntityDraft(entity: entity, declaration: declaration))
    reader.readHead(declaration)
    let members = declaration.members
    reader.draft.isIncomplete = !source.tree.isBalanced || members.contains { $0.kind == .unexpected }
    reader.draft.entity.properties.reserveCapacity(members.count)
    for member in members { reader.read(member) }
    if source.isSwift { reader.diagnostics += InitializerCheck.check(declaration, reader.draft.entity) }
    return (reader.draft, reader.diagnostics)
  }

  private init(source: CarriedSource, names: SchemaNames, draft: EntityDraft) {
    self.source = source
    self.names = names
    self.draft = draft
  }

  private func readHead(_ declaration: DeclarationSyntax) {
    let isHidden = declaration.access == .private || declaration.access == .fileprivate
    if let swift = source.tree.file.swift, isHidden || swift.isHidden {
      diagnostics.append(.hiddenModel(declaration))
    }
    if source.isSwift, let name = declaration.name, TypeResolver.generatedTypes.contains(name) {
      diagnostics.append(.generatedType(name, declaration.nameRange))
    }
    var isModel = false
    for attribute in declaration.attributes {
      if attribute.name == "Model" {
        if isModel { diagnostics.append(.repeatedAttribute(attribute)) }
        isModel = true
        readModelArguments(attribute)
      } else if Self.attributeNames.contains(attribute.name) {
        diagnostics.append(.attributeOnClass(attribute))
      } else if attribute.name == "Observable" {
        diagnostics.append(.observableModel(attribute))
      } else if attribute.name.hasSuffix("Actor"), !source.isSwift || attribute.name != "MainActor" {
        diagnostics.append(.isolatedModel(attribute))
      } else {
        draft.entity.swiftAttributes.append(source.text(attribute.range))
      }
    }
    for type in declaration.inherited {
      // Every model conforms to `PersistentModel`.
      if case .named(let parts, _) = type.shape, parts.last == "PersistentModel" { continue }
      if let model = model(type, in: names.swift.scopes(of: declaration.name ?? "").dropLast()) {
        draft.superclasses.append(type)
        draft.entity.superentity = draft.entity.superentity ?? model
      } else {
        draft.entity.conformances.append(declaration.conformance(type))
        if draft.entity.conformances.last == "Sendable", !source.isSwift {
          diagnostics.append(.sendableModel(declaration.name ?? "", type))
        } else if type.text == "NSObject" {
          diagnostics.append(.foreignSuperclass(type))
        }
      }
    }
    if draft.superclasses.count > 1 {
      diagnostics.append(.twoSuperclasses(draft.superclasses[1], draft.superclasses[0]))
    }
  }

  /// Resolves a name in an inheritance clause to a model. In a Swift file, a type alias or qualified name may refer to
  /// a model.
  private func model(_ type: TypeSyntax, in scopes: ArraySlice<String>, depth: Int = 0) -> String? {
    guard case .named(let parts, _) = type.shape, depth < 8 else { return nil }
    if parts.count == 1, names.isModel(parts[0]) { return parts[0] }
    guard source.isSwift else { return nil }
    switch names.swift.meaning(of: parts, in: Array(scopes)) {
    case .model(let path):
      let name = names.swift.name(path).name
      if names.isModel(name) { return name }
      diagnostics.append(.modelOfOtherSchema(path.joined(separator: "."), type.range))
      return nil
    case .alias(let target, let scopes): return model(target, in: scopes[...], depth: depth + 1)
    case .rawEnum, .other, nil: return nil
    }
  }

  private func readModelArguments(_ attribute: AttributeSyntax) {
    for argument in attribute.arguments {
      guard argument.label == "originalName" else {
        diagnostics.append(.unknownModelArgument(argument))
        continue
      }
      let (name, problem) = StringArgument.read(argument)
      draft.entity.originalName = name
      if let problem { diagnostics.append(problem) }
    }
  }

  private func read(_ node: SyntaxNode) {
    let member = DeclarationSyntax(node)
    switch node.kind {
    case .propertyDeclaration: readProperty(member)
    case .macroDeclaration: readMacro(AttributeSyntax(node))
    case .verbatimDeclaration, .enumDeclaration, .structDeclaration: carry(member)
    case .conditionalBlock where !source.isSwift || member.storesConditionally:
      diagnostics.append(.conditionalMembers(node.tree.range(ofToken: node.firstToken), isSwift: source.isSwift))
    default: break
    }
  }

  private func readMacro(_ macro: AttributeSyntax) {
    if source.isSwift, ["warning", "error"].contains(macro.name) { return }
    if Self.macroNames.contains(macro.name) {
      draft.constraints.append(macro)
    } else if let nearest = NearestName.find(macro.name, orBeginningOf: Self.macroNames) {
      diagnostics.append(.unknownMacro(macro, nearest))
    } else {
      diagnostics.append(.foreignMacro(macro))
    }
  }

  private func carry(_ member: DeclarationSyntax) {
    let text = source.member(member)
    if member.keyword == .`init` {
      draft.entity.carriedInitializers.append(text)
    } else {
      draft.entity.carriedMembers.append(text)
    }
    if source.isSwift, let equality = member.equalityOperator, draft.entity.conformances.isEmpty,
      draft.entity.superentity == nil
    {
      diagnostics.append(.equalityWithoutConformance(draft.entity.name, equality))
    }
    if [.struct, .enum, .class, .typealias, .actor].contains(member.keyword) {
      if member.name == "Snapshot" { diagnostics.append(.nestedSnapshot(member.nameRange)) }
      if member.name == "Root" { diagnostics.append(.nestedRoot(member.nameRange)) }
    }
  }

  private func readProperty(_ member: DeclarationSyntax) {
    let bindings = member.bindings
    let computed = bindings.filter { if case .computed = $0.accessors { true } else { false } }
    if member.has(.static) || member.has(.class) || computed.count == bindings.count {
      for attribute in member.attributes
      where ["Attribute", "Relationship"].contains(attribute.name) {
        diagnostics.append(.attributeOnComputed(attribute))
      }
      draft.entity.carriedMembers.append(source.member(member))
      return
    }
    if source.isSwift, bindings.count > 1, member.attribute(named: "Transient") == nil {
      diagnostics.append(.severalProperties(member))
      return
    }
    if let first = computed.first, let token = first.nameToken {
      diagnostics.append(.mixedBindings(member.node.tree.range(ofToken: token)))
      return
    }
    let head = PropertyHead(member, in: draft.entity.name, isSwift: source.isSwift)
    diagnostics += head.diagnostics
    for binding in bindings {
      guard let token = binding.nameToken else {
        draft.isIncomplete = true
        continue
      }
      let name = member.node.tree.name(ofToken: token)
      let range = member.node.tree.range(ofToken: token)
      if source.isSwift, !Lexer.isPlainName(member.node.tree.text(ofToken: token)) {
        diagnostics.append(.quotedName(range))
        continue
      }
      if let first = declared[name] {
        diagnostics.append(.duplicateProperty(name, range, first: first))
        continue
      }
      declared[name] = range
      let reader = PropertyReader(
        head: head, binding: binding, name: name, range: range, source: source, names: names,
        scope: draft.entity.name)
      add(reader.read(), name: name, range: range, withoutInverse: source.isSwift ? member.withoutInverse : nil)
    }
  }

  private func add(
    _ result: PropertyReader.Result, name: String, range: SourceRange, withoutInverse: TextEdit?
  ) {
    diagnostics += result.diagnostics
    guard let property = result.property else {
      draft.poisoned.insert(name)
      return
    }
    draft.entity.properties.append(property)
    if let policy = result.uniquePolicy {
      draft.entity.uniques.append(
        ResolvedUnique(properties: [name], policy: policy, range: range))
    }
    if case .relationship = property {
      draft.relationships.append(
        .init(
          property: draft.entity.properties.count - 1, written: result.inverse, range: range,
          withoutInverse: withoutInverse))
    }
  }
}

extension DeclarationSyntax {
  /// The edit that sets a relationship's inverse to `nil`.
  fileprivate var withoutInverse: TextEdit {
    func insertion(_ text: String, at offset: Int) -> TextEdit {
      TextEdit(SourceRange(file: node.tree.fileIndex, start: offset, end: offset), text)
    }
    guard let attribute = attribute(named: "Relationship") else {
      return insertion("@Relationship(inverse: nil) ", at: node.range.start)
    }
    if let inverse = attribute.arguments.first(where: { $0.label == "inverse" }), let value = inverse.value {
      return TextEdit(value.range, "nil")
    }
    if let last = attribute.arguments.last { return insertion(", inverse: nil", at: last.range.end) }
    let isCall = node.tree.tokens[attribute.node.tokenEnd - 1].kind == .rightParen
    return isCall
      ? insertion("inverse: nil", at: attribute.range.end - 1) : insertion("(inverse: nil)", at: attribute.range.end)
  }

  /// True if the declaration adds storage or a constraint to the class.
  private var isStored: Bool {
    switch node.kind {
    case .propertyDeclaration:
      let isComputed = bindings.allSatisfy { if case .computed = $0.accessors { true } else { false } }
      return !has(.static) && !has(.class) && !isComputed && attribute(named: "Transient") == nil
    case .macroDeclaration: return true
    default: return false
    }
  }

  /// The source range of `==` in `static func ==`.
  fileprivate var equalityOperator: SourceRange? {
    let tree = node.tree
    guard has(.static), let keywordToken, keywordToken + 1 < node.tokenEnd,
      tree.text(ofToken: keywordToken) == "func", tree.text(ofToken: keywordToken + 1) == "=="
    else { return nil }
    return tree.range(ofToken: keywordToken + 1)
  }

  /// True if any branch of an `#if` block contains a declaration that adds storage or a constraint.
  fileprivate var storesConditionally: Bool {
    let text = node.tree.file.text(from: node.range.start, to: node.range.end)
    let block = SwiftFile(SourceFile(path: "", text: "@Model class Block {\n\(text)\n}"))
    let (tree, problems) = Parser.parse(block.blanking(ConditionalCompilation.directives(block)).file, index: 0)
    guard problems.isEmpty, let block = tree.root.children.first(where: { $0.kind == .classDeclaration }) else {
      return true
    }
    return DeclarationSyntax(block).members.contains { DeclarationSyntax($0).isStored }
  }
}

extension Diagnostic {
  static func repeatedAttribute(_ attribute: AttributeSyntax) -> Self {
    Self(
      .duplicateOption, at: attribute.range, "'@\(attribute.name)' is written twice",
      help: "combine all options in a single '@\(attribute.name)'")
  }

  fileprivate static func attributeOnClass(_ attribute: AttributeSyntax) -> Self {
    Self(
      .optionNotApplicable, at: attribute.range,
      "'@\(attribute.name)' applies to properties, not to classes",
      fixIts: [.remove(attribute.removalRange, title: "remove '@\(attribute.name)'")])
  }

  /// A macro can only add accessors to a declaration with a single property.
  fileprivate static func severalProperties(_ member: DeclarationSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: member.bindings[1].node.range,
      "each stored property of a model in a Swift file needs its own declaration",
      help: "write a separate 'var' for each property")
  }

  /// Reported because Swift finds the operator twice if the macro adds the conformance.
  fileprivate static func equalityWithoutConformance(_ model: String, _ range: SourceRange) -> Self {
    Self(
      .unsupportedDeclaration, at: range, "a model that declares '==' must also declare conformance to 'Equatable'",
      help: "write 'class \(model): Equatable'")
  }

  fileprivate static func hiddenModel(_ model: DeclarationSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: model.nameRange,
      "generated files cannot refer to a \(model.access?.rawValue ?? "private") model", help: "remove the access level")
  }

  fileprivate static func generatedType(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .generatedNameClash, at: range,
      "a model in a Swift file cannot be called '\(name)', which is a type nested in every model",
      help: "choose a different name, or declare it in a schema file")
  }

  fileprivate static func attributeOnComputed(_ attribute: AttributeSyntax) -> Self {
    Self(
      .optionNotApplicable, at: attribute.range,
      "'@\(attribute.name)' applies only to stored properties",
      fixIts: [.remove(attribute.removalRange, title: "remove '@\(attribute.name)'")])
  }

  fileprivate static func twoSuperclasses(_ second: TypeSyntax, _ first: TypeSyntax) -> Self {
    Self(
      .conflictingOptions, at: second.range,
      "a model cannot inherit from two models, '\(first.text)' and '\(second.text)'",
      related: [.init(first.range, "the first one is here")])
  }

  fileprivate static func observableModel(_ attribute: AttributeSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: attribute.range, "every model is already observable",
      fixIts: [.remove(attribute.removalRange, title: "remove '@Observable'")])
  }

  fileprivate static func isolatedModel(_ attribute: AttributeSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: attribute.range,
      "a model belongs to its context and cannot be isolated to '@\(attribute.name)'",
      help: "remove it here, and add it to the members that need it",
      fixIts: [.remove(attribute.removalRange, title: "remove '@\(attribute.name)'")])
  }

  fileprivate static func foreignSuperclass(_ type: TypeSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: type.range,
      "a model can only inherit from models, and '\(type.text)' is not a model", help: "remove it")
  }

  fileprivate static func sendableModel(_ name: String, _ type: TypeSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: type.range,
      "model '\(name)' belongs to its context and cannot be 'Sendable'",
      help: "remove it, and send its 'persistentModelID' or a snapshot of it")
  }

  fileprivate static func unknownModelArgument(_ argument: ArgumentSyntax) -> Self {
    Self(
      .unknownKeyword, at: argument.range, "'@Model' takes no argument except 'originalName'",
      help: "remove it")
  }

  fileprivate static func unknownMacro(_ macro: AttributeSyntax, _ nearest: String) -> Self {
    Self(
      .unknownKeyword, at: macro.nameRange, "unknown macro '#\(macro.name)'",
      help: "did you mean '#\(nearest)'?",
      fixIts: [
        .replace(macro.nameRange, with: "#\(nearest)", title: "replace it with '#\(nearest)'")
      ])
  }

  fileprivate static func foreignMacro(_ macro: AttributeSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: macro.nameRange,
      "macro '#\(macro.name)' cannot be expanded in a schema", help: "move it to an extension")
  }

  fileprivate static func nestedSnapshot(_ range: SourceRange) -> Self {
    Self(
      .generatedNameClash, at: range,
      "'Snapshot' is the name of a type generated in every model",
      help: "choose a different name")
  }

  fileprivate static func nestedRoot(_ range: SourceRange) -> Self {
    Self(
      .generatedNameClash, at: range,
      "'Root' inside a model refers to its topmost superclass",
      help: "choose a different name")
  }

  fileprivate static func mixedBindings(_ range: SourceRange) -> Self {
    Self(
      .unsupportedDeclaration, at: range, "stored and computed properties cannot share a declaration",
      help: "declare the computed property separately")
  }

  fileprivate static func duplicateProperty(
    _ name: String, _ range: SourceRange, first: SourceRange
  ) -> Self {
    Self(
      .duplicateDeclaration, at: range, "property '\(name)' is declared twice",
      related: [.init(first, "the first declaration is here")])
  }
}
