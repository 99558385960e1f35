import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// The `SchemaMigrationPlan` types of Swift source and their stages.
struct MigrationPlans {
  struct Plan {
    var name: String
    /// The versions in the order of `schemas`; nil if they cannot be parsed.
    var versions: [[String]]?
    var declaration: SwiftDeclaration
  }

  struct Stage {
    /// The old version's path; `to` is the new version's path.
    var from: [String]
    var to: [String]
    /// True if the stage has custom code.
    var isCustom: Bool
    /// The stage's source text.
    var text: String
    var file: Int
    var offset: Int
  }

  private(set) var plans: [Plan] = []
  /// Stages from plans, plan extensions and constants.
  private(set) var stages: [Stage] = []

  init(_ declarations: [SwiftDeclaration], _ files: [SwiftFile], _ found: SwiftVersions, _ library: TypeLibrary) {
    let parts = Dictionary(grouping: declarations, by: \.path)
    for declaration in declarations where declaration.conformances.contains("SchemaMigrationPlan") {
      guard !plans.contains(where: { $0.declaration.path == declaration.path }) else { continue }
      let lists = (parts[declaration.path] ?? []).compactMap {
        ModelList(files[$0.file], $0.bodyTokens, named: "schemas")
      }
      let names = lists.first?.entries.compactMap { entry in
        if case .model(let path) = entry { Self.version(path, declaration.path, found, library) } else { nil }
      }
      var versions: [[String]] = []
      for version in names ?? [] where !versions.contains(version.path) { versions.append(version.path) }
      plans.append(
        Plan(name: declaration.name, versions: versions.isEmpty ? nil : versions, declaration: declaration))
    }
    for index in files.indices { readStages(index, files[index], declarations, found, library) }
  }

  private static func version(
    _ path: String, _ scopes: [String], _ found: SwiftVersions, _ library: TypeLibrary
  ) -> SwiftVersions.Version? {
    var path = path
    for _ in 0..<8 {
      let parts = path.split(separator: ".").map(String.init)
      if let version = found.version(parts, in: scopes) { return version }
      guard let name = parts.last, let alias = library.alias(name, in: nil), alias.target != path else { return nil }
      path = alias.target
    }
    return nil
  }

  /// Parses `.lightweight(fromVersion: A.self, toVersion: B.self)` and `.custom(…)`.
  private mutating func readStages(
    _ index: Int, _ file: SwiftFile, _ declarations: [SwiftDeclaration], _ found: SwiftVersions, _ library: TypeLibrary
  ) {
    for token in file.tokens.indices {
      let word = file.text(token)
      guard word == "lightweight" || word == "custom", token + 1 < file.tokens.count,
        file.tokens[token + 1].kind == .leftParen, let close = file.closing(token + 1)
      else { continue }
      let offset = Int(file.tokens[token].start)
      let scopes = declarations.filter { $0.file == index && $0.body.contains(offset) }.max {
        $0.path.count < $1.path.count
      }
      func version(_ label: String) -> [String]? {
        guard let place = (token..<close).first(where: { file.text($0) == label }), place + 2 < close
        else { return nil }
        var name = file.name(place + 2)
        var next = place + 3
        while next + 1 < close, file.tokens[next].kind == .period, file.text(next + 1) != "self" {
          name += "." + file.name(next + 1)
          next += 2
        }
        return Self.version(name, scopes?.path ?? [], found, library)?.path
      }
      func isNil(_ label: String) -> Bool {
        guard let place = (token..<close).first(where: { file.text($0) == label }) else { return true }
        return place + 2 < close && file.text(place + 2) == "nil"
      }
      guard let from = version("fromVersion"), let to = version("toVersion") else { continue }
      let hasCode = !isNil("willMigrate") || !isNil("didMigrate")
      stages.append(
        Stage(
          from: from, to: to, isCustom: word == "custom" && hasCode,
          text: file.file.text(from: offset, to: Int(file.tokens[close].end)), file: index, offset: offset))
    }
  }
}
