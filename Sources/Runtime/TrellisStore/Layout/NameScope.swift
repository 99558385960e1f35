/// Unique, case-insensitive database names: `Trip` and `trip` collide.
struct NameScope {
  /// Names in the form that ``folded(_:)`` returns.
  private var names: Set<String> = []

  init(reserved: [String] = []) { for name in reserved { _ = take(name) } }

  /// Reserves a name; returns false if it is taken.
  private mutating func take(_ name: String) -> Bool { names.insert(Self.folded(name)).inserted }

  /// Reserves the wanted name, or the first free name with a numeric suffix.
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

  /// Reserves the wanted name, prefixed with as many underscores as needed.
  mutating func claim(underscoring wanted: String) -> String {
    var name = wanted
    while !take(name) { name = "_" + name }
    return name
  }

  /// Returns true if SQLite treats the names as equal.
  static func areEqual(_ one: String, _ other: String) -> Bool { folded(one) == folded(other) }

  /// Returns the name as SQLite compares it: only ASCII letters are folded.
  private static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { 65...90 ~= $0 ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
