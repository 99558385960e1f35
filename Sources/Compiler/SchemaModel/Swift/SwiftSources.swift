package import SchemaDiagnostics
import SchemaSyntax

/// The Swift files of a target that declares models in them.
package struct SwiftSources: Sendable {
  /// A schema file for each type with models in each file: the imports and the models, each byte at its place, and
  /// spaces for everything else.
  package private(set) var schemaFiles: [SourceFile] = []
  package private(set) var types = SwiftTypes()

  package init() {}

  /// - Parameters:
  ///   - files: All Swift files of the target.
  ///   - schemaName: The schema of models at the top level. Those in a type have a schema of the type's name.
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
        // Models in a private extension are refused, others of the same type are not.
        for isHidden in [false, true] {
          let models = own.filter { $0.scopes == path && $0.isHidden == isHidden }
          if models.isEmpty { continue }
          schemaFiles.append(
            Self.schemaFile(models, in: source, scan.declarations, scopes.scope(path, isHidden: isHidden)))
        }
      }
    }
  }

  /// Whether a Swift file declares a model. A text or a comment may contain `@Model` as well.
  package static func declaresModels(_ file: SourceFile) -> Bool {
    SwiftScan(ConditionalCompilation.resolved(SwiftFile(file)), index: 0).declarations.contains { $0.kind == .model }
  }

  private static func schemaFile(
    _ models: [SwiftDeclaration], in source: SwiftFile, _ declarations: [SwiftDeclaration], _ scope: SwiftScope
  ) -> SourceFile {
    let file = source.file
    var bytes = file.bytes.map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
    // The compiler of schemas refuses models that exist under a condition only.
    let isConditional = models.contains { model in
      declarations.contains { $0.condition != nil && $0.range.contains(model.range.lowerBound) }
    }
    let outermost = models.filter { model in
      !models.contains { $0.body.contains(model.range.lowerBound) }
    }
    for range in outermost.map(\.range) + imports(source) + (isConditional ? conditions(source) : []) {
      bytes.replaceSubrange(range, with: file.bytes[range])
    }
    return SourceFile(path: file.path, bytes: bytes, swift: scope)
  }

  /// The directives of conditional compilation.
  private static func conditions(_ source: SwiftFile) -> [Range<Int>] {
    source.tokens.indices.filter { ["#if", "#elseif", "#else", "#endif"].contains(source.text($0)) }.map { index in
      var last = index
      while last + 1 < source.tokens.count - 1, !source.tokens[last + 1].startsLine { last += 1 }
      return Int(source.tokens[index].start)..<Int(source.tokens[last].end)
    }
  }

  /// The imports with their attributes and access levels.
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

/// The schemas of models by the types around them.
private struct SwiftScopes {
  private let schemaName: String
  private let versions: [[String]: SchemaVersion]
  private let hidden: Set<[String]>
  private let types: SwiftTypes
  /// The highest version that lists a model at the top level.
  private let topVersion: SchemaVersion

  init(_ declarations: [SwiftDeclaration], _ sources: [SwiftFile], _ types: SwiftTypes, schemaName: String) {
    self.schemaName = schemaName
    self.types = types
    let found = SwiftVersions(declarations, sources).versions
    versions = Dictionary(found.map { ($0.path, $0.number) }, uniquingKeysWith: { first, _ in first })
    hidden = Set(declarations.filter(\.isHidden).map(\.path))
    let models = Set(declarations.filter { $0.kind == .model }.map(\.path))
    let numbers = found.filter { version in
      version.models.contains { models.contains([$0]) && !models.contains(version.path + [$0]) }
    }.map(\.number)
    topVersion = numbers.max() ?? SchemaVersion(1, 0, 0)
  }

  func scope(_ path: [String], isHidden: Bool) -> SwiftScope {
    if path.isEmpty { return SwiftScope(schemaName: schemaName, version: topVersion.description, isHidden: isHidden) }
    return SwiftScope(
      schemaName: path.joined(separator: "."), version: (versions[path] ?? SchemaVersion(1, 0, 0)).description,
      path: path, isVersion: versions[path] != nil,
      isHidden: isHidden || path.indices.contains { hidden.contains(Array(path[...$0])) },
      access: types.access(of: path))
  }
}
