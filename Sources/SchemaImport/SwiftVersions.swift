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
    for declaration in declarations {
      let file = files[declaration.file]
      if declaration.conformances.contains("VersionedSchema"), declaration.kind != .extensionOf {
        let words = declaration.bodyTokens.map { file.name($0) }
        versions.append(
          Version(
            name: declaration.name, number: Self.number(words) ?? SchemaVersion(1, 0, 0),
            models: Self.models(words), declaration: declaration))
      }
      if declaration.conformances.contains("SchemaMigrationPlan") { readStages(declaration, file) }
    }
    versions.sort { $0.number < $1.number }
  }

  /// `Schema.Version(1, 2, 0)`, also as `.init(1, 2, 0)`.
  private static func number(_ words: [String]) -> SchemaVersion? {
    guard let start = words.firstIndex(of: "versionIdentifier") else { return nil }
    let numbers = words[start...].prefix(24).compactMap { Int($0) }
    if numbers.count >= 3 { return SchemaVersion(numbers[0], numbers[1], numbers[2]) }
    // Three numbers with dots are one token.
    return words[start...].prefix(24).lazy.compactMap { SchemaVersion($0) }.first
  }

  /// `[Trip.self, SchemaV1.Item.self]` behind `models`.
  private static func models(_ words: [String]) -> [String] {
    guard let start = words.indices.first(where: { words[$0] == "models" && $0 > 0 && words[$0 - 1] == "var" })
    else { return [] }
    var found: [String] = []
    var path: [String] = []
    for index in (start + 1)..<words.count {
      let word = words[index]
      if word == "self", !path.isEmpty {
        found.append(path.joined(separator: "."))
        path = []
      } else if word == "." {
        continue
      } else if word.first.map({ $0.isLetter || $0 == "_" }) ?? false {
        if index > 0, words[index - 1] != "." { path = [] }
        path.append(word)
      } else if word == "}" , !found.isEmpty {
        break
      } else if word == "func" || word == "class" {
        break
      }
    }
    return found.filter { $0 != "PersistentModel" }
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
