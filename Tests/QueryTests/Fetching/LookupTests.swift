import Foundation
import Testing

@testable import Trellis
@testable import TrellisModel

@Suite struct LookupTests {
  @Test func registeredIdentifiersAreFoundWithoutTheStore() throws {
    let fixture = try FetchFixture()
    try fixture.fill(5)
    let context = fixture.context
    let all = try context.fetch(.byCode)
    let id = all[2].persistentModelID
    let byIdentity = FetchDescriptor<Excursion>(predicate: #Predicate { $0.persistentModelID == id })
    let byID = FetchDescriptor<Excursion>(predicate: #Predicate { $0.id == id })
    let queries = try fixture.queries { () throws in
      for descriptor in [byIdentity, byID] {
        #expect(try context.fetch(descriptor).first === all[2])
        #expect(try context.fetchCount(descriptor) == 1)
        #expect(try context.fetchIdentifiers(descriptor) == [id])
      }
      var page = byIdentity
      page.fetchLimit = 1
      #expect(try context.fetch(page).count == 1)
      page.fetchOffset = 1
      #expect(try context.fetch(page).isEmpty)
      #expect(try context.fetchCount(page) == 0)
    }
    #expect(queries == [])
    // In another context, it is one read by key.
    var codes: [String] = []
    let read = try fixture.queries { codes = try fixture.fresh().fetch(byIdentity).map(\.code) }
    #expect(codes == ["e002"] && read.count == 1)
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func identifierLookupsFollowPendingChanges(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(2)
    let context = fixture.context
    let all = try context.fetch(.byCode)
    func found(_ id: PersistentIdentifier, pending: Bool = true) throws -> [Excursion] {
      var descriptor = FetchDescriptor<Excursion>(predicate: #Predicate { $0.persistentModelID == id })
      descriptor.includePendingChanges = pending
      let found = try context.fetch(descriptor)
      #expect(try context.fetchCount(descriptor) == found.count)
      #expect(try context.fetchIdentifiers(descriptor) == found.map(\.persistentModelID))
      return found
    }
    let new = Excursion(code: "new")
    context.insert(new)
    let temporary = new.persistentModelID
    #expect(try found(temporary).first === new)
    #expect(try found(temporary, pending: false).isEmpty)
    all[0].title = "changed"
    #expect(try found(all[0].persistentModelID).first === all[0])
    context.delete(all[1])
    #expect(try found(all[1].persistentModelID).isEmpty)
    #expect(try found(all[1].persistentModelID, pending: false).first === all[1])
    let gone = all[1].persistentModelID
    try context.save()
    #expect(try found(gone).isEmpty)
    // The context has saved the model.
    #expect(try found(temporary).first === new)
    #expect(try found(new.persistentModelID).first === new)
    // A row of another table with an equal number is another model.
    let guide = Guide(name: "g")
    context.insert(guide)
    try context.save()
    #expect(try found(guide.persistentModelID).isEmpty)
  }

  /// A lookup by key with an insertion if the model is missing, as in an import.
  @Test func keyLookupsSeeAnyNumberOfPendingModels() throws {
    let fixture = try FetchFixture()
    try fixture.fill(3)
    let context = fixture.context
    func found(_ code: String) throws -> [Excursion] {
      let descriptor = FetchDescriptor<Excursion>(
        predicate: #Predicate { $0.code == code && $0.length >= 0 })
      let found = try context.fetch(descriptor)
      #expect(try context.fetchCount(descriptor) == found.count)
      return found
    }
    for number in 0..<300 {
      let key = "k\(number % 100)"
      if let known = try found(key).first {
        known.length += 1
      } else {
        let excursion = Excursion(code: "")
        context.insert(excursion)
        excursion.code = key
      }
    }
    #expect(try context.fetchCount(FetchDescriptor<Excursion>()) == 103)
    #expect(try found("k7").first?.length == 2)
    #expect(context.pending.index != nil)

    // Values that change and change back.
    let seventh = try #require(found("k7").first)
    seventh.code = "other"
    #expect(try found("k7").isEmpty && found("other").first === seventh)
    seventh.code = "k7"
    #expect(try found("other").isEmpty && found("k7").first === seventh)
    let stored = try #require(found("e001").first)
    stored.code = "moved"
    #expect(try found("e001").isEmpty && found("moved").first === stored)
    context.delete(stored)
    #expect(try found("moved").isEmpty)
    context.insert(stored)
    #expect(try found("moved").first === stored)
    context.delete(seventh)
    #expect(try found("k7").isEmpty)
    struct Stop: Error {}
    try? context.transaction {
      for number in 0..<20 { context.insert(Excursion(code: "t\(number)")) }
      stored.code = "inside"
      #expect(try found("inside").first === stored && found("t3").count == 1)
      throw Stop()
    }
    #expect(try found("inside").isEmpty && found("t3").isEmpty)
    #expect(try found("moved").first === stored)
    context.rollback()
    #expect(try found("e001").first === stored && found("k3").isEmpty)
  }

  @Test func S066_S067_modelsByIdentifier() throws {
    let fixture = try FetchFixture()
    try fixture.fill(2)
    let context = fixture.context
    let ids = try fixture.fresh().fetchIdentifiers(.byCode)
    let unknown: Excursion? = context.registeredModel(for: ids[0])
    #expect(unknown == nil)
    let model = try #require(context.model(for: ids[0]) as? Excursion)
    #expect(model.code == "e000" && context.model(for: ids[0]) === model)
    let known: Excursion? = context.registeredModel(for: ids[0])
    #expect(known === model)
    let mismatch: Guide? = context.registeredModel(for: ids[0])
    #expect(mismatch == nil)
    // A row that does not exist: an object with that identifier and without a context.
    let missing = try PersistentIdentifier.identifier(
      for: ids[0].storeIdentifier ?? "", entityName: "Excursion", primaryKey: 4711)
    let placeholder = context.model(for: missing)
    #expect(placeholder.persistentModelID == missing && placeholder.isDeleted)
    #expect(placeholder.modelContext == nil && !context.hasChanges)
  }

  /// Tables have equal row numbers: guide 1 is not excursion 1.
  @Test func identifiersOfOtherEntitiesMatchNothing() throws {
    let fixture = try FetchFixture()
    try fixture.fill(3) { _, excursion in excursion.guide = Guide(name: "g") }
    let context = fixture.fresh()
    let guides = try context.fetchIdentifiers(FetchDescriptor<Guide>())
    let excursions = try context.fetchIdentifiers(FetchDescriptor<Excursion>())
    #expect(guides.map(\.row) == excursions.map(\.row))
    let first = guides[0]
    let either = guides + [excursions[2]]
    let descriptors: [(FetchDescriptor<Excursion>, [PersistentIdentifier])] = [
      (FetchDescriptor(predicate: #Predicate { guides.contains($0.persistentModelID) }), []),
      (
        FetchDescriptor(predicate: #Predicate { either.contains($0.persistentModelID) }),
        [excursions[2]]
      ),
      (FetchDescriptor(predicate: #Predicate { $0.persistentModelID == first }), []),
      (
        FetchDescriptor(
          predicate: #Predicate { $0.length >= 0 && $0.persistentModelID != first }), excursions
      ),
      (
        FetchDescriptor(
          predicate: #Predicate { excursion in
            excursion.guide.flatMap { $0.persistentModelID == excursion.persistentModelID } == true
          }), []
      ),
    ]
    for (descriptor, expected) in descriptors {
      #expect(try context.fetchIdentifiers(descriptor) == expected)
      #expect(try context.fetchCount(descriptor) == expected.count)
      #expect(try context.fetch(descriptor).map(\.persistentModelID) == expected)
      #expect(try context.aggregate(.count, over: descriptor) == expected.count)
    }
  }
}
