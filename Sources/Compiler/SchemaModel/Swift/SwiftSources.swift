package import SchemaDiagnostics
import SchemaSyntax

/// The Swift files of a target that declares models in Swift.
package struct SwiftSources: Sendable {
  /// The schema files, one for each Swift file and enclosing type with models in it. Imports and models keep the byte
  /// offsets; spaces replace everything else.
  package private(set) var schemaFiles: [SourceFile] = []
  package private(set) var types = SwiftTypes()

  package init() {}

  /// - Parameters:
  ///   - files: All Swift files of the target.
  ///   - schemaName: The schema name for top-level models. Nested models use the enclosing type's name.
  package init(_ files: [SourceFile], schemaName: String) {
    let sources = files.map { ConditionalCompilation.resolved(SwiftFile($0)) }
    let scans = sources.enumerated().map { SwiftScan($1, index: $0) }
    let declarations = scans.flatMap(\.declarations)
    let models = declarations.filter { $0.kind == .model }
    guard !models.isEmpty else { return }
    types = SwiftTypes(declarations, scans.flatMap(\.aliases), sources, module: schemaName)
    let scopes = SwiftScopes(declarations, sources, types, schemaName: schemaName)
    for (source, scan) in zip(sources, scans) {
      let own = scan.declarations.filter { $0.kind == .model }
      for path in Set(own.map(\.scopes)).ordered(by: { $0.joined(separator: ".") < $1.joined(separator: ".") }) {
        // Models in a private extension are rejected, so they are kept apart from the type's remaining models.
        for isHidden in [false, true] {
          let models = own.filter { $0.scopes == path && $0.isHidden == isHidden }
          if models.isEmpty { continue }
          schemaFiles.append(
            Self.schemaFile(models, in: source, scan.declarations, scopes.scope(path, isHidden: isHidden)))
        }
      }
    }
  }

  /// True if a Swift file declares a model. `@Model` may also occur in strings and comments.
  package static func declaresModels(_ file: SourceFile) -> Bool {
    SwiftScan(ConditionalCompilation.resolved(SwiftFile(file)), index: 0).declarations.contains { $0.kind == .model }
  }

  private static func schemaFile(
    _ models: [SwiftDeclaration], in source: SwiftFile, _ declarations: [SwiftDeclaration], _ scope: SwiftScope
  ) -> SourceFile {
    let file = source.file
    var bytes = file.bytes.map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
    // The schema compiler rejects models inside `#if`, so the directives around them are kept.
    let isConditional = models.contains { model in
      declarations.contains { $0.condition != nil && $0.range.contains(model.range.lowerBound) }
    }
    let outermost = models.filter { model in
      !models.contains { $0.body.contains(model.range.lowerBound) }
    }
    for range in outermost.map(\.range) + imports(source)
      + (isConditional ? ConditionalCompilation.directives(source) : [])
    {
      bytes.replaceSubrange(range, with: file.bytes[range])
    }
    var scope = scope
    scope.assumesLatestMode = source.assumesLatestMode
    return SourceFile(path: file.path, bytes: bytes, swift: scope)
  }

  /// Returns the source ranges of imports, including attributes and access levels.
  private static func imports(_ source: SwiftFile) -> [Range<Int>] {
    func begins(_ index: Int) -> Bool { source.tokens[index].startsLine || source.tokens[index].kind == .semicolon }
    return source.tokens.indices.filter { source.tokens[$0].keyword == .import }.compactMap { index in
      var (first, last) = (index, index)
      while first > 0, !source.tokens[first].startsLine, source.tokens[first - 1].kind != .semicolon { first -= 1 }
      while last + 1 < source.tokens.count - 1, !begins(last + 1) { last += 1 }
      guard source.tokens[first].kind != .period else { return nil }
      if source.tokens[last + 1].kind == .semicolon { last += 1 }
      return Int(source.tokens[first].start)..<Int(source.tokens[last].end)
    }
  }
}

/// Assigns each model to a schema, depending on the types that enclose it.
private struct SwiftScopes {
  private let schemaName: String
  private let versions: [[String]: SchemaVersion]
  private let hidden: Set<[String]>
  private let types: SwiftTypes
  /// Types whose models belong to the top-level schema.
  private let joined: Set<[String]>
  /// The highest version that lists a top-level model.
  private let topVersion: SchemaVersion?

  init(_ declarations: [SwiftDeclaration], _ sources: [SwiftFile], _ types: SwiftTypes, schemaName: String) {
    self.schemaName = schemaName
    self.types = types
    let found = SwiftVersions(declarations, sources).versions
    versions = Dictionary(firstOf: found.map { ($0.path, $0.number) })
    hidden = Set(declarations.filter(\.isHidden).map(\.path))
    joined = Self.joined(declarations.filter { $0.kind == .model }, sources, types, versions: Set(versions.keys))
    let models = Set(declarations.filter { $0.kind == .model }.map(\.path))
    let numbers = found.filter { version in
      version.models.contains { models.contains([$0]) && !models.contains(version.path + [$0]) }
    }.map(\.number)
    topVersion = numbers.max()
  }

  /// Returns the types that are not versions, but contain models related to models outside the type.
  ///
  /// - Returns: An empty set if models in two of these types, or in one of them and at the top level, have the same
  ///   name, because they may be versions of the same model.
  private static func joined(
    _ models: [SwiftDeclaration], _ sources: [SwiftFile], _ types: SwiftTypes, versions: Set<[String]>
  ) -> Set<[String]> {
    func isPlain(_ scope: [String]) -> Bool { !scope.indices.contains { versions.contains(Array(scope[...$0])) } }
    var joined: Set<[String]> = []
    for model in models where isPlain(model.scopes) {
      let others = relatedScopes(of: model, sources[model.file], types).filter { $0 != model.scopes && isPlain($0) }
      if !others.isEmpty { joined.formUnion(others.union([model.scopes])) }
    }
    let members = Set(models.filter { $0.scopes.isEmpty || joined.contains($0.scopes) }.map(\.path))
    return Set(members.map { $0.last ?? "" }).count == members.count ? joined : []
  }

  /// Returns the enclosing types of the models that a model's declarations refer to.
  private static func relatedScopes(
    of model: SwiftDeclaration, _ source: SwiftFile, _ types: SwiftTypes
  ) -> Set<[String]> {
    var found: Set<[String]> = []
    var depth = 0
    var index = model.bodyTokens.lowerBound
    while index < model.bodyTokens.upperBound {
      switch source.tokens[index].kind {
      case .leftBrace: depth += 1
      case .rightBrace: depth -= 1
      case .identifier where depth == 0:
        var parts = [source.name(index)]
        while index + 2 < model.bodyTokens.upperBound, source.tokens[index + 1].kind == .period,
          source.tokens[index + 2].kind == .identifier
        {
          parts.append(source.name(index + 2))
          index += 2
        }
        if let path = types.model(parts, in: model.path) { found.insert(Array(path.dropLast())) }
      default: break
      }
      index += 1
    }
    return found
  }

  func scope(_ path: [String], isHidden: Bool) -> SwiftScope {
    let first = SchemaVersion(1, 0, 0)
    let top = (topVersion ?? first).description
    if path.isEmpty {
      return SwiftScope(schemaName: schemaName, version: top, isVersion: topVersion != nil, isHidden: isHidden)
    }
    let isHidden = isHidden || path.indices.contains { hidden.contains(Array(path[...$0])) }
    if joined.contains(path) {
      return SwiftScope(
        schemaName: schemaName, version: top, home: path, isVersion: topVersion != nil, isHidden: isHidden,
        access: types.access(of: path))
    }
    return SwiftScope(
      schemaName: path.joined(separator: "."), version: (versions[path] ?? first).description,
      path: path, isVersion: versions[path] != nil, isHidden: isHidden, access: types.access(of: path))
  }
}
