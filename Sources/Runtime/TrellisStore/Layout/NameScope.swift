/// The names of one kind in one place of a database, where `Trip` and `trip` are the same.
struct NameScope {
  /// As ``folded(_:)`` gives them.
  private var names: Set<String> = []

  init(reserved: [String] = []) { for name in reserved { _ = take(name) } }

  /// Enters a name; false if it is taken.
  private mutating func take(_ name: String) -> Bool { names.insert(Self.folded(name)).inserted }

  /// The wanted name, or the first free one that looks like it.
  mutating func claim(_ wanted: String) -> String {
    // SQLite reserves names with this prefix.
    let isReserved = Self.folded(wanted).hasPrefix("sqlite_")
    if !isReserved, take(wanted) { return wanted }
    let wanted = isReserved ? "_" + wanted : wanted
    var name = wanted
    var number = 2
    while !take(name) {
      name = "\(wanted)_\(number)"
      number += 1
    }
    return name
  }

  /// The wanted name with as many underscores in front as it takes.
  mutating func claim(underscoring wanted: String) -> String {
    var name = wanted
    while !take(name) { name = "_" + name }
    return name
  }

  /// True if SQLite takes the names for one.
  static func areEqual(_ one: String, _ other: String) -> Bool { folded(one) == folded(other) }

  /// A name as SQLite compares it: it folds the letters of ASCII only.
  private static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { 65...90 ~= $0 ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
