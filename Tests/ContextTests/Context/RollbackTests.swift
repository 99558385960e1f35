import RelationshipsGolden
import Testing
import Trellis

@Suite struct RollbackTests {
  let fixture: ContextFixture
  let context: ModelContext

  private struct Stop: Error {}

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
  }

  @Test func rolledBackGraphsCanBeInsertedAgain() throws {
    let saved = reader("saved")
    context.insert(saved)
    try context.save()
    let new = reader("new")
    let mentor = reader("mentor")
    mentor.pupils = [new, saved]
    context.insert(mentor)
    context.rollback()
    #expect(saved.mentor == nil)
    context.insert(mentor)
    #expect(saved.mentor === mentor && new.mentor === mentor)
    try context.save()
    let stored = try fixture.storedReaders()
    #expect(stored.first { $0.name == "mentor" }?.pupils.count == 2)
  }

  @Test func childrenReinsertedWithoutTheirParentAreSaved() throws {
    let child = reader("child")
    let parent = reader("parent")
    parent.pupils = [child]
    context.insert(parent)
    context.rollback()
    context.insert(child)
    #expect(child.mentor == nil)
    try context.save()
    #expect(try fixture.storedReaders().map(\.name) == ["child"])
  }

  @Test func reinsertedChildrenAppearInTheirSavedParent() throws {
    let parent = reader("parent")
    context.insert(parent)
    try context.save()
    let child = reader("child")
    child.mentor = parent
    context.rollback()
    #expect(parent.pupils.isEmpty)
    context.insert(child)
    #expect(child.mentor === parent && parent.pupils.first === child)
    try context.save()
    #expect(try fixture.storedReaders().first?.mentor?.name == "parent")
  }

  @Test func throwingTransactionsRestoreChangesTheyRolledBack() throws {
    let mentor = reader("mentor")
    context.insert(mentor)
    try context.save()
    let pupil = reader("pupil")
    mentor.pupils = [pupil]
    mentor.friends = [pupil]
    #expect(throws: Stop.self) {
      try context.transaction {
        context.rollback()
        throw Stop()
      }
    }
    #expect(mentor.pupils.first === pupil && pupil.friends.first === mentor)
    try context.save()
    let stored = try fixture.storedReaders()
    #expect(stored.map { $0.pupils.count } == [1, 0])
    #expect(stored.map { $0.friends.count } == [1, 1])
  }

  @Test func throwingTransactionsRollBackToTheirLastSave() throws {
    let model = reader("before")
    context.insert(model)
    #expect(throws: Stop.self) {
      try context.transaction {
        try context.save()
        model.name = "after"
        throw Stop()
      }
    }
    #expect(model.name == "before" && !model.persistentModelID.isTemporary)
    #expect(!context.hasChanges)
    try context.save()
    #expect(try fixture.storedReaders().map(\.name) == ["before"])
  }

  @Test func nestedTransactionsAreSavedByTheOuterTransaction() throws {
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(reader("outer"))
        try context.transaction { context.insert(reader("inner")) }
        throw Stop()
      }
    }
    #expect(!context.hasChanges)
    #expect(try fixture.storedReaders().isEmpty)
  }
}
