/// The names of one kind in one place of a database, where `Trip` and `trip` are the same.
struct NameScope {
  private var taken: Set<String> = []

  init(reserved: [String] = []) { taken = Set(reserved.map(Self.folded)) }

  /// The wanted name, or the first free one that looks like it.
  mutating func claim(_ wanted: String) -> String {
    let folded = Self.folded(wanted)
    // Names that begin so belong to SQLite.
    let isReserved = folded.utf8.starts(with: "sqlite_".utf8)
    if !isReserved, taken.insert(folded).inserted { return wanted }
    let wanted = isReserved ? "_" + wanted : wanted
    var name = wanted
    var number = 2
    while !taken.insert(Self.folded(name)).inserted {
      name = "\(wanted)_\(number)"
      number += 1
    }
    return name
  }

  /// The wanted name with as many underscores in front as it takes.
  mutating func claim(underscoring wanted: String) -> String {
    var name = wanted
    while !taken.insert(Self.folded(name)).inserted { name = "_" + name }
    return name
  }

  /// SQLite folds the letters of ASCII only.
  static func folded(_ name: String) -> String {
    if !name.utf8.contains(where: { 65...90 ~= $0 }) { return name }
    return String(decoding: name.utf8.map { 65...90 ~= $0 ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
