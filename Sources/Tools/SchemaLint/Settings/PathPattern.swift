/// A glob pattern for paths. `*` matches any text within a path component, `**` any number of components, and `?` a
/// single character.
///
/// A pattern that contains no slash applies to the file name, a pattern that contains a slash to the end of the path.
package struct PathPattern: Sendable, Hashable {
  package let text: String
  private let parts: [Substring.UTF8View.SubSequence]

  package init(_ text: String) {
    self.text = text
    parts = text.utf8.split(separator: UInt8(ascii: "/"))
  }

  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.text == rhs.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  package func matches(_ path: String) -> Bool {
    let names = path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
    if text.hasPrefix("/") { return Self.matches(names[...], parts[...]) }
    // Match from any folder to the end.
    return names.indices.contains { Self.matches(names[$0...], parts[...]) }
  }

  private static func matches(
    _ names: ArraySlice<Substring.UTF8View>, _ parts: ArraySlice<Substring.UTF8View>
  ) -> Bool {
    // The possible ends for each part of the pattern.
    var ends: Set<Int> = [names.startIndex]
    for part in parts {
      var next: Set<Int> = []
      if part.elementsEqual("**".utf8) {
        if let first = ends.min() { next.formUnion(first...names.endIndex) }
      } else {
        for end in ends where end < names.endIndex && fits(names[end], part) { next.insert(end + 1) }
      }
      ends = next
    }
    // The whole path must match: a pattern that names only a folder does not apply to the folder's contents.
    return ends.contains(names.endIndex)
  }

  private static func fits(_ name: Substring.UTF8View, _ pattern: Substring.UTF8View) -> Bool {
    let name = Array(name), pattern = Array(pattern)
    var place = 0, next = 0
    var star: (pattern: Int, name: Int)?
    while place < name.count {
      if next < pattern.count, pattern[next] == UInt8(ascii: "?") || pattern[next] == name[place],
        pattern[next] != UInt8(ascii: "*")
      {
        place += 1
        next += 1
      } else if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
        star = (next, place)
        next += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        place = last.name + 1
        next = last.pattern + 1
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
