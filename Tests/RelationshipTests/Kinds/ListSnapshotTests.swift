import PostgresSupport
import TestSupport
import Testing
import Trellis
import TrellisPostgres

/// Snapshots that a program reads from a store without a context contain the keys of their lists' members.
@Suite struct ListSnapshotTests {
  private static let schema = Schema([
    Person.self, City.self, Playlist.self, Song.self, Tag.self, Folder.self, File.self, Vehicle.self, Truck.self,
    Wheel.self,
  ])

  /// Most lists are not in key order, or were saved in a different order before.
  private static func fill(_ context: ModelContext) throws {
    let songs = "abcd".map { Song(name: String($0)) }
    let lists = ["x", "y", "z"].map { Playlist(name: $0) }
    let tags = ["loud", "slow"].map { Tag(name: $0) }
    let folders = ["f", "g", "h"].map { Folder(name: $0) }
    let files = "1234".map { File(name: String($0)) }
    let people = ["Ada", "Bo", "Cy"].map { Person(name: $0) }
    let cities = ["Oslo", "Rome"].map { City(name: $0) }
    let truck = Truck(name: "truck")
    let wheels = (1...3).map { Wheel(size: $0) }
    let models: [[any PersistentModel]] = [songs, lists, tags, folders, files, people, cities, [truck], wheels]
    for model in models.joined() {
      context.insert(model)
      // Save the models one by one, so that their keys have the same order as their names.
      try context.save()
    }
    lists[0].songs = [songs[0], songs[1]]
    folders[0].files = [files[0], files[1], files[2]]
    try context.save()
    lists[0].songs = [songs[2], songs[0], songs[1]]
    lists[2].songs = [songs[1], songs[3]]
    songs[1].playlists = [lists[2], lists[0]]
    songs[0].tags = [tags[1], tags[0]]
    songs[3].tags = [tags[1]]
    folders[0].files = [files[2], files[0]]
    folders[1].files = [files[3], files[1]]
    folders[2].folders = [folders[1], folders[0]]
    people[0].friends = [people[2], people[1]]
    people[0].reports = [people[2]]
    people[1].visited = [cities[1], cities[0]]
    people[2].visited = [cities[1]]
    cities[0].workers = [people[2], people[1]]
    truck.wheels = [wheels[2], wheels[0]]
    try context.save()
  }

  /// The member names for each owner and list.
  private static let expected = [
    "x songs": "cab", "y songs": "", "z songs": "bd", "a playlists": "x", "b playlists": "zx", "c playlists": "x",
    "d playlists": "z", "a tags": "loud,slow", "b tags": "", "c tags": "", "d tags": "slow", "loud songs": "a",
    "slow songs": "ad", "f files": "31", "g files": "42", "h files": "", "f folders": "", "g folders": "",
    "h folders": "fg", "Ada friends": "Bo,Cy", "Bo friends": "Ada", "Cy friends": "Ada", "Ada reports": "Cy",
    "Bo reports": "", "Cy reports": "", "Ada visited": "", "Bo visited": "Oslo,Rome", "Cy visited": "Rome",
    "Oslo residents": "", "Rome residents": "", "Oslo workers": "Bo,Cy", "Rome workers": "", "truck wheels": "13",
  ]

  /// The names of models and the lists in their snapshots.
  private struct Reading {
    let store: any PlainSnapshotStore
    var names: [PersistentIdentifier: String] = [:]
    var lists: [(owner: PersistentIdentifier, name: String, members: [PersistentIdentifier])] = []

    init(_ store: any PlainSnapshotStore) { self.store = store }

    mutating func add(_ snapshots: some Sequence<DefaultSnapshot>) {
      for snapshot in snapshots {
        let owner = snapshot.persistentIdentifier
        names[owner] = (snapshot.value(named: "name") ?? snapshot.value(named: "size")).map { "\($0)" }
        for name in snapshot.propertyNames {
          guard let members = snapshot.value(named: name) as? [PersistentIdentifier] else { continue }
          lists.append((owner, name, members))
        }
      }
    }

    /// Adds the models of a class, or only the models that are prefetched for them.
    @discardableResult mutating func fetch<T: PersistentModel>(
      _: T.Type, prefetching paths: [any PartialKeyPath<T> & Sendable] = []
    ) throws -> [PersistentIdentifier] {
      var descriptor = FetchDescriptor<T>()
      descriptor.relationshipKeyPathsForPrefetching = paths
      let result = try store.fetch(DataStoreFetchRequest(descriptor: descriptor, editingState: EditingState()))
      if paths.isEmpty { add(result.fetchedSnapshots) } else { add(result.relatedSnapshots.values) }
      return result.fetchedSnapshots.map(\.persistentIdentifier)
    }

    var texts: [String: String] {
      let all = lists.map { list in
        let members = list.members.map { names[$0] ?? "?" }
        let separator = members.allSatisfy { $0.count == 1 } ? "" : ","
        return ("\(names[list.owner] ?? "?") \(list.name)", members.joined(separator: separator))
      }
      return Dictionary(uniqueKeysWithValues: all)
    }
  }

  /// Opens the store without a container.
  private static func store(
    _ configuration: any DataStoreConfiguration, trace: (@Sendable (TracedStatement) -> Void)? = nil
  ) throws -> any PlainSnapshotStore {
    if var server = configuration as? PostgresConfiguration {
      (server.schema, server.trace) = (schema, trace)
      return try PostgresStore(server, migrationPlan: nil)
    }
    var file = try #require(configuration as? ModelConfiguration)
    (file.schema, file.trace) = (schema, trace)
    return try DefaultStore(file, migrationPlan: nil)
  }

  @Test(arguments: [StoreKind.disk, .postgres]) func membersAreInOrder(_ kind: StoreKind) throws {
    let home = try StorePlace(kind, Self.schema)
    try Self.fill(home.fresh())
    let store = try Self.store(home.configuration)
    var fetched = Reading(store)
    var all = try fetched.fetch(Playlist.self) + fetched.fetch(Song.self) + fetched.fetch(Tag.self)
    all += try fetched.fetch(Folder.self) + fetched.fetch(File.self) + fetched.fetch(Person.self)
    all += try fetched.fetch(City.self) + fetched.fetch(Vehicle.self) + fetched.fetch(Wheel.self)
    #expect(fetched.texts == Self.expected)
    // Read the same rows by identifier.
    var known = Reading(store)
    known.add(try store.cachedSnapshots(for: all, editingState: EditingState()).values)
    #expect(known.texts == Self.expected)
    // Prefetched models contain their lists as well.
    var related = Reading(store)
    try related.fetch(Playlist.self, prefetching: [\.songs])
    try related.fetch(Song.self, prefetching: [\.playlists, \.tags])
    let lists = Self.expected.filter { name, _ in
      name.hasSuffix("songs") && !name.hasPrefix("y") || name.hasSuffix("playlists") || name.hasSuffix("tags")
    }
    #expect(related.texts == lists)
  }

  /// The members' rows may be large.
  @Test(arguments: [StoreKind.disk, .postgres]) func onlyTheKeysOfMembersAreRead(_ kind: StoreKind) throws {
    let home = try StorePlace(kind, Self.schema)
    try Self.fill(home.fresh())
    let statements = Shared<[String]>([])
    let store = try Self.store(home.configuration) { statement in
      statements.withLock { $0.append(statement.sql) }
    }
    statements.withLock { $0 = [] }
    var reading = Reading(store)
    try reading.fetch(Folder.self)
    let found = statements.withLock { $0 }
    #expect(found.contains { $0.contains("\"File\"") })
    #expect(!found.contains { $0.contains("\"size\"") }, "\(found)")
  }
}

/// A store whose snapshots have the type that contexts use.
private protocol PlainSnapshotStore: DataStore where Snapshot == DefaultSnapshot {}
extension DefaultStore: PlainSnapshotStore {}
extension PostgresStore: PlainSnapshotStore {}
