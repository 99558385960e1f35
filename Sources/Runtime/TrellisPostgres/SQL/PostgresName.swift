import Trellis

/// Names of tables, columns, indexes and sequences.
///
/// Every name in a statement goes through ``quoted(_:)``.
package enum PostgresName {
  /// The maximum length of a name on the server, in bytes. The server silently truncates longer names.
  private static let longest = 63

  /// Separates the schema from the table name; not valid in a Swift name.
  static let separator: Character = "\u{1F}"

  /// The system columns of every table.
  private static let system: Set = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  /// A name, or a schema and a name, in double quotes.
  static func quoted(_ name: String) -> String {
    name.split(separator: separator, omittingEmptySubsequences: false).map { part in
      SQLFragment.quoted(shortened(String(part)))
    }.joined(separator: ".")
  }

  /// Checks a database schema name that the caller has chosen.
  ///
  /// - Throws: ``PostgresError/Code/invalidConfiguration``.
  static func checkSchema(_ name: String) throws {
    guard name.isEmpty || name.utf8.contains(0) || name.contains(separator) else { return }
    throw PostgresError(
      .invalidConfiguration,
      "'schemaName' must not be empty or contain U+0000 or U+001F: choose a different name"
    )
  }

  /// Returns the name in the database. A name that is too long is cut and ends with a hash, so that two long names
  /// remain different.
  package static func shortened(_ name: String) -> String {
    // A name cannot contain U+0000.
    let name = name.utf8.contains(0) ? name.split(separator: "\0").joined(separator: "␀") : name
    // Appends "$" to a system column's name, and also to such a name that already ends with "$", so that all names
    // remain different.
    let stem = name.prefix { $0 != "$" }
    if system.contains(String(stem)), name[stem.endIndex...].allSatisfy({ $0 == "$" }) { return name + "$" }
    guard name.utf8.count > longest else { return name }
    let suffix = "~" + hash(name)
    var head = ""
    for character in name.unicodeScalars {
      guard head.utf8.count + String(character).utf8.count + suffix.utf8.count <= longest else { break }
      head.unicodeScalars.append(character)
    }
    return head + suffix
  }

  /// The FNV-1a hash of the bytes, in hexadecimal. The algorithm must never change, because names in databases contain
  /// the hash.
  private static func hash(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
