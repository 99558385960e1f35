import SchemaDiagnostics
package import SchemaSyntax

/// The schema versions that Swift source declares.
package struct SwiftVersions {
  package struct Version {
    /// The qualified name of the enum, for example `SchemaV1`.
    package var path: [String]
    /// The declared number.
    package var number: SchemaVersion
    /// The models as written in `models`, for example `Trip` or `SchemaV1.Trip`.
    package var models: [String]
    /// The parts of `models` that are not model names.
    package var unread: [String]
    package var declaration: SwiftDeclaration

    package var name: String { path.last ?? "" }
    package var title: String { path.joined(separator: ".") }
  }

  /// The versions, sorted by number and name.
  package private(set) var versions: [Version] = []
  /// Versions declared twice in a file. The first declaration is used.
  package private(set) var repeated: [SwiftDeclaration] = []

  package init(_ declarations: [SwiftDeclaration], _ files: [SwiftFile]) {
    // The enum and its extensions can each declare the conformance and the contents.
    let parts = declarations.grouped(by: \.path)
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
    versions = versions.ordered { first, second in
      first.number == second.number ? first.title.isBefore(second.title) : first.number < second.number
    }
  }

  /// Returns the version for a name such as `V2` or `Notes.V2`, as seen from nested types.
  package func version(_ name: [String], in scopes: [String]) -> Version? {
    versions.filter { $0.path.ends(with: name) }
      .max { $0.path.shared(with: scopes) < $1.path.shared(with: scopes) }
      // The name can start with a module name.
      ?? (name.count > 1 ? version(Array(name.dropFirst()), in: scopes) : nil)
  }

  /// Returns a version's models, including those taken from other versions, as in `V1.models + [Extra.self]`.
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

  /// Parses `Schema.Version(1, 2, 0)` and `.init(1, 2, 0)`.
  private static func number(_ words: [String]) -> SchemaVersion? {
    guard let start = words.firstIndex(of: "versionIdentifier") else { return nil }
    let numbers = words[start...].prefix(24).compactMap { Int($0) }
    if numbers.count >= 3 { return SchemaVersion(numbers[0], numbers[1], numbers[2]) }
    // The lexer reads three numbers with periods as a single token.
    return words[start...].prefix(24).lazy.compactMap { SchemaVersion($0) }.first
  }
}

extension Array where Element: Equatable {
  /// Returns the length of the common prefix.
  package func shared(with other: [Element]) -> Int { zip(self, other).prefix { $0 == $1 }.count }

  package func ends(with other: [Element]) -> Bool { count >= other.count && Array(suffix(other.count)) == other }
}

extension String {
  /// Compares numbers in the names by value, so that `V9` comes before `V10`.
  package func isBefore(_ other: String) -> Bool {
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
