import SchemaDriver
import SchemaModel
import SchemaVersions

extension Comparison {
  /// One side: what each schema has there.
  struct Side {
    let revision: Revision
    /// Whether the schemas were found in a revision or a folder, and not in a history.
    let isListed: Bool
    /// Of those the ones no history has asked for.
    private(set) var rest: [ResolvedSchema]
    private let isAlone: Bool

    init(_ revision: Revision, _ histories: [SchemaHistory], _ listed: [ResolvedSchema]?) throws(DriverFailure) {
      self.revision = revision
      isListed = listed != nil
      rest = listed ?? []
      isAlone = listed?.count == 1 && histories.count == 1
      switch revision {
      case .released:
        guard histories.contains(where: { !$0.frozen.isEmpty }) else {
          let names = Set(histories.map(\.head.name)).sorted().map { "'\($0)'" }.joined(separator: ", ")
          throw DriverFailure(
            ["error: no version of \(names) is released, so there is nothing to compare with"], .usage)
        }
      case .version(let version):
        let known = Set(histories.flatMap { $0.frozen + [$0.head] }.map(\.version)).sorted()
        guard known.contains(version) else {
          let list = known.map(\.description).joined(separator: ", ")
          throw DriverFailure(["error: no schema has a version \(version); there are \(list)"], .usage)
        }
      case .head, .git, .path: break
      }
    }

    /// What the schema of a history is on this side.
    mutating func take(_ history: SchemaHistory) -> ResolvedSchema? {
      switch revision {
      case .head: return history.head
      case .released: return history.frozen.last
      case .version(let version):
        return history.frozen.first { $0.version == version }
          ?? (history.head.version == version ? history.head : nil)
      case .git, .path:
        let head = history.head
        let alike = rest.indices.filter { rest[$0].name == head.name }
        // One on each side is compared whatever its name; of several of a name, the one in the same place.
        let same = alike.first { Self.isSamePlace(rest[$0], head) } ?? (isAlone ? rest.indices.first : alike.first)
        return same.map { rest.remove(at: $0) }
      }
    }

    mutating func takeNamed(_ name: String) -> ResolvedSchema? {
      rest.firstIndex { $0.name == name }.map { rest.remove(at: $0) }
    }

    private static func isSamePlace(_ lhs: ResolvedSchema, _ rhs: ResolvedSchema) -> Bool {
      guard let first = lhs.files.first?.path, let second = rhs.files.first?.path else { return false }
      let path = first.hasPrefix("git:") ? first.split(separator: ":", maxSplits: 2).last ?? "" : first[...]
      return second == path || second.hasSuffix("/" + path)
    }
  }
}
