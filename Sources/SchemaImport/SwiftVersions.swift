import SchemaModel
import SchemaSyntax

/// The versions Swift source declares, and how one becomes the next.
struct SwiftVersions {
  struct Version {
    /// The enum: `SchemaV1`.
    var name: String
    var number: SchemaVersion
    /// As they are named in `models`: `Trip`, `SchemaV1.Trip`.
    var models: [String]
    /// What stands in `models` and names no model.
    var unread: [String]
    var declaration: SwiftDeclaration
  }

  struct Stage {
    var from: String
    var to: String
    var isCustom: Bool
    var file: Int
    var offset: Int
  }

  private(set) var versions: [Version] = []
  private(set) var stages: [Stage] = []

  init(_ declarations: [SwiftDeclaration], _ files: [SwiftFile]) {
    // The enum, an extension of it, or both may say what it is and what is in it.
    let parts = Dictionary(grouping: declarations, by: \.name)
    var lists: [String: ModelList] = [:]
    for declaration in declarations where declaration.conformances.contains("VersionedSchema") {
      guard !versions.contains(where: { $0.name == declaration.name }) else { continue }
      var number: SchemaVersion?
      var list = ModelList()
      for part in parts[declaration.name] ?? [] {
        let file = files[part.file]
        number = number ?? Self.number(part.bodyTokens.map { file.name($0) })
        if let found = ModelList(file, part.bodyTokens) { list = found }
      }
      lists[declaration.name] = list
      versions.append(
        Version(
          name: declaration.name, number: number ?? SchemaVersion(1, 0, 0), models: [], unread: [],
          declaration: declaration))
    }
    for index in versions.indices {
      let (models, unread) = Self.models(of: versions[index].name, lists, depth: 0)
      versions[index].models = models
      versions[index].unread = unread
    }
    for declaration in declarations where declaration.conformances.contains("SchemaMigrationPlan") {
      readStages(declaration, files[declaration.file])
      for part in parts[declaration.name] ?? [] where part.kind == .extensionOf && !part.conformances.contains("SchemaMigrationPlan") {
        readStages(part, files[part.file])
      }
    }
    versions.sort { $0.number < $1.number }
  }

  /// With those of other versions, as in `V1.models + [Extra.self]`.
  private static func models(
    of version: String, _ lists: [String: ModelList], depth: Int
  ) -> ([String], unread: [String]) {
    guard let list = lists[version], depth < 32 else { return ([], []) }
    var models: [String] = []
    var unread = list.unread
    for entry in list.entries {
      switch entry {
      case .model(let path): models.append(path)
      case .modelsOf(let other):
        guard lists[other] != nil, other != version else {
          unread.append("\(other).models")
          continue
        }
        let theirs = Self.models(of: other, lists, depth: depth + 1)
        models += theirs.0.map { $0.contains(".") ? $0 : "\(other).\($0)" }
        unread += theirs.unread
      }
    }
    return (models, unread)
  }

  /// `Schema.Version(1, 2, 0)`, also as `.init(1, 2, 0)`.
  private static func number(_ words: [String]) -> SchemaVersion? {
    guard let start = words.firstIndex(of: "versionIdentifier") else { return nil }
    let numbers = words[start...].prefix(24).compactMap { Int($0) }
    if numbers.count >= 3 { return SchemaVersion(numbers[0], numbers[1], numbers[2]) }
    // Three numbers with dots are one token.
    return words[start...].prefix(24).lazy.compactMap { SchemaVersion($0) }.first
  }

  /// `.lightweight(fromVersion: A.self, toVersion: B.self)` and `.custom(…)`.
  private mutating func readStages(_ declaration: SwiftDeclaration, _ file: SwiftFile) {
    for token in declaration.bodyTokens {
      let word = file.text(token)
      guard word == "lightweight" || word == "custom", token + 1 < declaration.bodyTokens.upperBound,
        file.tokens[token + 1].kind == .leftParen, let close = file.closing(token + 1)
      else { continue }
      func version(_ label: String) -> String? {
        guard let place = (token..<close).first(where: { file.text($0) == label }), place + 2 < close
        else { return nil }
        var name = file.name(place + 2)
        var next = place + 3
        while next + 1 < close, file.tokens[next].kind == .period, file.text(next + 1) != "self" {
          name = file.name(next + 1)
          next += 2
        }
        return name
      }
      guard let from = version("fromVersion"), let to = version("toVersion") else { continue }
      stages.append(
        Stage(from: from, to: to, isCustom: word == "custom", file: declaration.file, offset: Int(file.tokens[token].start)))
    }
  }
}
