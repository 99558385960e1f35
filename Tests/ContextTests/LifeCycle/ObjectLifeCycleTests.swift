import Foundation
import TestStores
import Testing
import Trellis

@testable import TestWorlds

/// Tests of the table in the article "ObjectLifeCycle", row by row.
@Suite struct ObjectLifeCycleTests {
  let fixture: LifeCycleFixture
  let context: ModelContext

  init() throws {
    IssueLog.start()
    fixture = try LifeCycleFixture()
    context = fixture.context
  }

  /// A saved sculpture with destinations of all its relationships.
  private func sculpture() throws -> Sculpture {
    let model = Sculpture(
      title: "Stone", studio: studio(), maker: artist("A"), subjects: [Subject(word: "sea")],
      weight: 3, honours: Subject(word: "king"))
    context.insert(model)
    try context.save()
    return model
  }

  /// Checks that every write is rejected, reported, and changes neither side.
  private func expectRefusals(_ model: Sculpture) {
    let before = IssueLog.refusals(of: model.persistentModelID)
    let title = model.title
    let other = artist("other")
    model.title = "refused"
    model.weight = 100
    model.studio = studio("refused")
    model.maker = other
    model.subjects = []
    model.subjects.append(Subject(word: "refused"))
    #expect(model.title == title && model.weight == 3)
    #expect(other.made.isEmpty && other.modelContext == nil)
    #expect(IssueLog.refusals(of: model.persistentModelID) == before + 6)
    #expect(model.isDeleted)
  }

  @Test func draftsAreOrdinaryObjects() {
    let model = Sculpture(title: "Stone", studio: studio(), maker: artist("A"), weight: 3)
    #expect(model.modelContext == nil && !model.isDeleted && !model.hasChanges)
    #expect(model.studio?.name == "North" && model.studio?.pieces.first === model)
    model.title = "Marble"
    model.maker = artist("B")
    #expect(model.title == "Marble" && model.maker.made.first === model)
    #expect(model.persistentModelID.isTemporary)
  }

  @Test func modelsPendingDeletionAreReadableAndRejectWrites() throws {
    let model = try sculpture()
    let maker = model.maker
    context.delete(model)
    #expect(model.isDeleted && model.hasChanges && model.modelContext === context)
    #expect(model.title == "Stone" && model.studio?.name == "North" && model.maker === maker)
    #expect(model.subjects.map(\.word) == ["sea"])
    #expect(maker.made.isEmpty)
    expectRefusals(model)
    context.rollback()
    #expect(!model.isDeleted && maker.made.first === model)
    model.title = "writable"
    #expect(model.title == "writable")
  }

  @Test func deletedModelsKeepTheirAttributes() throws {
    let model = try sculpture()
    context.delete(model)
    try context.save()
    #expect(model.isDeleted && !model.hasChanges && model.modelContext == nil)
    #expect(model.title == "Stone" && model.weight == 3)
    #expect(model.studio == nil && model.honours == nil)
    #expect(model.maker.isDeleted && model.maker.name == "")
    #expect(model.subjects.isEmpty)
    expectRefusals(model)
    context.insert(model)
    #expect(model.modelContext == nil && model.isDeleted)
    context.delete(model)
    context.rollback()
    #expect(model.isDeleted)
  }

  @Test func deletingAnUnsavedInsertionMarksItAsDeleted() throws {
    let model = Sculpture(title: "Stone", maker: artist("A"), weight: 3)
    context.insert(model)
    context.delete(model)
    #expect(model.isDeleted && model.modelContext === context)
    expectRefusals(model)
    try context.save()
    #expect(model.isDeleted && model.modelContext == nil && model.title == "Stone")
    expectRefusals(model)
  }

  @Test func S058_rolledBackInsertionsCanBeInsertedAgain() throws {
    let model = Sculpture(title: "Stone", maker: artist("A"), weight: 3)
    context.insert(model)
    context.rollback()
    #expect(model.isDeleted && model.modelContext == nil && model.title == "Stone")
    #expect(!context.hasChanges)
    expectRefusals(model)
    model.maker.name = "placeholder"
    context.insert(model)
    #expect(!model.isDeleted && model.modelContext === context)
    model.maker = artist("B")
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Sculpture>()).first?.maker.name == "B")
  }

  @Test func modelsRetainAReleasedContextAndCanMoveToAnother() throws {
    var scratch: ModelContext? = ModelContext(fixture.container)
    let saved = try sculpture()
    let model = try #require(
      scratch?.model(for: saved.persistentModelID) as? Sculpture)
    _ = model.subjects
    model.weight = 4
    scratch = nil
    #expect(model.modelContext != nil && !model.isDeleted && model.hasChanges)
    #expect(model.title == "Stone" && model.weight == 4)
    #expect(model.studio?.name == "North" && model.maker.name == "A")
    model.title = "Marble"
    #expect(model.title == "Marble")
    let other = fixture.fresh()
    other.insert(model)
    #expect(model.modelContext === other && model.hasChanges)
    #expect(model.studio?.name == "North" && model.maker.name == "A")
    try other.save()
    let read = try fixture.fresh().fetch(FetchDescriptor<Sculpture>()).first
    #expect(read?.title == "Marble" && read?.weight == 4 && read?.maker.name == "A")
  }

  @Test func listsAreReadableAfterTheContextIsReleased() throws {
    let saved = try sculpture()
    var scratch: ModelContext? = ModelContext(fixture.container)
    let model = try #require(scratch?.model(for: saved.persistentModelID) as? Sculpture)
    scratch = nil
    #expect(model.subjects.map(\.word) == ["sea"])
    model.subjects.append(Subject(word: "new"))
    #expect(model.subjects.map(\.word) == ["sea", "new"])
  }

  @Test func modelsRetainTheirContainer() throws {
    let model: Sculpture
    do {
      let other = try LifeCycleFixture()
      model = Sculpture(title: "Stone", maker: artist("A"), weight: 3)
      other.context.insert(model)
      try other.context.save()
    }
    #expect(model.modelContext != nil && model.title == "Stone" && model.maker.name == "A")
    model.title = "Marble"
    #expect(model.title == "Marble")
    // The row belongs to another store, which its context retains. This context does not insert it.
    context.insert(model)
    #expect(model.modelContext !== context && !context.hasChanges)
    #expect(
      IssueLog.contains { issue in
        if case .foreignModel(model.persistentModelID, _) = issue { true } else { false }
      })
  }

  @Test func modelsBelongToOneContext() throws {
    let other = fixture.fresh()
    for model in [try sculpture(), artist("unsaved")] as [any PersistentModel] {
      context.insert(model)
      other.insert(model)
      #expect(model.modelContext === context && !other.hasChanges)
      #expect(
        IssueLog.contains { issue in
          if case .foreignModel(model.persistentModelID, "insert(_:)") = issue { true } else { false }
        })
    }
  }

  @Test func rowsDeletedByAnotherContextAreDetectedAtTheNextFetch() throws {
    let model = try sculpture()
    let other = fixture.fresh()
    other.delete(other.model(for: model.persistentModelID) as? Sculpture ?? model)
    try other.save()
    #expect(!model.isDeleted && model.title == "Stone")
    _ = try context.fetchCount(FetchDescriptor<Piece>())
    #expect(model.isDeleted && model.modelContext == nil && model.title == "Stone")
    #expect(model.studio == nil)
    expectRefusals(model)
  }

  @Test func S045_rowsErasedByDeleteAllDataAreDeletedAtTheNextFetch() throws {
    let model = try sculpture()
    let draft = studio("draft")
    context.insert(draft)
    fixture.container.deleteAllData()
    _ = try context.fetchCount(FetchDescriptor<Piece>())
    #expect(model.isDeleted && model.title == "Stone" && model.modelContext == nil)
    expectRefusals(model)
    #expect(!draft.isDeleted)
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Studio>()).map(\.name) == ["draft"])
  }

  @Test func changesOfErasedRowsDoNotFailTheSave() throws {
    let model = try sculpture()
    model.title = "changed"
    fixture.container.deleteAllData()
    try context.save()
    #expect(model.isDeleted && model.title == "changed" && !context.hasChanges)
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Piece>()) == 0)
  }

  @Test func S066_placeholdersContainOnlyTheirIdentifier() throws {
    let model = try sculpture()
    let unknown = try PersistentIdentifier.identifier(
      for: try #require(model.persistentModelID.storeIdentifier), entityName: "Piece",
      primaryKey: 999_999)
    let placeholder = try #require(context.model(for: unknown) as? Piece)
    #expect(placeholder.persistentModelID == unknown && placeholder.isDeleted)
    #expect(placeholder.title == "" && placeholder.price == nil && placeholder.state == .planned)
    #expect(placeholder.studio == nil && placeholder.subjects.isEmpty)
    #expect(placeholder.modelContext == nil && !placeholder.hasChanges)
    placeholder.title = "refused"
    placeholder.studio = model.studio
    #expect(placeholder.title == "" && model.studio?.pieces.count == 1)
    #expect(IssueLog.refusals(of: unknown) == 2)
    context.delete(placeholder)
    context.insert(placeholder)
    #expect(!context.hasChanges)
    let known: Piece? = context.registeredModel(for: unknown)
    #expect(known == nil)
  }

  @Test func identifiersOfUnknownEntitiesHavePlaceholders() throws {
    let foreign = try PersistentIdentifier.identifier(
      for: "elsewhere", entityName: "Spaceship", primaryKey: 1)
    let placeholder = context.model(for: foreign)
    #expect(placeholder.persistentModelID == foreign)
    #expect(placeholder.modelContext == nil && !placeholder.hasChanges)
  }

  @Test func assigningAModelOfAnotherContainerIsRejected() throws {
    let model = try sculpture()
    let foreign = artist("foreign")
    let other = try LifeCycleFixture()
    other.context.insert(foreign)
    try other.context.save()
    let maker = model.maker
    model.maker = foreign
    #expect(model.maker === maker && foreign.made.isEmpty)
    #expect(
      IssueLog.contains { issue in
        if case .foreignModel(foreign.persistentModelID, _) = issue { true } else { false }
      })
    #expect(foreign.modelContext === other.context)
  }

  @Test func deletedModelsCannotBecomeMembers() throws {
    let model = try sculpture()
    let maker = model.maker
    context.delete(model)
    maker.made = [model]
    #expect(maker.made.isEmpty)
    try context.save()
    maker.made.append(model)
    #expect(maker.made.isEmpty)
  }
}
