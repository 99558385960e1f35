import Foundation
import Synchronization
import TestStores
import Testing
import Trellis

/// Stores with invalid results: contexts throw a typed error with the entity, identifier and store, change nothing, and
/// never trap or confuse models.
@Suite struct HostileStoreTests {
  /// A keep with parts, tags and a lid in a store with invalid results.
  private final class World {
    let configuration = ShelfConfiguration()
    let container: ModelContainer
    let identifiers: [String: PersistentIdentifier]

    init(_ lies: ShelfLies = ShelfLies()) throws {
      configuration.shelf.lies = lies
      container = try KeepWorld.container(configuration)
      let context = ModelContext(container)
      let keep = Keep(code: "a")
      keep.parts = [KeepPart(title: "plain"), KeepScrew(title: "screw")]
      keep.tags = [KeepTag(word: "red"), KeepTag(word: "blue")]
      let other = Keep(code: "b")
      context.insert(keep)
      context.insert(other)
      try context.save()
      var identifiers = ["a": keep.persistentModelID, "b": other.persistentModelID]
      for part in keep.parts { identifiers[part.title] = part.persistentModelID }
      for tag in keep.tags { identifiers[tag.word] = tag.persistentModelID }
      self.identifiers = identifiers
    }

    var shelf: ShelfConfiguration.Shelf { configuration.shelf }
    /// A new context, which the object retains.
    var fresh: ModelContext {
      contexts.append(ModelContext(container))
      return contexts[contexts.count - 1]
    }
    private var contexts: [ModelContext] = []

    func id(_ name: String) throws -> PersistentIdentifier { try #require(identifiers[name]) }

    /// The values of one model with the identifier of another model.
    func disguised(_ name: String, as other: PersistentIdentifier) throws -> DefaultSnapshot {
      try #require(shelf.table.rows[id(name)]).copy(persistentIdentifier: other)
    }

    func foreign(_ entity: String) throws -> PersistentIdentifier {
      try PersistentIdentifier.identifier(for: "elsewhere", entityName: entity, primaryKey: 1)
    }
  }

  /// Checks that the error contains the store and all given words.
  private func refusal(
    _ words: String..., by body: () throws -> Void, at location: SourceLocation = #_sourceLocation
  ) {
    do {
      try body()
      Issue.record("nothing was thrown", sourceLocation: location)
    } catch {
      #expect(
        error as? SwiftDataError == .invalidStoreAnswer, "\(error)", sourceLocation: location)
      for word in ["'shelf'"] + words {
        #expect("\(error)".contains(word), "\(error)", sourceLocation: location)
      }
    }
  }

  // MARK: Snapshots of the wrong class

  @Test func snapshotsOfAnotherClassAreRejected() throws {
    let world = try World()
    let keep = try world.id("a")
    let lie = try world.disguised("red", as: keep)
    world.shelf.lies.fetched = { $0.filter { $0.persistentIdentifier != keep } + [lie] }
    let context = world.fresh
    refusal("\(keep)", "KeepTag", "Keep") { _ = try context.fetch(FetchDescriptor<Keep>()) }
    refusal("\(keep)") { _ = try context.fetchSnapshots(as: Keep.Snapshot.self) }
    refusal("\(keep)") {
      _ = try context.fetch(FetchDescriptor<Keep>(sortBy: [SortDescriptor(\.code)]))
    }
    // A single model is marked as unreadable and rejects writes.
    let model = try #require(context.model(for: keep) as? Keep)
    model.code = "x"
    #expect(!context.hasChanges && !model.isDeleted)
    world.shelf.lies = ShelfLies()
    #expect(try KeepWorld.keeps(context).map(\.code) == ["a", "b"])
  }

  /// A subclass has more values than its superclass, so the snapshot would lose values.
  @Test func snapshotsOfTheBaseClassAreRejectedForASubclass() throws {
    let world = try World()
    let screw = try world.id("screw")
    let lie = try world.disguised("plain", as: screw)
    world.shelf.lies.fetched = { $0.filter { $0.persistentIdentifier != screw } + [lie] }
    let context = world.fresh
    refusal("\(screw)", "'KeepPart'", "'KeepScrew'", "the model's own class") {
      _ = try context.fetch(FetchDescriptor<KeepPart>())
    }
    refusal("\(screw)") { _ = try context.fetch(FetchDescriptor<KeepScrew>()) }
    world.shelf.lies = ShelfLies()
    let known = try context.fetch(FetchDescriptor<KeepScrew>())
    #expect(known.map(\.title) == ["screw"])
    world.shelf.lies.fetched = { $0.filter { $0.persistentIdentifier != screw } + [lie] }
    refusal("\(screw)") { _ = try context.fetch(FetchDescriptor<KeepPart>()) }
    #expect(known[0].title == "screw" && !known[0].isDeleted)
    // The save of another context makes this context read the model again.
    world.shelf.lies = ShelfLies()
    let other = world.fresh
    try other.fetch(FetchDescriptor<KeepScrew>())[0].length = 5
    try other.save()
    world.shelf.lies.cached = { _ in [screw: lie] }
    refusal("\(screw)") { _ = try context.fetch(FetchDescriptor<Keep>()) }
    #expect(!known[0].isDeleted)
    world.shelf.lies = ShelfLies()
    #expect(try context.fetch(FetchDescriptor<KeepScrew>()).map(\.length) == [5])
  }

  /// Like any placeholder of `model(for:)`: the row does not exist, and writes are rejected.
  @Test func modelsOfUnknownEntitiesAreDeleted() throws {
    let world = try World()
    let identifier = try world.foreign("Nobody")
    let context = world.fresh
    let model = context.model(for: identifier)
    #expect(model.isDeleted && model.modelContext == nil && !model.hasChanges)
    #expect(model.persistentModelID == identifier)
    #expect(!context.hasChanges)
  }

  /// Identifiers can name a superclass: those of a ``DefaultStore`` name the root.
  @Test func identifiersCanNameTheRootClass() throws {
    let world = try World()
    let screw = try world.id("screw")
    let root = try PersistentIdentifier.identifier(
      for: "shelf", entityName: "KeepPart", primaryKey: "screw")
    let renamed = try world.disguised("screw", as: root)
    world.shelf.table.rows[screw] = nil
    world.shelf.table.rows[root] = renamed
    let context = world.fresh
    #expect(try context.fetch(FetchDescriptor<KeepScrew>()).map(\.persistentModelID) == [root])
    #expect(try context.fetch(FetchDescriptor<KeepPart>()).count == 2)
    #expect(try context.fetchCount(FetchDescriptor<KeepPart>()) == 2)
    #expect(context.model(for: root) is KeepScrew)
  }

  // MARK: Identifiers

  @Test func foreignAndTemporaryIdentifiersAreRejected() throws {
    let world = try World()
    let foreign = try world.foreign("Keep")
    let temporary = Keep(code: "t").persistentModelID
    for (identifier, word) in [(foreign, "'elsewhere'"), (temporary, "temporary")] {
      let lie = try world.disguised("a", as: identifier)
      let context = world.fresh
      world.shelf.lies.fetched = { $0 + [lie] }
      refusal("\(identifier)", word) { _ = try context.fetch(FetchDescriptor<Keep>()) }
      world.shelf.lies = ShelfLies(identifiers: { $0 + [identifier] })
      refusal("\(identifier)", word) { _ = try context.fetchIdentifiers(FetchDescriptor<Keep>()) }
      world.shelf.lies = ShelfLies()
      #expect(try KeepWorld.keeps(context).map(\.code) == ["a", "b"])
    }
  }

  /// A match is returned once, even if a store returns it several times. Additional models are ignored.
  @Test func eachMatchIsReturnedOnce() throws {
    let world = try World()
    world.shelf.lies = ShelfLies(fetched: { $0 + $0 }, identifiers: { $0 + $0 })
    let context = world.fresh
    #expect(try KeepWorld.keeps(context).map(\.code) == ["a", "b"])
    #expect(try context.fetchIdentifiers(FetchDescriptor<Keep>()).count == 2)
    #expect(try context.fetchSnapshots(as: KeepTag.Snapshot.self).count == 2)
    var page = FetchDescriptor<Keep>()
    page.fetchOffset = 1
    #expect(try context.fetch(page).count == 1)
  }

  @Test func missingRowsAreDeletedElements() throws {
    let world = try World()
    let gone = try PersistentIdentifier.identifier(
      for: "shelf", entityName: "Keep", primaryKey: "gone")
    world.shelf.lies = ShelfLies(identifiers: { $0 + [gone] })
    let context = world.fresh
    let keeps = try context.fetch(FetchDescriptor<Keep>(), batchSize: 1)
    #expect(keeps.map(\.isDeleted).count { $0 } == 1 && keeps.count == 3)
  }

  @Test func countsAreNeverNegative() throws {
    let world = try World()
    for (count, limit, seen) in [
      (Int.min, nil, 0), (-1, nil, 0), (Int.max, 5, 5), (Int.max, nil, Int.max - 3), (3, nil, 0),
    ] {
      world.shelf.lies.count = count
      var descriptor = FetchDescriptor<Keep>()
      descriptor.fetchOffset = 3
      descriptor.fetchLimit = limit
      #expect(try world.fresh.fetchCount(descriptor) == seen, "\(count)")
    }
  }

  @Test func mismatchedCachedSnapshotsAreIgnored() throws {
    let world = try World()
    let (a, b) = (try world.id("a"), try world.id("b"))
    let other = try #require(world.shelf.table.rows[b])
    world.shelf.lies.cached = { _ in [a: other] }
    let context = world.fresh
    let model = try #require(context.model(for: a) as? Keep)
    #expect(model.persistentModelID == a && model.code != "b" && !model.isDeleted)
    let tag = try world.disguised("red", as: a)
    world.shelf.lies.cached = { _ in [a: tag] }
    #expect(world.fresh.model(for: a) is Keep)
  }

  @Test func relatedSnapshotsAreValidatedLikeMatches() throws {
    let world = try World()
    let (red, keep) = (try world.id("red"), try world.id("a"))
    let (lie, foreign) = (
      try world.disguised("a", as: red), try world.disguised("red", as: world.foreign("KeepTag"))
    )
    for snapshot in [lie, foreign] {
      world.shelf.lies.related = { _ in [red: snapshot] }
      refusal("\(snapshot.persistentIdentifier)") {
        _ = try world.fresh.fetch(FetchDescriptor<Keep>())
      }
    }
    // The values do not belong to the identifier.
    let tag = try #require(world.shelf.table.rows[red])
    world.shelf.lies.related = { _ in [keep: tag] }
    let context = world.fresh
    #expect(try KeepWorld.keeps(context)[0].tags.map(\.word) == ["red", "blue"])
  }

  /// References to a model of another class or store are nil.
  @Test func invalidReferencesAreNil() throws {
    let world = try World(ShelfLies(key: { $0 }))
    let (keep, tag, part) = (try world.id("a"), try world.id("red"), try world.id("plain"))
    let snapshot = try #require(world.shelf.table.rows[keep])
    for target in [part, try world.foreign("KeepTag"), keep] {
      world.shelf.table.rows[keep] = snapshot.copy(
        persistentIdentifier: keep, remappedIdentifiers: [tag: target])
      let context = world.fresh
      let known = try context.fetch(FetchDescriptor<KeepPart>())
      let words = try KeepWorld.keeps(context)[0].tags.map(\.word)
      #expect(!words.contains("red"))
      #expect(Set(known.map(\.title)) == ["plain", "screw"])
      let owner = try #require(world.shelf.table.rows[part]).copy(
        persistentIdentifier: part, remappedIdentifiers: [keep: target])
      world.shelf.table.rows[part] = owner
      let other = world.fresh
      let parts = try other.fetch(FetchDescriptor<KeepPart>(sortBy: [SortDescriptor(\.title)]))
      if target != keep { #expect(parts[0].keep == nil) }
      world.shelf.table.rows[part] = owner.copy(
        persistentIdentifier: part, remappedIdentifiers: [target: keep])
    }
  }

  /// Keys are unique per entity, so classes of a hierarchy can have equal keys.
  @Test func classesInAHierarchyCanHaveEqualKeys() throws {
    let world = try World(ShelfLies(key: { $0 + 1 }))
    #expect(try world.id("plain").description == "KeepPart/1")
    #expect(try world.id("screw").description == "KeepScrew/1")
    let context = world.fresh
    let parts = try context.fetch(FetchDescriptor<KeepPart>(sortBy: [SortDescriptor(\.title)]))
    #expect(parts.map(\.title) == ["plain", "screw"] && parts[1] is KeepScrew)
    for part in parts { part.title += "!" }
    try context.save()
    let again = try KeepWorld.keeps(world.fresh)[0].parts.map(\.title)
    #expect(again == ["plain!", "screw!"])
    context.delete(parts[0])
    try context.save()
    #expect(try world.fresh.fetch(FetchDescriptor<KeepPart>()).map(\.title) == ["screw!"])
  }

  // MARK: Results of saves

  /// - Parameter answer: Returns the identifiers for the correct ones.
  private func save(
    _ word: String,
    answer: @escaping ([PersistentIdentifier]) throws -> [PersistentIdentifier]
  ) throws {
    let world = try World()
    let context = world.fresh
    let known = try KeepWorld.keeps(context)
    world.shelf.lies.result = { pairs, _ in
      let lies = (try? answer(pairs.map(\.permanent))) ?? []
      return DataStoreSaveChangesResult(
        for: "shelf",
        remappedIdentifiers: Dictionary(
          zip(pairs.map(\.temporary), lies), uniquingKeysWith: { first, _ in first }))
    }
    let tags = ["x", "y"].map { KeepTag(word: $0) }
    for tag in tags { context.insert(tag) }
    known[0].count = 7
    for _ in 0..<2 { refusal(word) { try context.save() } }
    #expect(tags.allSatisfy { $0.persistentModelID.isTemporary && $0.hasChanges })
    #expect(known[0].count == 7 && known[0].hasChanges && context.insertedModelsArray.count == 2)
    #expect(known.map(\.persistentModelID) == [try world.id("a"), try world.id("b")])
  }

  @Test func duplicateIdentifiersAreRejected() throws {
    try save("another 'KeepTag'") { [$0[0], $0[0]] }
  }

  @Test func mismatchedIdentifiersAreRejected() throws {
    try save("no permanent identifier") { [$0[0]] }
    try save("KeepTag/t") { [$0[0], KeepTag(word: "").persistentModelID] }
    try save("'elsewhere'") { right in
      [right[0], try PersistentIdentifier.identifier(for: "elsewhere", entityName: "KeepTag", primaryKey: 1)]
    }
    try save("another entity") { right in
      [right[0], try PersistentIdentifier.identifier(for: "shelf", entityName: "Keep", primaryKey: 1)]
    }
  }

  /// A registered identifier belongs to another model.
  @Test func registeredIdentifiersAreRejected() throws {
    let world = try World()
    let context = world.fresh
    let tags = try context.fetch(FetchDescriptor<KeepTag>())
    let red = try world.id("red")
    world.shelf.lies.result = { pairs, _ in
      DataStoreSaveChangesResult(for: "shelf", remappedIdentifiers: [pairs[0].temporary: red])
    }
    let new = KeepTag(word: "new")
    context.insert(new)
    refusal("\(red)") { try context.save() }
    #expect(Set(tags.map(\.word)) == ["red", "blue"] && new.word == "new" && new.hasChanges)
  }

  @Test func unrequestedIdentifiersAreIgnored() throws {
    let world = try World()
    let context = world.fresh
    let stray = KeepTag(word: "stray").persistentModelID
    let red = try world.id("red")
    world.shelf.lies.result = { pairs, _ in
      var identifiers = Dictionary(
        pairs.map { ($0.temporary, $0.permanent) }, uniquingKeysWith: { first, _ in first })
      identifiers[stray] = red
      identifiers[red] = stray
      return DataStoreSaveChangesResult(for: "another", remappedIdentifiers: identifiers)
    }
    let new = KeepTag(word: "new")
    context.insert(new)
    try context.save()
    #expect(!context.hasChanges && !new.persistentModelID.isTemporary)
    #expect((context.model(for: red) as? KeepTag)?.word == "red")
  }

  @Test func reregisteredModelsAreValidated() throws {
    let world = try World()
    let (a, b) = (try world.id("a"), try world.id("b"))
    let tag = try world.disguised("red", as: a)
    let other = try #require(world.shelf.table.rows[b])
    let base = try world.disguised("plain", as: world.id("screw"))
    for (identifier, snapshot) in [(a, tag), (a, other), (try world.id("screw"), base)] {
      world.shelf.lies = ShelfLies()
      let context = world.fresh
      let keeps = try KeepWorld.keeps(context)
      let parts = try context.fetch(FetchDescriptor<KeepScrew>())
      world.shelf.lies.result = { _, _ in
        DataStoreSaveChangesResult(for: "shelf", snapshotsToReregister: [identifier: snapshot])
      }
      keeps[0].count += 1
      refusal("\(identifier)") { try context.save() }
      #expect(keeps.map(\.persistentModelID) == [a, b] && parts[0].title == "screw")
    }
  }

  // MARK: Changes during a save

  /// Changes of the saving context by its store would count as saved. They are rejected and reported.
  @Test func storesCannotChangeTheSavingContext() throws {
    let world = try World()
    let context = world.fresh
    let keeps = try KeepWorld.keeps(context)
    let (changed, clean) = (keeps[0], keeps[1])
    let new = Keep(code: "new")
    context.insert(new)
    changed.count = 1
    world.shelf.lies.duringSave = {
      changed.count = 2
      clean.count = 2
      new.count = 2
      changed.tags.removeAll()
      clean.tags = changed.tags
      new.lid = KeepLid(color: "red", keep: new)
      context.insert(KeepTag(word: "inserted"))
      context.delete(changed)
      context.rollback()
      try context.save()
    }
    try context.save()
    world.shelf.lies = ShelfLies()
    #expect(!context.hasChanges && !changed.isDeleted)
    #expect([changed, clean, new].map(\.count) == [1, 0, 0])
    #expect(changed.tags.map(\.word) == ["red", "blue"] && clean.tags.isEmpty && new.lid == nil)
    let stored = try KeepWorld.keeps(world.fresh)
    let words = stored[0].tags.map(\.word)
    #expect(stored.map(\.count) == [1, 0, 0] && words == ["red", "blue"])
    #expect(try world.fresh.fetchCount(FetchDescriptor<KeepTag>()) == 2)
    // After the save, the context works normally.
    changed.count = 3
    context.insert(KeepTag(word: "later"))
    try context.save()
    #expect(try KeepWorld.keeps(world.fresh).map(\.count) == [3, 0, 0])
  }

  /// After a failed save, the context accepts changes.
  @Test func contextsRemainUsableAfterAFailedSave() throws {
    struct Outage: Error {}
    let world = try World()
    let context = world.fresh
    let keeps = try KeepWorld.keeps(context)
    keeps[0].count = 1
    world.shelf.lies.duringSave = { throw Outage() }
    #expect(throws: Outage.self) { try context.save() }
    keeps[0].count = 2
    #expect(keeps[0].count == 2)
    context.rollback()
    #expect(keeps[0].count == 0)
  }

  /// Other contexts of the container can save during a save. The next fetch returns their changes.
  @Test func savesOfAnotherContextDuringASaveAreKept() throws {
    let world = try World()
    let context = world.fresh
    let keeps = try KeepWorld.keeps(context)
    keeps[0].count = 1
    var isFirst = true
    world.shelf.lies.duringSave = {
      guard isFirst else { return }
      isFirst = false
      let other = world.fresh
      try KeepWorld.keeps(other)[1].note = "from inside"
      other.insert(KeepTag(word: "inserted"))
      try other.save()
    }
    try context.save()
    #expect(try KeepWorld.keeps(context).map(\.note) == [nil, "from inside"])
    #expect(keeps[1].note == "from inside" && keeps[0].count == 1)
    #expect(try world.fresh.fetchCount(FetchDescriptor<KeepTag>()) == 3)
  }
}
