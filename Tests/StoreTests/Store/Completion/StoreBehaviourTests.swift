import Foundation
import Testing
import Trellis

/// Tests of the requests to a store and the handling of its results.
@Suite struct StoreBehaviourTests {
  let configuration = WitnessStore.Configuration()
  let container: ModelContainer
  let context: ModelContext
  private var diary: WitnessStore.Diary { configuration.diary }

  init() throws {
    container = try ModelContainer(for: ReelWorld.schema, configurations: [configuration])
    context = ModelContext(container)
  }

  private func insert(_ titles: String...) throws -> [ReelFilm] {
    let films = titles.map { ReelFilm(title: $0, year: 2000) }
    for film in films { context.insert(film) }
    try context.save()
    return films
  }

  private func titles(_ snapshots: [DefaultSnapshot]) -> [String] {
    snapshots.compactMap { $0[\ReelFilm.title] }
  }

  @Test func S094_saveRequestsContainExactlyTheChanges() throws {
    let films = try insert("a", "b", "c")
    let first = try #require(diary.saves.last)
    #expect(titles(first.inserted) == ["a", "b", "c"])
    #expect(first.updated.isEmpty && first.deleted.isEmpty)
    context.insert(ReelFilm(title: "d", year: 1))
    films[0].title = "A"
    context.delete(films[1])
    _ = films[2].title
    let dropped = ReelFilm(title: "dropped", year: 1)
    context.insert(dropped)
    context.delete(dropped)
    try context.save()
    let second = try #require(diary.saves.last)
    #expect(diary.saves.count == 2)
    #expect(titles(second.inserted) == ["d"] && titles(second.updated) == ["A"])
    #expect(titles(second.deleted) == ["b"])
    try context.save()
    #expect(diary.saves.count == 2)
  }

  @Test func S095_temporaryIdentifiersBecomePermanentOnes() throws {
    let film = ReelFilm(title: "a", year: 1)
    let scene = ReelScene(text: "s", film: film)
    context.insert(film)
    let temporary = film.persistentModelID
    #expect(temporary.storeIdentifier == nil)
    try context.save()
    let inserted = try #require(diary.saves.last).inserted
    #expect(inserted.allSatisfy { $0.persistentIdentifier.storeIdentifier == nil })
    #expect(inserted.contains { $0.persistentIdentifier == temporary })
    #expect(film.persistentModelID != temporary)
    #expect(film.persistentModelID.storeIdentifier == configuration.name)
    #expect(scene.persistentModelID.storeIdentifier == configuration.name)
    let other = ModelContext(container)
    let read = try #require(try other.fetch(FetchDescriptor<ReelScene>()).first)
    #expect(read.film?.persistentModelID == film.persistentModelID)
  }

  @Test func S101_requestsContainTheStateOfTheirContext() throws {
    context.author = "me"
    _ = try insert("a")
    _ = try context.fetch(FetchDescriptor<ReelFilm>())
    let other = ModelContext(container)
    other.author = "other"
    _ = try other.fetch(FetchDescriptor<ReelFilm>())
    let saved = try #require(diary.saves.last).editingState
    #expect(saved.author == "me")
    let states = diary.fetches.suffix(2).map(\.state)
    #expect(states.map(\.author) == ["me", "other"])
    #expect(states[0].id == saved.id && states[1].id != saved.id)
  }

  @Test func S102_storesAreNotifiedOfCreatedAndReleasedContexts() throws {
    let before = diary.begun.count
    var ids: [EditingState.ID] = []
    do {
      let other = ModelContext(container)
      #expect(diary.begun.count == before + 1)
      _ = try other.fetch(FetchDescriptor<ReelFilm>())
      ids = diary.fetches.suffix(1).map(\.state.id)
      #expect(diary.begun.last?.id == ids.first)
      #expect(!diary.ended.contains { $0.id == ids.first })
    }
    #expect(diary.ended.last?.id == ids.first)
  }

  @Test func S102_cachedSnapshotsAreRequestedForTheContext() throws {
    let films = try insert("a", "b")
    let identifiers = films.map(\.persistentModelID)
    diary.hasCache = true
    let other = ModelContext(container)
    let fetches = diary.fetches.count
    #expect((other.model(for: identifiers[1]) as? ReelFilm)?.title == "b")
    #expect(diary.fetches.count == fetches, "the cache is not used")
    let asked = try #require(diary.askedForCached.last)
    #expect(diary.begun.last?.id == asked.id)
    // Without a cache, the model is fetched.
    diary.hasCache = false
    let third = ModelContext(container)
    #expect((third.model(for: identifiers[0]) as? ReelFilm)?.title == "a")
  }

  @Test func S103_changesMadeByTheStoreReachTheModels() throws {
    let films = try insert("a", "b")
    let other = ModelContext(container)
    let twin = try #require(try other.fetch(FetchDescriptor<ReelFilm>()).first { $0.title == "a" })
    let spare = try #require(try other.fetch(FetchDescriptor<ReelFilm>()).first { $0.title == "b" })
    diary.edit = { snapshot in
      guard snapshot[\ReelFilm.title] == "x" else { return nil }
      // A server can encode and decode the value.
      let encoded = try? JSONEncoder().encode(snapshot)
      let decoder = JSONDecoder()
      decoder.userInfo[.schema] = ReelWorld.schema
      let text = encoded.map { String(decoding: $0, as: UTF8.self) }?
        .replacingOccurrences(of: "\"x\"", with: "\"X!\"")
      return text.flatMap { try? decoder.decode(DefaultSnapshot.self, from: Data($0.utf8)) }
    }
    films[0].title = "x"
    try context.save()
    #expect(films[0].title == "X!" && films[1].title == "b" && !context.hasChanges)
    _ = try other.fetch(FetchDescriptor<ReelFilm>())
    #expect(twin.title == "X!" && spare.title == "b")
  }

  @Test func failedSavesKeepAllChangesPending() throws {
    struct Full: Error {}
    let films = try insert("a")
    diary.failure = Full()
    films[0].title = "A"
    context.insert(ReelStudio(name: "s", films: [films[0]]))
    #expect(throws: Full.self) { try context.save() }
    #expect(context.insertedModelsArray.count == 1 && context.changedModelsArray.count == 1)
    diary.failure = nil
    try context.save()
    let other = ModelContext(container)
    let read = try other.fetch(FetchDescriptor<ReelFilm>())
    #expect(read.map(\.title) == ["A"] && read.first?.studio?.name == "s")
  }

  /// A store that does not apply the offset receives a request up to the end of the page.
  @Test(arguments: [false, true]) func pagesAreCompletedByTheContext(_ applies: Bool) throws {
    var configuration = WitnessStore.Configuration()
    configuration.appliesOffset = applies
    let context = ModelContext(
      try ModelContainer(for: ReelWorld.schema, configurations: [configuration]))
    for number in 0..<6 { context.insert(ReelFilm(title: "\(number)", year: number)) }
    try context.save()
    var page = FetchDescriptor<ReelFilm>()
    page.fetchOffset = 2
    page.fetchLimit = 3
    #expect(try context.fetch(page).map(\.title) == ["2", "3", "4"])
    let asked = try #require(configuration.diary.fetches.last)
    #expect(asked.limit == (applies ? 3 : 5) && asked.offset == (applies ? 2 : 0))
    #expect(try context.fetchCount(page) == 3)
    page.fetchLimit = .max
    #expect(try context.fetchIdentifiers(page).count == 4)
    page.fetchOffset = 9
    #expect(try context.fetch(page).isEmpty && context.fetchCount(page) == 0)
  }

  /// A store that enforces constraints is not asked for all its models.
  @Test func storesCanEnforceUniquenessThemselves() throws {
    var configuration = WitnessStore.Configuration()
    configuration.enforces = true
    let context = ModelContext(
      try ModelContainer(for: ReelWorld.schema, configurations: [configuration]))
    for _ in 0..<2 {
      context.insert(ReelStudio(name: "same"))
      try context.save()
    }
    #expect(configuration.diary.fetches.isEmpty)
    #expect(try context.fetchCount(FetchDescriptor<ReelStudio>()) == 2)
  }

  /// A save without unique values fetches nothing.
  @Test func savesWithoutUniqueValuesFetchNothing() throws {
    let films = try insert("a", "b")
    context.insert(ReelStudio(name: "s"))
    try context.save()
    let studio = try #require(try context.fetch(FetchDescriptor<ReelStudio>()).first)
    let fetches = diary.fetches.count
    films[0].title = "A"
    studio.founded = 1
    context.insert(ReelFilm(title: "c", year: 1))
    try context.save()
    #expect(diary.fetches.count == fetches)
    studio.name = "t"
    try context.save()
    #expect(diary.fetches.count > fetches)
  }

  /// The property names that a store needs to translate predicates and sort descriptors.
  @Test func keyPathsHavePropertyNames() {
    #expect(Schema.propertyNames(along: \ReelFilm.title) == ["title"])
    #expect(Schema.propertyNames(along: \ReelFilm.studio) == ["studio"])
    #expect(Schema.propertyNames(along: \ReelFilm.scenes) == ["scenes"])
    #expect(Schema.propertyNames(along: \ReelFilm.studio?.name) == ["studio", "name"])
    #expect(Schema.propertyNames(along: \ReelScene.film?.studio?.founded) == ["film", "studio", "founded"])
    #expect(Schema.propertyNames(along: \ReelSeries.title) == ["title"])
    #expect(Schema.propertyNames(along: \ReelFilm.persistentModelID) == ["persistentModelID"])
    #expect(
      Schema.propertyNames(along: \ReelFilm.studio?.persistentModelID) == ["studio", "persistentModelID"])
    #expect(Schema.propertyNames(along: \Stub.seat.row) == ["seat", "row"])
    #expect(Schema.propertyNames(along: \Stub.other?.letter) == ["other", "letter"])
    #expect(Schema.propertyNames(along: \ReelFilm.title.count) == nil)
    let sort = SortDescriptor(\ReelFilm.studio?.name, order: .reverse)
    #expect(sort.keyPath.flatMap { Schema.propertyNames(along: $0) } == ["studio", "name"])
  }
}
