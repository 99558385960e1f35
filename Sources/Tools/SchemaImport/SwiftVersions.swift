import SchemaModel
import SchemaSyntax

/// The versions Swift source declares.
struct SwiftVersions {
  struct Version {
    /// The names of the types around the enum, and its own: `SchemaV1`.
    var path: [String]
    /// As it says.
    var number: SchemaVersion
    /// As they are named in `models`: `Trip`, `SchemaV1.Trip`.
    var models: [String]
    /// What stands in `models` and names no model.
    var unread: [String]
    var declaration: SwiftDeclaration

    var name: String { path.last ?? "" }
    var title: String { path.joined(separator: ".") }
  }

  /// In the order of their numbers, then of their names.
  private(set) var versions: [Version] = []
  /// Those that stand in one file twice; the first one is taken.
  private(set) var repeated: [SwiftDeclaration] = []

  init(_ declarations: [SwiftDeclaration], _ files: [SwiftFile]) {
    // The enum, an extension of it, or both may say what it is and what is in it.
    let parts = Dictionary(grouping: declarations, by: \.path)
    var lists: [[String]: ModelList] = [:]
    for declaration in declarations where declaration.conformances.contains("VersionedSchema") {
      let path = declaration.path
      guard !versions.contains(where: { $0.path == path }) else {
        if declaration.kind != .extensionOf { repeated.append(declaration) }
        continue
      }
      var number: SchemaVersion?
      var list = ModelList()
      for part in parts[path] ?? [] {
        let file = files[part.file]
        number = number ?? Self.number(part.bodyTokens.map { file.name($0) })
        if let found = ModelList(file, part.bodyTokens) { list = found }
      }
      lists[path] = list
      versions.append(
        Version(path: path, number: number ?? SchemaVersion(1, 0, 0), models: [], unread: [], declaration: declaration))
    }
    for index in versions.indices {
      let (models, unread) = models(of: versions[index].path, lists, depth: 0)
      versions[index].models = models
      versions[index].unread = unread
    }
    versions.sort { first, second in
      first.number == second.number ? first.title.isBefore(second.title) : first.number < second.number
    }
  }

  /// The version a name means, `V2` or `Notes.V2`, where it stands inside of some types.
  func version(_ name: [String], in scopes: [String]) -> Version? {
    versions.filter { $0.path.ends(with: name) }
      .max { $0.path.shared(with: scopes) < $1.path.shared(with: scopes) }
      // The name of the module may stand in front.
      ?? (name.count > 1 ? version(Array(name.dropFirst()), in: scopes) : nil)
  }

  /// With those of other versions, as in `V1.models + [Extra.self]`.
  private func models(
    of path: [String], _ lists: [[String]: ModelList], depth: Int
  ) -> ([String], unread: [String]) {
    guard let list = lists[path], depth < 32 else { return ([], []) }
    var models: [String] = []
    var unread = list.unread
    for entry in list.entries {
      switch entry {
      case .model(let path): models.append(path)
      case .modelsOf(let other):
        guard let version = version([other], in: path), version.path != path else {
          unread.append("\(other).models")
          continue
        }
        let theirs = self.models(of: version.path, lists, depth: depth + 1)
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
}

extension Array where Element: Equatable {
  /// How many elements stand in front of both.
  func shared(with other: [Element]) -> Int { zip(self, other).prefix { $0 == $1 }.count }

  func ends(with other: [Element]) -> Bool { count >= other.count && Array(suffix(other.count)) == other }
}

extension String {
  /// Whether it comes first where numbers in names count as numbers: `V9`, `V10`.
  func isBefore(_ other: String) -> Bool {
    func parts(_ text: String) -> [(word: String, number: Int)] {
      var parts: [(word: String, number: Int)] = [("", 0)]
      for character in text {
        if let digit = character.wholeNumberValue, character.isASCII {
          let (tens, isTooLarge) = parts[parts.count - 1].number.multipliedReportingOverflow(by: 10)
          parts[parts.count - 1].number = isTooLarge || tens > Int.max - digit ? Int.max : tens + digit
        } else if parts[parts.count - 1].number > 0 {
          parts.append((String(character), 0))
        } else {
          parts[parts.count - 1].word.append(character)
        }
      }
      return parts
    }
    let (mine, theirs) = (parts(self), parts(other))
    for (first, second) in zip(mine, theirs) {
      if first.word != second.word { return first.word < second.word }
      if first.number != second.number { return first.number < second.number }
    }
    return mine.count == theirs.count ? self < other : mine.count < theirs.count
  }
}
