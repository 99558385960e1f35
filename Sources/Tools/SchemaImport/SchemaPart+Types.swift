import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// Adds the types that a version uses.
extension SchemaPart {
  /// Adds a model's superclass.
  mutating func adoptSuperclass() -> Bool {
    for piece in pieces where piece.kind == .model {
      for name in piece.conformances where name != piece.name && !has(name) {
        guard let model = library.model(name, in: version), !used.contains(TypeLibrary.Key(model)), !has(model.name)
        else { continue }
        add(model)
        return true
      }
    }
    return false
  }

  /// Adds static members of extensions if default values use them. Extensions belong to the newest version only.
  mutating func adoptStatic(_ compiled: DraftSchema.Compiled) -> Bool {
    guard let tree = compiled.compilation.trees.first else { return false }
    for member in DraftSchema.members(tree) where member.declaration.node.kind == .propertyDeclaration && !member.isCode
    {
      for binding in member.declaration.bindings {
        guard let value = binding.defaultValue?.text, let word = value.split(separator: ".").last.map(String.init),
          value.contains("."), value.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
        else { continue }
        let names =
          (binding.type.map { Self.typeNames($0.text) } ?? []) + Self.typeNames(String(value.dropLast(word.count)))
        for type in names.compactMap({ $0.split(separator: ".").last.map(String.init) })
        where adopt(word, of: type, tree, compiled) {
          return true
        }
      }
    }
    return false
  }

  private mutating func adopt(
    _ word: String, of type: String, _ tree: SyntaxTree, _ compiled: DraftSchema.Compiled
  ) -> Bool {
    guard let (file, range) = library.staticMember(word, of: type, in: version),
      let brace = DraftSchema.closingBrace(of: type, tree), let (section, place) = compiled.place(at: brace),
      taken.insert("\(type).\(word)").inserted
    else { return false }
    var text = ImportedText()
    text.add(range, of: library.files[file], file: file, indent: "    ")
    text.rewrite(library.unqualified)
    draft[section].insert(text, at: place)
    copied.append(
      library.note(
        .copied, file, range.lowerBound,
        "'\(type).\(word)' is used by a default value and was copied to '\(type)'; remove it from the extension"))
    return true
  }

  /// Adds used types that are missing from the version.
  mutating func adopt(_ compiled: DraftSchema.Compiled) -> Bool {
    let about: Set<DiagnosticID> = [.unknownType, .opaqueCodable, .opaqueWithoutValue]
    var isNew = false
    for diagnostic in compiled.compilation.diagnostics where about.contains(diagnostic.id) {
      guard case (.declaration(let index), let place)? = compiled.place(at: diagnostic.range.start) else { continue }
      var text = compiled.file.text(from: diagnostic.range.start, to: diagnostic.range.end)
      // This diagnostic is about the property, not about its type.
      if diagnostic.id == .opaqueWithoutValue, let tree = compiled.compilation.trees.first,
        let member = DraftSchema.member(at: diagnostic.range.start, tree)
      {
        text = member.declaration.bindings.compactMap { $0.type?.text }.joined(separator: " ")
      }
      for path in Self.typeNames(text) {
        isNew =
          adopt(nested: path, in: index) || adopt(path, for: index) || spellOut(path, index, place.line)
          || leaveModule(path, index, place.line) || isNew
      }
    }
    return isNew
  }

  /// Adds relationship destinations, even if the version does not list them.
  mutating func adoptDestinations(_ compiled: DraftSchema.Compiled) -> Bool {
    guard let tree = compiled.compilation.trees.first else { return false }
    for member in DraftSchema.members(tree) where member.declaration.attribute(named: "Relationship") != nil {
      guard case (.declaration(let index), _)? = compiled.place(at: member.declaration.node.range.start) else {
        continue
      }
      let types = member.declaration.bindings.compactMap { $0.type?.text }.flatMap(Self.typeNames)
      let scope = library.version(of: pieces[index]) ?? version
      for path in types where library.model(path, in: scope).map({ !used.contains(TypeLibrary.Key($0)) }) ?? false {
        if adopt(path, for: index) { return true }
      }
    }
    return false
  }

  /// Moves a type from a model's extension into the model.
  private mutating func adopt(nested path: String, in index: Int) -> Bool {
    for name in path.split(separator: ".").map(String.init) {
      guard let nested = library.nested(in: pieces[index], named: name, version),
        !draft.declarations[index].has(nested, library)
      else { continue }
      insert(nested, into: index)
      return true
    }
    return false
  }

  mutating func insert(_ type: SwiftDeclaration, into index: Int) {
    var text = ImportedText()
    text.add("")
    text.add(type.range, of: library.files[type.file], file: type.file, indent: "    ")
    text.rewrite(library.unqualified)
    open(type, &text)
    draft.declarations[index].insertBeforeLast(text)
  }

  /// Removes `private` and `fileprivate`, because generated code in several files uses the stored types.
  mutating func open(_ type: SwiftDeclaration, _ text: inout ImportedText) {
    guard [.valueEnum, .structure, .model].contains(type.kind) else { return }
    let file = library.files[type.file]
    // The modifier before the declaring keyword, not inside a member or a comment.
    let modifier = file.tokens.indices.first { token in
      Int(file.tokens[token].start) >= type.range.lowerBound && Int(file.tokens[token].end) <= type.body.lowerBound
        && ["private", "fileprivate"].contains(file.text(token))
    }
    guard let modifier else { return }
    let start = Int(file.tokens[modifier].start)
    let origin = ImportedText.Origin(file: type.file, line: library.line(type.file, start))
    guard let line = text.origins.firstIndex(of: origin) else { return }
    let word = file.text(modifier)
    text.rewrite(line: line) { TypeLibrary.removing(word, from: $0) }
    text.removeBlank(line: line)
    notes.append(library.note(.check, type, "'\(type.name)' is no longer private"))
  }

  /// Replaces a type alias with the aliased type.
  private mutating func spellOut(_ path: String, _ index: Int, _ line: Int) -> Bool {
    let name = path.split(separator: ".").first.map(String.init) ?? path
    guard !has(name), let alias = library.alias(name, in: version), alias.target != name,
      spelledOut.insert("\(index) \(line) \(name)").inserted
    else { return false }
    draft.declarations[index].rewrite(line: line) { TypeLibrary.replace([name: alias.target], in: $0) }
    notes.append(
      library.note(
        .hint, alias.file, alias.offset, "'\(name)' is replaced by '\(alias.target)': a schema has no type aliases"))
    return true
  }

  /// Removes a module name: `App.Trip` becomes `Trip`, `Foundation.Date` becomes `Date`.
  private mutating func leaveModule(_ path: String, _ index: Int, _ line: Int) -> Bool {
    guard let rest = library.withoutModule(path), !has(rest), spelledOut.insert("\(index) \(line) \(path)").inserted
    else {
      return false
    }
    draft.declarations[index].rewrite(line: line) { TypeLibrary.replace([path: rest], in: $0) }
    return true
  }

  /// Adds member types of structs and enums, which the compiler does not require.
  mutating func adoptParts(_ schema: ResolvedSchema?) -> Bool {
    guard let schema else { return false }
    let types =
      schema.structs.flatMap { $0.fields.map(\.type) }
      + schema.enums.flatMap { $0.cases.flatMap { $0.payload.map(\.type) } }
    var isNew = false
    for name in types.flatMap(\.opaqueTypes) { isNew = adopt(name, for: nil) || isNew }
    return isNew
  }

  /// - Parameter index: The index of the declaration that uses the type. The declaration's version determines which
  ///   types the name refers to.
  private mutating func adopt(_ path: String, for index: Int?) -> Bool {
    let versions = library.versions
    let version = index.flatMap { library.version(of: pieces[$0]) } ?? version
    let isWanted = { (type: SwiftDeclaration) in
      type.kind == .model || (type.kind == .valueEnum || type.kind == .structure) && !versions.contains(type.name)
    }
    // `Kind.open` can be a value of `Kind`.
    let shorter = path.split(separator: ".").dropLast().joined(separator: ".")
    guard
      let type = library.type(path, in: version, where: isWanted)
        ?? (shorter.isEmpty ? nil : library.type(shorter, in: version, where: isWanted)),
      !used.contains(TypeLibrary.Key(type)),
      !type.scopes.contains(where: { scope in pieces.contains { $0.name == scope } })
    else { return false }
    add(type)
    // A schema has no enclosing types.
    for start in type.scopes.indices {
      let path = (type.scopes[start...] + [type.name]).joined(separator: ".")
      self.shorter[path] = type.name
    }
    let words = self.shorter
    for index in draft.declarations.indices {
      draft.declarations[index].rewrite { TypeLibrary.replace(words, in: $0) }
    }
    if !library.isCodable(type), type.kind != .model {
      notes.append(library.note(.check, type, "'\(type.name)' is stored but is not declared Codable"))
    }
    return true
  }

  /// Returns the type names in a type expression: `[Trip.Kind]?` contains `Trip.Kind`.
  private static func typeNames(_ text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.map(String.init)
      .filter { $0.first.map { $0.isLetter || $0 == "_" } ?? false }
  }
}

extension ValueType {
  /// The names of types that are used here but that the schema does not declare.
  fileprivate var opaqueTypes: [String] {
    switch self {
    case .opaque(let name): name.split { !($0.isLetter || $0.isNumber || "_.".contains($0)) }.map(String.init)
    case .optional(let type), .array(let type), .set(let type): type.opaqueTypes
    case .dictionary(let key, let value): key.opaqueTypes + value.opaqueTypes
    case .scalar, .enumeration, .structure: []
    }
  }
}
