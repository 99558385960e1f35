package import SchemaModel

/// `versions/<Schema>.lock`, with a line for each released version.
///
/// The file can be rebuilt from the frozen files. It reveals edits to a frozen version and causes a merge conflict if
/// two branches release the same number.
package struct VersionLock: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var version: SchemaVersion
    /// The fingerprint of the version's content, see ``ResolvedSchema/fingerprint()``.
    package var fingerprint: String
    /// Names that only the previous version declares: `Trip`, `Trip.nickname`.
    package var retired: [String]
    /// The line number, counted from 1.
    package var line: Int

    package init(version: SchemaVersion, fingerprint: String, retired: [String] = [], line: Int = 0) {
      self.version = version
      self.fingerprint = fingerprint
      self.retired = retired
      self.line = line
    }

    package static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.version == rhs.version && lhs.fingerprint == rhs.fingerprint && lhs.retired == rhs.retired
    }
  }

  package var entries: [Entry]
  /// The numbers of unreadable lines.
  package private(set) var malformed: [Int] = []

  package init(_ entries: [Entry]) { self.entries = entries }

  private static let heading =
    "# Released versions. Commit this file; 'trellis verify --rebuild-lock' makes it again."

  package init(text: String) {
    entries = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard words.count >= 2, let version = SchemaVersion(first), words[1].utf8.count == 64,
        words.count == 2 || words[2] == "retired"
      else {
        malformed.append(index + 1)
        continue
      }
      entries.append(
        Entry(
          version: version, fingerprint: words[1], retired: Array(words.dropFirst(3)), line: index + 1))
    }
  }

  package var text: String {
    let lines = entries.map { entry in
      let retired = entry.retired.isEmpty ? "" : " retired " + entry.retired.joined(separator: " ")
      return "\(entry.version) \(entry.fingerprint)\(retired)"
    }
    return ([Self.heading] + lines).joined(separator: "\n") + "\n"
  }
}
