import Foundation
import TestSupport
import Testing
import Trellis

/// Interactions of features: constraints with pending changes, rules with unreadable rows, and programs with a shared
/// file.
@Suite final class MeetingTests {
  let folder: URL
  var url: URL { folder.appendingPathComponent("test.store") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("trellis-meeting-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func open(_ models: any PersistentModel.Type..., save: Bool = true) throws -> ModelContext {
    let schema = Schema(models)
    return ModelContext(
      try ModelContainer(
        for: schema, configurations: ModelConfiguration(schema: schema, url: url, allowsSave: save)))
  }

  @discardableResult func shell(_ sql: String) throws -> String { try SQLiteShell(url).run(sql) }

  func all<T: PersistentModel>(_ context: ModelContext, _ type: T.Type = T.self) throws -> [T] {
    try context.fetch(FetchDescriptor<T>()).sorted { $0.persistentModelID < $1.persistentModelID }
  }

  private func failure(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "none"
  }

  /// A written row has its final value, which another row must not take.
  @Test(arguments: StoreKind.allCases.filter { $0 != .snapshots })
  func changingTwoModelsToOneUniqueValueIsRejected(_ kind: StoreKind) throws {
    let home = try StorePlace(kind, Rank.self)
    let context = home.fresh()
    let (a, b) = (Rank(place: 1, name: "a"), Rank(place: 2, name: "b"))
    context.insert(a)
    context.insert(b)
    try context.save()
    a.place = 7
    b.place = 7
    let text = failure { try context.save() }
    #expect(text != "none")
    #expect(text.contains("place"))
    context.rollback()
    let rows = try home.fresh().fetch(FetchDescriptor<Rank>(sortBy: [SortDescriptor(\.name)]))
    #expect(rows.map(\.place) == [1, 2])
    // Three models: one releases a value that two others request.
    let c = Rank(place: 3, name: "c")
    context.insert(c)
    try context.save()
    (a.place, b.place, c.place) = (3, 3, 9)
    #expect(failure { try context.save() } != "none")
    context.rollback()
    let again = try home.fresh().fetch(FetchDescriptor<Rank>(sortBy: [SortDescriptor(\.name)]))
    #expect(again.map(\.place) == [1, 2, 3])
  }

  @Test func changingTwoModelsToEquivalentTextsIsRejected() throws {
    let home = try StorePlace(.disk, Badge.self)
    let context = home.fresh()
    let (a, b) = (Badge(code: "a"), Badge(code: "b"))
    context.insert(a)
    context.insert(b)
    try context.save()
    a.code = "\u{e9}"
    b.code = "e\u{301}"
    #expect(failure { try context.save() } != "none")
    context.rollback()
    #expect(try all(home.fresh(), Badge.self).map(\.code) == ["a", "b"])
    // Exchange values with different bytes.
    a.code = "\u{e9}"
    try context.save()
    b.code = "e\u{301}"
    a.code = "b"
    try context.save()
    #expect(try all(home.fresh(), Badge.self).map(\.code) == ["b", "\u{e9}"])
  }

  @Test func conflictsOfStructMembersNameTheirValues() throws {
    let context = try open(MeetingHouse.self)
    context.insert(MeetingHouse(name: "a", place: MeetingPlace(street: "Elm", number: 1)))
    context.insert(MeetingHouse(name: "b", place: MeetingPlace(street: "Oak", number: 2)))
    try context.save()
    let houses = try all(context, MeetingHouse.self)
    // Exchange the values.
    (houses[0].place, houses[1].place) = (houses[1].place, houses[0].place)
    try context.save()
    #expect(try shell("SELECT name, place_street, place_number FROM MeetingHouse ORDER BY name") == "a|Oak|2\nb|Elm|1")
    context.insert(MeetingHouse(name: "c", place: MeetingPlace(street: "Elm", number: 1)))
    let text = failure { try context.save() }
    #expect(text.contains("Elm"))
    context.rollback()
    houses[0].place.street = "Elm"
    houses[0].place.number = 1
    #expect(failure { try context.save() }.contains("Elm"))
  }

  /// New relationships count as unsaved changes: see `LostChangesTests`.
  @Test func membersDeletedByAnotherProgramAreNamed() throws {
    let first = try open(Playlist.self, Song.self, Tag.self, Person.self, City.self)
    let (song, list) = (Song(name: "s"), Playlist(name: "l"))
    first.insert(song)
    first.insert(list)
    first.insert(Tag(name: "t"))
    try first.save()
    let second = try open(Playlist.self, Song.self, Tag.self, Person.self, City.self)
    second.delete(try all(second, Song.self)[0])
    try second.save()
    list.songs = [song]
    #expect(failure { try first.save() }.contains("\(song.persistentModelID): was deleted by a concurrent save"))
    first.rollback()
    #expect(song.isDeleted && list.songs.isEmpty)
    // A list whose owner was deleted.
    let tag = try all(first, Tag.self)[0]
    second.delete(try all(second, Tag.self)[0])
    try second.save()
    tag.songs = [Song(name: "new")]
    #expect(failure { try first.save() }.contains("\(tag.persistentModelID): was deleted by a concurrent save"))
    first.rollback()
    #expect(tag.isDeleted)
    list.name = "still"
    try first.save()
    #expect(try shell("PRAGMA foreign_key_check") == "")
  }

  /// A deletion must not bypass a rule because the affected rows are unreadable. A cascade through an unloaded list
  /// reads keys only: see `cascadesReadNoValues`.
  @Test(arguments: ["members", "chief", "mascot"])
  func rulesRejectDeletionsOfUnreadableRows(_ property: String) throws {
    do {
      let context = try open(MeetingClub.self, MeetingMember.self)
      let club = MeetingClub(name: "c")
      let member = MeetingMember(name: "m")
      context.insert(club)
      context.insert(member)
      switch property {
      case "members": club.members = [member]
      case "chief": club.chief = member
      default: club.mascot = member
      }
      try context.save()
    }
    try shell("UPDATE MeetingMember SET kind = 'future'")
    let context = try open(MeetingClub.self, MeetingMember.self)
    let club = try all(context, MeetingClub.self)[0]
    context.delete(club)
    let text = failure { try context.save() }
    #expect(text != "none")
    #expect(try shell("SELECT count(*) FROM MeetingMember") == "1")
    #expect(try shell("SELECT count(*) FROM MeetingClub") == "1")
    context.rollback()
    #expect(club.isDeleted == false)
  }

  /// Rows that are deleted with their owner are identified by key. Their other values are not read.
  @Test func cascadesReadNoValues() throws {
    do {
      let context = try open(MeetingClub.self, MeetingMember.self)
      let club = MeetingClub(name: "c")
      context.insert(club)
      club.guests = [MeetingMember(name: "m")]
      try context.save()
    }
    try shell("UPDATE MeetingMember SET kind = 'future'")
    let context = try open(MeetingClub.self, MeetingMember.self)
    context.delete(try all(context, MeetingClub.self)[0])
    try context.save()
    #expect(try shell("SELECT count(*) FROM MeetingMember") == "0")
    #expect(try shell("SELECT count(*) FROM MeetingClub") == "0")
    #expect(try shell("PRAGMA foreign_key_check") == "")
  }

  /// A process that closes a file descriptor loses its POSIX locks on the file. Another program could then remove the
  /// write-ahead log while it is in use.
  @Test func aSecondContainerKeepsTheFirstContainersLocks() throws {
    let first = try open(Folder.self, File.self)
    first.insert(Folder(name: "a"))
    try first.save()
    let second = try open(Folder.self, File.self)
    #expect(try shell("SELECT name FROM Folder") == "a")
    #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))
    first.insert(Folder(name: "b"))
    try first.save()
    #expect(try shell("SELECT name FROM Folder") == "a\nb")
    #expect(try all(second, Folder.self).map(\.name) == ["a", "b"])
  }
}
