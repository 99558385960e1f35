import Foundation
import TestSupport
import Testing
import Trellis

@Suite struct ListOrderTests {
  private static let schema = RelationshipKindTests.schema

  private func permutations(_ items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
      var rest = items
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func orderedListsKeepEveryPermutation(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let context = home.fresh()
    let folder = Folder(name: "f")
    let list = Playlist(name: "l")
    let files = (0..<4).map { File(name: "\($0)") }
    let songs = (0..<4).map { Song(name: "\($0)") }
    folder.files = files
    list.songs = songs
    context.insert(folder)
    context.insert(list)
    for order in permutations([0, 1, 2, 3]) {
      folder.files = order.map { files[$0] }
      list.songs = order.map { songs[$0] }
      try context.save()
      let other = home.fresh()
      let names = order.map(String.init)
      #expect(try other.fetch(FetchDescriptor<Folder>()).first?.files.map(\.name) == names)
      #expect(try other.fetch(FetchDescriptor<Playlist>()).first?.songs.map(\.name) == names)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func movesInsertionsAndRemovalsKeepPositions(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let context = home.fresh()
    let folder = Folder(name: "f")
    context.insert(folder)
    func check(_ names: String, _ line: Int = #line) throws {
      #expect(folder.files.map(\.name).joined() == names, "line \(line)")
      try context.save()
      let read = try home.fresh().fetch(FetchDescriptor<Folder>()).first
      #expect(read?.files.map(\.name).joined() == names, "line \(line)")
    }
    folder.files = "abc".map { File(name: String($0)) }
    try check("abc")
    folder.files.insert(File(name: "x"), at: 1)
    try check("axbc")
    folder.files.append(folder.files.remove(at: 0))
    try check("xbca")
    folder.files.swapAt(0, 3)
    try check("abcx")
    folder.files.reverse()
    try check("xcba")
    folder.files.removeAll { $0.name == "c" }
    try check("xba")
    // A member that is added through its inverse becomes the last one.
    File(name: "z").folder = folder
    try check("xbaz")
    let second = Folder(name: "g")
    context.insert(second)
    second.files = Array(folder.files[1...2])
    try check("xz")
    #expect(second.files.map(\.name).joined() == "ba")
    context.delete(folder.files[0])
    try check("z")
  }

  @Test(arguments: StoreKind.allCases)
  func bothEndsOfAManyToManyRelationshipHaveTheirOwnOrder(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let context = home.fresh()
    let songs = (0..<3).map { Song(name: "s\($0)") }
    let lists = (0..<3).map { Playlist(name: "l\($0)") }
    for list in lists { context.insert(list) }
    for list in lists { list.songs = songs }
    songs[1].playlists = [lists[2], lists[0], lists[1]]
    lists[0].songs = [songs[2], songs[1], songs[0]]
    try context.save()
    let other = home.fresh()
    let read = try other.fetch(FetchDescriptor<Playlist>(sortBy: [SortDescriptor(\.name)]))
    #expect(
      read.map { $0.songs.map(\.name).joined() } == ["s2s1s0", "s0s1s2", "s0s1s2"])
    #expect(read[0].songs[1].playlists.map(\.name).joined() == "l2l0l1")
    #expect(read[0].songs[0].playlists.map(\.name).joined() == "l0l1l2")
    // If one list receives a new order, the others keep theirs.
    lists[1].songs = [songs[1], songs[2], songs[0]]
    try context.save()
    let again = try home.fresh().fetch(FetchDescriptor<Playlist>(sortBy: [SortDescriptor(\.name)]))
    #expect(again.map { $0.songs.map(\.name).joined() } == ["s2s1s0", "s1s2s0", "s0s1s2"])
  }

  @Test func duplicateMembersKeepTheirFirstPosition() throws {
    let home = try StorePlace(.memory, Self.schema)
    let context = home.fresh()
    let (a, b, c) = (File(name: "a"), File(name: "b"), File(name: "c"))
    for isInserted in [false, true] {
      let folder = Folder(name: "f")
      if isInserted { context.insert(folder) }
      folder.files = [a, b, a, c, b]
      #expect(folder.files.map(\.name).joined() == "abc")
      folder.files = [b, a, b]
      #expect(folder.files.map(\.name).joined() == "ba" && c.folder == nil)
      folder.files.append(a)
      #expect(folder.files.map(\.name).joined() == "ba")
      folder.files.insert(a, at: 0)
      #expect(folder.files.map(\.name).joined() == "ab")
      folder.files = [c, a, b, c]
      #expect(folder.files.map(\.name).joined() == "cab")
      if !isInserted { folder.files = [] }
    }
    try context.save()
    let read = try home.fresh().fetch(FetchDescriptor<Folder>())
    #expect(read.map { $0.files.map(\.name).joined() } == ["cab"])
  }

  /// In memory, members are in insertion order. Tables return them by identifier, which is the order of the first
  /// insertion. A store of snapshots keeps the saved order.
  @Test(arguments: StoreKind.allCases)
  func unorderedListsHaveADefinedOrder(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let context = home.fresh()
    let city = City(name: "Oslo")
    city.residents = "dacb".map { Person(name: String($0)) }
    context.insert(city)
    #expect(context.insertedModelsArray.count == 5)
    let early = Person(name: "0")
    context.insert(early)
    try context.save()
    let late = Person(name: "z")
    context.insert(late)
    try context.save()
    city.residents.insert(late, at: 0)
    early.home = city
    #expect(city.residents.map(\.name).joined() == "zdacb0")
    try context.save()
    #expect(city.residents.map(\.name).joined() == "zdacb0")
    for _ in 0..<3 {
      let read = try home.fresh().fetch(FetchDescriptor<City>()).first
      #expect(read?.residents.map(\.name).joined() == (store == .snapshots ? "zdacb0" : "dacb0z"))
    }
  }

  /// Lists of models retain identifiers only. Their order does not depend on retained models.
  @Test func theOrderIsKeptWhenMembersAreReleased() throws {
    let home = try StorePlace(.memory, Self.schema)
    let context = home.fresh()
    let person = Person(name: "p")
    context.insert(person)
    do {
      let friends = "abcd".map { Person(name: String($0)) }
      for friend in friends { context.insert(friend) }
      person.friends = [friends[2], friends[0], friends[3], friends[1]]
      try context.save()
    }
    #expect(person.friends.map(\.name).joined() == "cadb")
    let held = person.friends[1]
    #expect(person.friends.map(\.name).joined() == "cadb" && held.name == "a")
    let other = home.fresh()
    let read = other.model(for: person.persistentModelID) as? Person
    #expect(read?.friends.map(\.name).joined() == "abcd")
  }

  // MARK: Two contexts

  /// The changes of two contexts to the list "abcd", and the result in both.
  static let encounters: [(first: String, second: String, result: String)] = [
    ("dcba", "abcd", "dcba"),  // only the first context moved members
    ("abcd", "dcba", "dcba"),
    ("bacd", "abdc", "abdc"),  // both contexts moved members: the last save wins
    ("abxcd", "abcd", "abxcd"),
    ("abxcd", "dcba", "dcbxa"),  // x stays after b
    ("xabcd", "abcdy", "xabcdy"),
    ("abxcd", "abycd", "abyxcd"),
    ("acd", "dcba", "dca"),  // b was deleted
    ("acd", "abxcd", "axcd"),
    ("dcba", "abc", "cba"),
    ("cabd", "abydc", "abydc"),
  ]

  @Test(arguments: encounters.indices, [true, false])
  func concurrentReorderingsEndWithOneOrder(_ index: Int, _ isManyToMany: Bool) throws {
    let (first, second, result) = Self.encounters[index]
    let home = try StorePlace(.disk, Self.schema)
    let maker = home.fresh()
    let list = Playlist(name: "list")
    let folder = Folder(name: "folder")
    list.songs = "abcd".map { Song(name: String($0)) }
    folder.files = "abcd".map { File(name: String($0)) }
    maker.insert(list)
    maker.insert(folder)
    try maker.save()
    func arrange(_ context: ModelContext, _ order: String) throws {
      if isManyToMany {
        let list = try #require(try context.fetch(FetchDescriptor<Playlist>()).first)
        let known = list.songs
        list.songs = order.map { letter in
          known.first { $0.name == String(letter) } ?? Song(name: String(letter))
        }
      } else {
        let folder = try #require(try context.fetch(FetchDescriptor<Folder>()).first)
        let known = folder.files
        folder.files = order.map { letter in
          known.first { $0.name == String(letter) } ?? File(name: String(letter))
        }
      }
    }
    func read(_ context: ModelContext) throws -> String? {
      isManyToMany
        ? try context.fetch(FetchDescriptor<Playlist>()).first?.songs.map(\.name).joined()
        : try context.fetch(FetchDescriptor<Folder>()).first?.files.map(\.name).joined()
    }
    let (one, other) = (home.fresh(), home.fresh())
    try arrange(one, first)
    try arrange(other, second)
    try one.save()
    try other.save()
    #expect(try read(home.fresh()) == result)
    #expect(try read(one) == result)
    #expect(try read(other) == result)
  }

  /// Two containers simulate two programs that do not notify each other.
  @Test func membersAddedByAnotherProgramAreKept() throws {
    let home = try StorePlace(.disk, Self.schema)
    let maker = home.fresh()
    let song = Song(name: "s")
    song.tags = "abc".map { Tag(name: String($0)) }
    maker.insert(song)
    try maker.save()
    let url = try #require(home.container.configurations.first?.url)
    let second = try ModelContainer(
      for: Self.schema, configurations: [ModelConfiguration(url: url)])
    let context = ModelContext(second)
    let read = try #require(try context.fetch(FetchDescriptor<Song>()).first)
    let names = read.tags.map(\.name).joined()
    #expect(names == "abc")
    song.tags.append(Tag(name: "d"))
    song.tags.removeAll { $0.name == "b" }
    try maker.save()
    read.tags.removeFirst()
    read.tags.append(Tag(name: "e"))
    try context.save()
    let reader = home.fresh()
    let tags = try reader.fetch(FetchDescriptor<Song>()).first?.tags
    #expect(tags?.map(\.name).sorted().joined() == "cde")
  }

  /// Building and changing a long list takes linear time.
  @Test func longListsTakeLinearTime() throws {
    let home = try StorePlace(.memory, Self.schema)
    let context = home.fresh()
    // The CPU time of this thread, which excludes other tests.
    func measure(_ body: () -> Void) -> Duration {
      func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
      }
      let start = now()
      body()
      return now() - start
    }
    func build(_ count: Int) throws -> (Duration, Duration) {
      let city = City(name: "c")
      context.insert(city)
      try context.save()
      let people = (0..<count).map { Person(name: "\(count) \($0)") }
      let inserting = measure { for person in people { person.home = city } }
      try context.save()
      #expect(city.residents.count == count)
      let fresh = home.fresh()
      let all = try fresh.fetch(FetchDescriptor<Person>()).filter { $0.home != nil }
      let far = City(name: "far")
      fresh.insert(far)
      let moving = measure { for person in all { person.home = far } }
      fresh.rollback()
      return (inserting, moving)
    }
    // The fastest of three runs, because a busy machine also slows down CPU time.
    func quickest(_ count: Int) throws -> (Duration, Duration) {
      let times = try (0..<3).map { try build(count + $0) }
      return (times.map(\.0).min() ?? .zero, times.map(\.1).min() ?? .zero)
    }
    let count = Repetitions.isThorough ? 1_000 : 400
    let small = try quickest(count)
    let large = try quickest(8 * count)
    // Eight times as much work. Copying the list for each change would take 64 times as long.
    #expect(large.0 < small.0 * 30 && large.1 < small.1 * 40, "\(small) \(large)")
  }
}
