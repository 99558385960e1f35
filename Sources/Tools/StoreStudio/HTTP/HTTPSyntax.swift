/// The grammar of names, targets and percent escapes.
enum HTTPSyntax {
  /// True for method names and header names.
  static func isToken(_ bytes: some Collection<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isTokenByte) }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Returns the text without percent escapes, or nil if an escape is incomplete or the result is not UTF-8 or contains
  /// NUL.
  static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else { return nil }
        result.append(high << 4 | low)
      } else {
        result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return result.contains(0) ? nil : String(validating: result, as: UTF8.self)
  }

  /// Returns the value of a hexadecimal digit.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// The target of a request: `/path?query`, or the same after `http://host`.
struct HTTPTarget {
  /// The host of an absolute target, which must equal the header `Host`.
  var host: String?
  var path: [String]
  var query: HTTPQuery

  /// Returns nil for a target that the server must reject.
  init?(_ bytes: some Collection<UInt8>) {
    // Browsers escape everything else, and never send the fragment.
    guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else { return nil }
    var rest = Array(bytes)[...]
    let scheme = Array("http://".utf8)
    if rest.starts(with: scheme) {
      rest = rest.dropFirst(scheme.count)
      let name = rest.prefix { $0 != UInt8(ascii: "/") }
      rest = rest.dropFirst(name.count)
      host = String(decoding: name, as: UTF8.self)
    }
    guard rest.popFirst() == UInt8(ascii: "/") else { return nil }
    let parts = rest.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let path = Self.path(first), let query = Self.query(parts.dropFirst().first ?? [])
    else { return nil }
    self.path = path
    self.query = query
  }

  private static func path(_ bytes: ArraySlice<UInt8>) -> [String]? {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var path: [String] = []
    for (index, part) in parts.enumerated() {
      guard let component = HTTPSyntax.decoded(part), isAllowed(component),
        !component.isEmpty || index == parts.count - 1
      else { return nil }
      path.append(component)
    }
    return path
  }

  /// False for components that have another meaning in file paths. Values with these characters belong in the query.
  private static func isAllowed(_ component: String) -> Bool {
    component != "." && component != ".."
      && !component.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
  }

  private static func query(_ bytes: ArraySlice<UInt8>) -> HTTPQuery? {
    var query = HTTPQuery()
    for item in bytes.split(separator: UInt8(ascii: "&")) {
      let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = HTTPSyntax.decoded(parts.first ?? [], plusIsSpace: true),
        let value = HTTPSyntax.decoded(parts.dropFirst().first ?? [], plusIsSpace: true)
      else { return nil }
      query.append(name, value)
    }
    return query
  }
}
