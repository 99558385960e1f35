import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// The emission plans of a schema's released versions, which contain the stored values but none of the app's code.
struct ReleasedPlans {
  let history: SchemaHistory
  /// Oldest first, without the head.
  let plans: [SchemaPlan]

  init(_ history: SchemaHistory, _ input: EmissionInput, lines: [LineTable]) {
    self.history = history
    plans = history.older.map { version in
      SchemaPlan(version, of: history, input, lines: lines)
    }
  }
}

extension ResolvedSchema {
  /// Returns the schema without functions, initializers and transient properties, which may use code that the app no
  /// longer contains.
  /// - Parameter rules: The access rules for the version's types, which have the configured access.
  func withoutCode(_ rules: AccessRules) -> ResolvedSchema {
    var schema = self
    for index in schema.entities.indices {
      var entity = schema.entities[index]
      entity.carriedMembers = entity.staticsOfDefaults
      if rules.type(entity.access) > rules.type(nil) { entity.access = nil }
      entity.carriedInitializers = []
      entity.conformances = []
      entity.documentation = []
      entity.properties = entity.properties.filter { property in
        guard case .attribute(let attribute) = property else { return true }
        return !attribute.isTransient
      }
      schema.entities[index] = entity
    }
    return schema
  }
}

extension ResolvedEntity {
  /// The static members that default values use.
  fileprivate var staticsOfDefaults: [SwiftText] {
    guard !carriedMembers.isEmpty else { return [] }
    var wanted = Set(
      properties.flatMap { property -> [String] in
        guard case .attribute(let attribute) = property, let value = attribute.defaultValue else { return [] }
        return Self.words(value.text)
      })
    var kept: Set<Int> = []
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (index, member) in carriedMembers.enumerated() where !kept.contains(index) {
        let words = Self.words(member.text)
        guard let word = words.firstIndex(where: { $0 == "let" || $0 == "var" }), words[..<word].contains("static"),
          word + 1 < words.count, wanted.contains(words[word + 1])
        else { continue }
        kept.insert(index)
        wanted.formUnion(words[(word + 2)...])
        isGrowing = true
      }
    }
    return carriedMembers.indices.filter(kept.contains).map { carriedMembers[$0] }
  }

  private static func words(_ text: String) -> [String] {
    let file = SourceFile(path: "", text: text)
    return Lexer.lex(file, index: 0).0.filter { $0.kind == .identifier }
      .map { file.text(from: Int($0.start), to: Int($0.end)) }
  }
}
