import Foundation
import Testing
import Trellis

/// Lists that a store fails to read while they are edited.
struct UnreadableListTests {
  private struct Outage: Error {}

  /// Such a list reads as empty, and saves throw until it is read. Added members are then saved, and its members are
  /// kept.
  @Test func addedMembersAreKept() throws {
    let configuration = WitnessStore.Configuration()
    let world = try ReelWorld(configuration)
    let context = ModelContext(world.container)
    let film = try #require(
      try context.fetch(FetchDescriptor<ReelFilm>(predicate: #Predicate { $0.title == "t0" })).first)
    let tag = try #require(
      try context.fetch(FetchDescriptor<ReelTag>(predicate: #Predicate { $0.word == "dark" })).first)
    configuration.diary.fetchFailure = Outage()
    film.scenes.append(ReelScene(text: "added"))
    let films = tag.films.count
    tag.films.append(film)
    #expect(throws: (any Error).self) { try context.save() }
    configuration.diary.fetchFailure = nil
    #expect(throws: SwiftDataError.failedRead) { try context.save() }
    #expect(film.scenes.count == 3 && tag.films.count > 1)
    try context.save()

    let later = ModelContext(world.container)
    let saved = try #require(
      try later.fetch(FetchDescriptor<ReelFilm>(predicate: #Predicate { $0.title == "t0" })).first)
    #expect(saved.scenes.map(\.text).sorted() == ["added", "s0a", "s0b"])
    let again = try #require(
      try later.fetch(FetchDescriptor<ReelTag>(predicate: #Predicate { $0.word == "dark" })).first)
    #expect(films == 0)
    #expect(again.films.contains { $0.title == "t0" } && again.films.count > 1)
  }

  /// A model leaves an unreadable list. Saves throw until the list is read, and then both ends agree.
  @Test func unreadListsAreReadBeforeTheSave() throws {
    let configuration = WitnessStore.Configuration()
    let world = try ReelWorld(configuration)
    let context = ModelContext(world.container)
    let scene = try #require(
      try context.fetch(FetchDescriptor<ReelScene>(predicate: #Predicate { $0.text == "s0a" })).first)
    let other = ReelFilm(title: "new", year: 2000)
    context.insert(other)
    configuration.diary.fetchFailure = Outage()
    scene.film = other
    #expect(throws: (any Error).self) { try context.save() }
    #expect(context.hasChanges)
    configuration.diary.fetchFailure = nil
    try context.save()

    let later = ModelContext(world.container)
    let films = try later.fetch(FetchDescriptor<ReelFilm>())
    let before = try #require(films.first { $0.title == "t0" })
    #expect(before.scenes.map(\.text) == ["s0b"])
    #expect(films.first { $0.title == "new" }?.scenes.map(\.text) == ["s0a"])
  }

  /// A rollback discards the pending read.
  @Test func rollbackDiscardsThePendingRead() throws {
    let configuration = WitnessStore.Configuration()
    let world = try ReelWorld(configuration)
    let context = ModelContext(world.container)
    let scene = try #require(
      try context.fetch(FetchDescriptor<ReelScene>(predicate: #Predicate { $0.text == "s0a" })).first)
    configuration.diary.fetchFailure = Outage()
    scene.film = nil
    context.rollback()
    context.insert(ReelTag(word: "later"))
    try context.save()
  }
}
