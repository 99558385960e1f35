import RelationshipsGolden
import SampleTripsGolden
import Testing
import Trellis

@Suite struct ForeignModelTests {
  @Test func modelsOfOtherContainersAreNotConfusedWithRowsOfEqualKey() throws {
    let here = try ContextFixture()
    let there = try ContextFixture()
    let mine = reader("mine")
    here.context.insert(mine)
    try here.context.save()
    let theirs = reader("theirs")
    there.context.insert(theirs)
    try there.context.save()
    let library = Library()
    here.context.insert(library)
    library.sponsor = theirs
    #expect(library.sponsor == nil)
    here.context.delete(theirs)
    #expect(!mine.isDeleted && !theirs.isDeleted)
    let known: Reader? = here.context.registeredModel(for: theirs.persistentModelID)
    #expect(known == nil)
    #expect((here.context.model(for: theirs.persistentModelID) as? Reader)?.name == "")
  }

  @Test func unsavedModelsOfOtherContextsAreRejected() throws {
    let fixture = try ContextFixture()
    let foreign = reader("foreign")
    fixture.fresh().insert(foreign)
    let library = Library()
    fixture.context.insert(library)
    library.sponsor = foreign
    #expect(library.sponsor == nil)
    try fixture.context.save()
  }

  @Test func savedModelsOfAReleasedContextCanBeInsertedElsewhere() throws {
    let fixture = try ContextFixture()
    let model = reader("first")
    do {
      let scratch = ModelContext(fixture.container)
      scratch.insert(model)
      try scratch.save()
    }
    #expect(model.modelContext != nil)
    model.name = "edited"
    model.mentor = reader("mentor")
    fixture.context.insert(model)
    #expect(model.modelContext === fixture.context)
    #expect(fixture.context.changedModelsArray.count == 1)
    try fixture.context.save()
    #expect(try fixture.storedReaders().map(\.name) == ["edited", "mentor"])
    #expect(try fixture.storedReaders().first?.modelContext != nil)
    #expect(model.mentor?.pupils.first === model)
  }

  @Test func aRowHasAtMostOneObjectPerContext() throws {
    let fixture = try ContextFixture()
    let model = reader("first")
    fixture.context.insert(model)
    try fixture.context.save()
    let twin = try #require(
      try ModelContext(fixture.container).fetch(FetchDescriptor<Reader>()).first)
    fixture.context.insert(twin)
    #expect(twin.modelContext !== fixture.context)
    #expect(try fixture.context.fetch(FetchDescriptor<Reader>()).first === model)
    #expect(!fixture.context.hasChanges)
  }

  @Test func modelsOfAnotherSchemaAreRejected() throws {
    let container = try ModelContainer(
      for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let stranger = reader("stranger")
    context.insert(stranger)
    #expect(stranger.modelContext == nil && context.insertedModelsArray.isEmpty)
    #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
    context.rollback()
    #expect(!context.hasChanges)
    #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<Reader>()) }
    #expect(throws: SwiftDataError.unknownSchema) {
      try context.fetchCount(FetchDescriptor<Reader>())
    }
    let fixture = try ContextFixture()
    let saved = reader("saved")
    fixture.context.insert(saved)
    try fixture.context.save()
    context.delete(saved)
    #expect(!saved.isDeleted)
    #expect((context.registeredModel(for: saved.persistentModelID) as Reader?) == nil)
    #expect((context.model(for: saved.persistentModelID) as? Reader) == nil)
  }
}
