import RelationshipsGolden
import Testing
import Trellis

@Suite struct DeletedTargetTests {
  let fixture: ContextFixture
  let context: ModelContext

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
  }

  @Test func aNewModelIsSavedWithoutItsDeletedParent() throws {
    let mentor = reader("mentor")
    context.insert(mentor)
    try context.save()
    context.delete(mentor)
    try context.save()
    let pupil = reader("pupil")
    pupil.mentor = mentor
    context.insert(pupil)
    #expect(pupil.mentor == nil)
    try context.save()
    #expect(try fixture.storedReaders().map(\.mentor) == [nil])
  }

  @Test func modelsPendingDeletionRejectNewRelationships() throws {
    let mentor = reader("mentor")
    let old = reader("old")
    context.insert(mentor)
    context.insert(old)
    try context.save()
    context.delete(mentor)
    let pupil = reader("pupil")
    context.insert(pupil)
    pupil.mentor = mentor
    old.mentor = mentor
    #expect(pupil.mentor == nil && old.mentor == nil)
    try context.save()
    #expect(try fixture.storedReaders().allSatisfy { $0.mentor == nil })
  }

  @Test func referencesToModelsDeletedInTheSameSaveAreCleared() throws {
    let sponsor = reader("sponsor")
    context.insert(sponsor)
    let saved = Library(sponsor: sponsor)
    context.insert(saved)
    try context.save()
    let new = Library(sponsor: sponsor)
    context.insert(new)
    context.delete(sponsor)
    try context.save()
    #expect(new.sponsor == nil && saved.sponsor == nil)
    let stored = try fixture.fresh().fetch(FetchDescriptor<Library>())
    #expect(stored.count == 2)
    #expect(stored.allSatisfy { $0.sponsor == nil })
  }

  @Test func deniedDeletionsSucceedAfterTheOtherEndIsCleared() throws {
    let desk = Desk()
    let library = Library(desk: desk)
    context.insert(library)
    try context.save()
    context.delete(library)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(context.deletedModelsArray.count == 1)
    desk.library = nil
    try context.save()
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Library>()) == 0)
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Desk>()) == 1)
  }

  @Test func deniedDeletionsDoNotChangeLoadedLists() throws {
    let blocked = Library(desk: Desk())
    let library = Library()
    let book = Book(title: "book", library: library, firstReader: reader("first"))
    context.insert(blocked)
    context.insert(book)
    try context.save()
    #expect(library.books.count == 1)
    context.delete(book)
    context.delete(blocked)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(library.books.isEmpty)
    context.rollback()
    #expect(library.books.count == 1)
    #expect(book.firstReader.firstBook === book)
  }

  @Test func requiredTargetsCannotBeDeletedAlone() throws {
    let first = reader("first")
    let book = Book(title: "book", firstReader: first)
    context.insert(book)
    try context.save()
    context.delete(first)
    #expect {
      try context.save()
    } throws: { error in
      (error as? SwiftDataError)?.details.map(\.model) == [book.persistentModelID]
    }
    #expect(!book.hasChanges && context.deletedModelsArray.count == 1)
    context.delete(book)
    try context.save()
    #expect(try fixture.storedReaders().isEmpty)
  }

  @Test func cascadesIncludeModelsInsertedAfterTheDeletion() throws {
    let library = Library()
    context.insert(library)
    try context.save()
    let book = Book(title: "book", library: library, firstReader: reader("first"))
    context.insert(book)
    context.delete(library)
    try context.save()
    #expect(book.isDeleted)
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Book>()) == 0)
    #expect(try fixture.storedReaders().map(\.name) == ["first"])
  }
}
