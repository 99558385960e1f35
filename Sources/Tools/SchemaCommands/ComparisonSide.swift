import SchemaDriver
import SchemaModel
import SchemaVersions

extension Comparison {
  /// One side of a comparison.
  struct Side {
    let revision: Revision
    /// True if the schemas come from a revision or folder instead of a history.
    let isListed: Bool
    /// The listed schemas that have not been matched with a history yet.
    private(set) var rest: [ResolvedSchema]
    private let isAlone: Bool
    /// True if only released versions match.
    private let isReleased: Bool

    /// - Parameter other: The other side. If the other side is the head, an unreleased version is rejected, because it
    ///   would be the head too.
    init(
      _ revision: Revision, _ histories: [SchemaHistory], _ listed: [ResolvedSchema]?, against other: Revision
    ) throws(DriverFailure) {
      self.revision = revision
      isListed = listed != nil
      rest = listed ?? []
      isAlone = listed?.count == 1 && histories.count == 1
      isReleased = other == .head
      let frozen = histories.flatMap(\.frozen).map(\.version)
      switch revision {
      case .released:
        guard !frozen.isEmpty else { throw Self.nothing("no version of \(Self.names(histories)) has been released") }
      case .version(let version):
        guard !frozen.contains(version) else { break }
        let known = Set(frozen + histories.map(\.head.version)).sorted()
        guard known.contains(version) else {
          let list = known.map(\.description).joined(separator: ", ")
          throw DriverFailure(["error: no schema has version \(version); known versions are \(list)"], .usage)
        }
        let unreleased = Self.names(histories.filter { $0.head.version == version })
        if isReleased { throw Self.nothing("version \(version) of \(unreleased) has not been released") }
      case .head, .git, .path: break
      }
    }

    private static func nothing(_ reason: String) -> DriverFailure {
      DriverFailure(
        ["error: nothing to compare with: \(reason); release a version with 'trellis freeze'"], .usage)
    }

    private static func names(_ histories: [SchemaHistory]) -> String {
      Set(histories.map(\.head.name)).sorted().map { "'\($0)'" }.joined(separator: ", ")
    }

    /// Returns this side's schema for a history.
    mutating func take(_ history: SchemaHistory) -> ResolvedSchema? {
      switch revision {
      case .head: return history.head
      case .released: return history.frozen.last
      case .version(let version):
        return history.frozen.first { $0.version == version }
          ?? (history.head.version == version && !isReleased ? history.head : nil)
      case .git, .path:
        let head = history.head
        let alike = rest.indices.filter { rest[$0].name == head.name }
        // A single schema matches regardless of its name. If several schemas have the name, prefer the one at the same
        // location.
        let same = alike.first { Self.isSamePlace(rest[$0], head) } ?? (isAlone ? rest.indices.first : alike.first)
        return same.map { rest.remove(at: $0) }
      }
    }

    mutating func selectNamed(_ name: String) -> ResolvedSchema? {
      rest.firstIndex { $0.name == name }.map { rest.remove(at: $0) }
    }

    private static func isSamePlace(_ lhs: ResolvedSchema, _ rhs: ResolvedSchema) -> Bool {
      guard let first = lhs.files.first?.path, let second = rhs.files.first?.path else { return false }
      let path = first.hasPrefix("git:") ? first.split(separator: ":", maxSplits: 2).last ?? "" : first[...]
      return second == path || second.hasSuffix("/" + path)
    }
  }
}
