import Trellis

/// A kind of relationship with functions that connect, disconnect and inspect its ends.
struct RelationshipKind: Sendable, CustomStringConvertible {
  let description: String
  let make: @Sendable () -> (any PersistentModel, any PersistentModel)
  /// Connects the ends through the first or the second end.
  let joins: [@Sendable (any PersistentModel, any PersistentModel) -> Void]
  let part: @Sendable (any PersistentModel, any PersistentModel) -> Void
  /// Returns whether the first end contains the second, and the second contains the first.
  let sees: @Sendable (any PersistentModel, any PersistentModel) -> (Bool, Bool)

  init<L: PersistentModel, R: PersistentModel>(
    _ description: String, _ make: @escaping @Sendable () -> (L, R),
    first: @escaping @Sendable (L, R) -> Void, second: @escaping @Sendable (L, R) -> Void,
    part: @escaping @Sendable (L, R) -> Void, sees: @escaping @Sendable (L, R) -> (Bool, Bool)
  ) {
    self.description = description
    self.make = { make() }
    func open(
      _ body: @escaping @Sendable (L, R) -> Void
    ) -> @Sendable (any PersistentModel, any PersistentModel) -> Void {
      { first, second in
        guard let first = first as? L, let second = second as? R else { return }
        body(first, second)
      }
    }
    joins = [open(first), open(second)]
    self.part = open(part)
    self.sees = { first, second in
      guard let first = first as? L, let second = second as? R else { return (false, false) }
      return sees(first, second)
    }
  }

  static let all: [RelationshipKind] = [
    RelationshipKind(
      "one to one, its own inverse", { (Person(name: "l"), Person(name: "r")) },
      first: { $0.spouse = $1 }, second: { $1.spouse = $0 }, part: { l, _ in l.spouse = nil },
      sees: { ($0.spouse === $1, $1.spouse === $0) }),
    RelationshipKind(
      "one to one", { (Badge(code: "l"), Holder(name: "r")) },
      first: { $0.owner = $1 }, second: { $1.master = $0 }, part: { _, r in r.master = nil },
      sees: { ($0.owner === $1, $1.master === $0) }),
    RelationshipKind(
      "one to many", { (Vehicle(name: "l"), Wheel(size: 1)) },
      first: { $0.wheels.append($1) }, second: { $1.vehicle = $0 }, part: { l, _ in l.wheels = [] },
      sees: { l, r in (l.wheels.contains { $0 === r }, r.vehicle === l) }),
    RelationshipKind(
      "one to many, inherited", { (Truck(name: "l"), Wheel(size: 1)) },
      first: { $0.wheels.append($1) }, second: { $1.vehicle = $0 }, part: { _, r in r.vehicle = nil },
      sees: { l, r in (l.wheels.contains { $0 === r }, r.vehicle === l) }),
    RelationshipKind(
      "one to many of its own kind", { (Person(name: "l"), Person(name: "r")) },
      first: { $0.reports.append($1) }, second: { $1.boss = $0 }, part: { _, r in r.boss = nil },
      sees: { l, r in (l.reports.contains { $0 === r }, r.boss === l) }),
    RelationshipKind(
      "one to many, ordered", { (Folder(name: "l"), File(name: "r")) },
      first: { $0.files.append($1) }, second: { $1.folder = $0 }, part: { l, _ in l.files = [] },
      sees: { l, r in (l.files.contains { $0 === r }, r.folder === l) }),
    RelationshipKind(
      "one to many, optional array", { (City(name: "l"), Person(name: "r")) },
      first: { $0.workers?.append($1) }, second: { $1.workplace = $0 },
      part: { l, _ in l.workers = nil },
      sees: { l, r in (l.workers?.contains { $0 === r } == true, r.workplace === l) }),
    RelationshipKind(
      "many to many", { (Song(name: "l"), Tag(name: "r")) },
      first: { $0.tags.append($1) }, second: { $1.songs.append($0) }, part: { l, _ in l.tags = [] },
      sees: { l, r in (l.tags.contains { $0 === r }, r.songs.contains { $0 === l }) }),
    RelationshipKind(
      "many to many, its own inverse", { (Person(name: "l"), Person(name: "r")) },
      first: { $0.friends.append($1) }, second: { $1.friends.append($0) },
      part: { _, r in r.friends = [] },
      sees: { l, r in (l.friends.contains { $0 === r }, r.friends.contains { $0 === l }) }),
    RelationshipKind(
      "many to many, ordered", { (Playlist(name: "l"), Song(name: "r")) },
      first: { $0.songs.append($1) }, second: { $1.playlists.append($0) },
      part: { _, r in r.playlists = [] },
      sees: { l, r in (l.songs.contains { $0 === r }, r.playlists.contains { $0 === l }) }),
  ]
}

/// The states of the two ends before they are connected.
enum Whereabouts: CaseIterable {
  case neither, firstInserted, secondInserted, bothInserted, bothSaved, bothFetched
}
