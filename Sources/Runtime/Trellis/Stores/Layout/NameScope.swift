/// The names of one kind in one place of a database, where `Trip` and `trip` are the same.
struct NameScope {
  // A table of our own: most scopes have ten names, and each is looked for once.
  private var names: [Name] = []
  /// Positions in `names`, one higher, in the places their numbers lead to; 0 where there is none.
  private var places = [Int32](repeating: 0, count: 32)

  init(reserved: [String] = []) { for name in reserved { _ = take(name) } }

  /// Enters a name; false when it is taken.
  private mutating func take(_ text: String) -> Bool {
    let name = Name(text)
    let place = place(of: name)
    guard places[place] == 0 else { return false }
    names.append(name)
    places[place] = Int32(names.count)
    if names.count * 2 > places.count { grow() }
    return true
  }

  /// Where the name is, or would be.
  private func place(of name: Name) -> Int {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: name.number) & mask
    while places[place] != 0, names[Int(places[place]) - 1] != name { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    places = [Int32](repeating: 0, count: places.count * 4)
    for (index, name) in names.enumerated() { places[place(of: name)] = Int32(index + 1) }
  }

  /// The wanted name, or the first free one that looks like it.
  mutating func claim(_ wanted: String) -> String {
    // Names that begin so belong to SQLite.
    let isReserved = Self.begins(wanted, with: "sqlite_")
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

  /// Whether SQLite takes the names for one.
  static func areEqual(_ one: String, _ other: String) -> Bool { Name(one) == Name(other) }

  private static func begins(_ name: String, with prefix: StaticString) -> Bool {
    guard name.utf8.count >= prefix.utf8CodeUnitCount else { return false }
    for (offset, byte) in name.utf8.prefix(prefix.utf8CodeUnitCount).enumerated()
    where Name.folded(byte) != prefix.utf8Start[offset] { return false }
    return true
  }

  /// A name as SQLite compares it: it folds the letters of ASCII only.
  private struct Name: Equatable {
    let text: String
    /// Of the folded text; the same for all names that are not ASCII, which are compared as Swift does.
    let number: UInt64
    private let isASCII: Bool

    init(_ text: String) {
      var text = text
      var number: UInt64 = 0xcbf2_9ce4_8422_2325
      var bits: UInt8 = 0
      text.withUTF8 { bytes in
        for byte in bytes {
          number = (number ^ UInt64(Self.folded(byte))) &* 0x0000_0100_0000_01b3
          bits |= byte
        }
      }
      isASCII = bits < 0x80
      self.text = isASCII ? text : Self.folded(text)
      // The number may differ between texts that are equal.
      self.number = isASCII ? number : 0
    }

    @inline(__always) static func folded(_ byte: UInt8) -> UInt8 {
      65...90 ~= byte ? byte + 32 : byte
    }

    private static func folded(_ name: String) -> String {
      String(decoding: name.utf8.map { folded($0) as UInt8 }, as: UTF8.self)
    }

    static func == (lhs: Name, rhs: Name) -> Bool {
      guard lhs.isASCII, rhs.isASCII else { return lhs.text == rhs.text }
      guard lhs.number == rhs.number, lhs.text.utf8.count == rhs.text.utf8.count else { return false }
      return zip(lhs.text.utf8, rhs.text.utf8).allSatisfy { folded($0) as UInt8 == folded($1) }
    }
  }
}
