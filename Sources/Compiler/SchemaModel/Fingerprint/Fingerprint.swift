import SchemaDiagnostics
import SchemaSyntax

extension ResolvedSchema {
  /// Returns a fingerprint of the schema's content.
  ///
  /// Two schemas have the same fingerprint if and only if neither a store nor the generated API can distinguish them.
  ///
  /// The fingerprint ignores the version number, migrations, comments, layout, file structure and the bodies of carried
  /// Swift code. It also ignores the order of properties, cases and fields, because rows store values by name or raw
  /// value. The field order of a flattened struct counts, because its fields are columns.
  package func fingerprint() -> String { fingerprint(includingAPI: true) }

  /// Returns a fingerprint that ignores everything that only callers see: access levels, imports and default
  /// expressions.
  package func storageFingerprint() -> String { fingerprint(includingAPI: false) }

  private func fingerprint(includingAPI: Bool) -> String {
    var form = CanonicalForm(includesAPI: includingAPI)
    form.write(self)
    return SHA256.hexDigest(of: form.bytes)
  }
}

extension ResolvedSchema {
  /// Structs whose fields are stored as columns of a model.
  package var flattenedTypes: Set<String> {
    entities.reduce(into: []) { names, entity in
      for case .attribute(let attribute) in entity.properties where attribute.storage == .flattened {
        if case .structure(let name) = attribute.type.unwrapped { names.insert(name) }
      }
    }
  }
}

/// An unambiguous serialization: every string is preceded by its length, every list by its count.
private struct CanonicalForm {
  let includesAPI: Bool
  private(set) var bytes: [UInt8] = []
  /// Structs whose fields are columns.
  private var flattened: Set<String> = []

  init(includesAPI: Bool) {
    self.includesAPI = includesAPI
    write("trellis schema 1")
  }

  // Inlined into each other, these functions would take a tenth of the module's compile time.
  @inline(never)
  private mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { text in
      append(decimal: text.count)
      bytes.append(0x3A)
      bytes.append(contentsOf: text)
    }
  }

  private mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    bytes.append(0x30 + UInt8(number % 10))
  }

  @inline(never)
  private mutating func write(_ text: String?) {
    if let text {
      bytes.append(0x2B)
      write(text)
    } else {
      bytes.append(0x2D)
    }
  }

  @inline(never)
  private mutating func write(_ number: Int?) { write(number.map { String($0) }) }
  private mutating func write(_ flag: Bool) { bytes.append(flag ? 0x31 : 0x30) }

  private mutating func write<Element>(
    _ list: [Element], _ element: (inout Self, Element) -> Void
  ) {
    write("\(list.count)")
    for item in list { element(&self, item) }
  }

  @inline(never)
  private mutating func write(_ names: [String]) { write(names) { $0.write($1) } }

  @inline(never)
  private mutating func writeAPI(_ access: AccessLevel?) {
    if includesAPI { write(access?.rawValue) }
  }

  /// Writes a default expression as tokens, so that the layout is ignored.
  @inline(never)
  private mutating func writeAPI(_ text: SwiftText?) {
    guard includesAPI else { return }
    guard let text else { return write(nil as String?) }
    let file = SourceFile(path: "", text: text.text)
    let (tokens, _) = Lexer.lex(file, index: 0)
    write(tokens.filter { $0.kind != .endOfFile }) { form, token in
      form.write(file.text(from: Int(token.start), to: Int(token.end)))
    }
  }

  mutating func write(_ schema: ResolvedSchema) {
    flattened = schema.flattenedTypes
    write(schema.name)
    if includesAPI { write(Set(schema.imports.map(\.module)).ordered()) }
    write(schema.entities.ordered(by: \.name)) { $0.write($1) }
    write(schema.enums.ordered(by: \.name)) { $0.write($1) }
    write(schema.structs.ordered(by: \.name)) { $0.write($1) }
    write(schema.codings)
  }

  /// Writes the custom codings. Types with synthesized coding add nothing.
  private mutating func write(_ codings: [String: ResolvedCoding]) {
    guard !codings.isEmpty else { return }
    write("codings")
    write(codings.ordered { $0.key < $1.key }) { form, coding in
      form.write(coding.key)
      switch coding.value {
      case .names(let names):
        form.write("names")
        form.write(names.ordered { $0.key < $1.key }.flatMap { [$0.key, $0.value] })
      case .code(let digest, _):
        form.write("code")
        form.write(digest)
      }
    }
  }

  @inline(never)
  private mutating func write(_ entity: ResolvedEntity) {
    write(entity.name)
    write(entity.originalName)
    write(entity.superentity)
    if includesAPI { write(entity.conformances) }
    writeAPI(entity.access)
    write(entity.properties.ordered(by: \.name)) { form, property in
      switch property {
      case .attribute(let attribute): form.write(attribute)
      case .relationship(let relationship): form.write(relationship)
      }
    }
    let uniques = entity.uniques.ordered { $0.properties.lexicographicallyPrecedes($1.properties) }
    write(uniques) { form, unique in
      form.write(unique.properties)
      form.write(unique.policy.rawValue)
    }
    let indexes = entity.indexes.ordered { $0.properties.lexicographicallyPrecedes($1.properties) }
    write(indexes) { form, index in
      form.write(index.kind.rawValue)
      form.write(index.properties)
    }
  }

  @inline(never)
  private mutating func write(_ attribute: ResolvedAttribute) {
    write("attribute")
    write(attribute.name)
    write(attribute.originalName)
    write(attribute.hashModifier)
    write(attribute.type)
    write(attribute.options.map(\.rawValue).ordered())
    write(attribute.transformer)
    write(Self.storage(attribute))
    write(attribute.isTransient)
    if includesAPI { write(attribute.isLet) }
    writeAPI(attribute.defaultValue)
    writeAPI(attribute.access)
    writeAPI(attribute.setterAccess)
  }

  /// Returns the storage form, or `nil` if none is specified.
  private static func storage(_ attribute: ResolvedAttribute) -> String? {
    guard let unknown = attribute.unknown else { return attribute.storage?.rawValue }
    return "\(attribute.storage?.rawValue ?? "") unknown \(unknown.rawValue)"
  }

  @inline(never)
  private mutating func write(_ relationship: ResolvedRelationship) {
    write("relationship")
    write(relationship.name)
    write(relationship.originalName)
    write(relationship.hashModifier)
    write(relationship.destination)
    switch relationship.cardinality {
    case .toOne(let isOptional): write(isOptional ? "0..1" : "1")
    case .toMany(let isOptional): write(isOptional ? "0..*?" : "0..*")
    }
    write(relationship.deleteRule.rawValue)
    switch relationship.inverse {
    case .property(let name): write(name as String?)
    case .none: write(nil as String?)
    }
    // `nil` and 0 both mean unbounded.
    write(relationship.minimumCount ?? 0)
    write(relationship.maximumCount ?? 0)
    write(relationship.isOrdered)
    write(relationship.isUnique)
    writeAPI(relationship.defaultValue)
    writeAPI(relationship.access)
    writeAPI(relationship.setterAccess)
  }

  @inline(never)
  private mutating func write(_ value: ResolvedEnum) {
    write(value.name)
    write(value.rawType?.rawValue)
    if includesAPI { write(value.conformances) }
    writeAPI(value.access)
    write(value.cases.ordered(by: \.name)) { form, enumCase in
      form.write(enumCase.name)
      switch enumCase.rawValue {
      case .string(let text): form.write("string \(text)")
      case .integer(let number): form.write("integer \(number)")
      case .other(let text): form.write("other \(text)")
      case nil: form.write(nil as String?)
      }
      form.write(enumCase.payload) { form, field in
        form.write(field.label)
        form.write(field.type)
      }
    }
  }

  @inline(never)
  private mutating func write(_ value: ResolvedStruct) {
    write(value.name)
    if includesAPI { write(value.conformances) }
    writeAPI(value.access)
    write(flattened.contains(value.name) ? value.fields : value.fields.ordered(by: \.name)) { form, field in
      form.write(field.name)
      form.write(field.type)
      if form.includesAPI { form.write(field.isLet) }
      form.writeAPI(field.defaultValue)
    }
  }

  private mutating func write(_ type: ValueType) {
    switch type {
    case .scalar(let scalar): write("scalar \(scalar.rawValue)")
    case .enumeration(let name): write("enum \(name)")
    case .structure(let name): write("struct \(name)")
    case .opaque(let name): write("opaque \(name)")
    case .optional(let wrapped):
      write("optional")
      write(wrapped)
    case .array(let element):
      write("array")
      write(element)
    case .set(let element):
      write("set")
      write(element)
    case .dictionary(let key, let value):
      write("dictionary")
      write(key)
      write(value)
    }
  }
}
