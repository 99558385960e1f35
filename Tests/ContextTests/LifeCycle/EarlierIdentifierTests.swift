import Foundation
import RelationshipsGolden
import SampleTripsGolden
import TestStores
import Testing
import Trellis

/// Identifiers read before the first save, and the placeholders that `model(for:)` returns without a row.
@Suite struct EarlierIdentifierTests {
  let fixture: ContextFixture
  let context: ModelContext

  init() throws {
    IssueLog.start()
    fixture = try ContextFixture()
    context = fixture.context
  }

  private func count<T: PersistentModel>(_ predicate: Predicate<T>, in context: ModelContext? = nil) throws -> Int {
    try (context ?? self.context).fetchCount(FetchDescriptor(predicate: predicate))
  }

  // MARK: Saved models

  /// Models that are created in several orders, so that serial numbers and rows advance at different distances.
  @Test(arguments: [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 0, 1, 5, 3, 4], [0, 2, 4, 1, 3, 5]])
  func savedModelsAreFoundByTheirTemporaryIdentifiers(order: [Int]) throws {
    var early: [String: PersistentIdentifier] = [:]
    for round in ["a", "b"] {
      var readers = (0..<6).map { reader("\(round)\($0)") }
      for number in order.prefix(4) { early[readers[number].name] = readers[number].persistentModelID }
      for number in order {
        context.insert(readers[number])
        if number.isMultiple(of: 2) { context.insert(Library()) }
      }
      try context.save()
      for model in readers where early[model.name] != nil {
        let identifier = early[model.name]!
        #expect(identifier.isTemporary && identifier != model.persistentModelID)
        #expect(context.model(for: identifier) === model)
        let known: Reader? = context.registeredModel(for: identifier)
        #expect(known === model)
      }
      readers = []
    }
    #expect(early.count == 8)
    for (name, identifier) in early {
      // No object is registered any more.
      let unknown: Reader? = context.registeredModel(for: identifier)
      #expect(unknown == nil)
      #expect((context.model(for: identifier) as? Reader)?.name == name)
      #expect(try context.existingModel(for: identifier, as: Reader.self)?.name == name)
      #expect(try context.existingModel(for: identifier, as: Library.self) == nil)
      #expect(try fixture.fresh().existingModel(for: identifier, as: Reader.self) == nil)
    }
  }

  @Test func temporaryIdentifiersOfDeletedModelsMatchNothing() throws {
    let model = reader("a")
    let early = model.persistentModelID
    context.insert(model)
    try context.save()
    context.delete(model)
    #expect(try context.existingModel(for: early, as: Reader.self) == nil)
    try context.save()
    #expect(try context.existingModel(for: early, as: Reader.self) == nil)
    #expect(context.model(for: early).isDeleted)
  }

  @Test func modelsDeletedByAnotherContextAreNotFound() throws {
    let model = reader("a")
    context.insert(model)
    try context.save()
    let other = fixture.fresh()
    other.delete(try #require(try other.existingModel(for: model.persistentModelID, as: Reader.self)))
    try other.save()
    #expect(try context.existingModel(for: model.persistentModelID, as: Reader.self) == nil)
  }

  /// Evaluated in SQL, and in memory if a pending change of a related model may change the result.
  @Test(arguments: [false, true])
  func predicatesAcceptTemporaryIdentifiers(isPending: Bool) throws {
    let (mentor, other) = (reader("mentor"), reader("other"))
    let (early, earlyOther) = (mentor.persistentModelID, other.persistentModelID)
    let earlyOptional: PersistentIdentifier? = early
    let pupils = ["p", "q", "r"].map(reader)
    for model in [mentor, other] + pupils { context.insert(model) }
    for pupil in pupils.prefix(2) { pupil.mentor = mentor }
    pupils[2].mentor = other
    try context.save()
    if isPending { other.name = "another" }
    let none = reader("none").persistentModelID
    #expect(try count(#Predicate<Reader> { $0.persistentModelID == early }) == 1)
    #expect(try context.fetch(FetchDescriptor<Reader>(predicate: #Predicate { $0.id == early })).first === mentor)
    #expect(try count(#Predicate<Reader> { $0.mentor?.persistentModelID == early }) == 2)
    #expect(try count(#Predicate<Reader> { $0.mentor?.persistentModelID == earlyOptional }) == 2)
    #expect(try count(#Predicate<Reader> { $0.mentor?.persistentModelID != early && $0.mentor != nil }) == 1)
    #expect(try count(#Predicate<Reader> { $0.mentor?.persistentModelID == none }) == 0)
    let both = [early, earlyOther]
    #expect(try count(#Predicate<Reader> { both.contains($0.persistentModelID) }) == 2)
    let set = Set([early, none])
    #expect(try count(#Predicate<Reader> { set.contains($0.persistentModelID) }) == 1)
    // Reads a name behind the reference, so the predicate depends on pending changes to related rows.
    let slice = both[0..<1]
    let perhaps: [PersistentIdentifier]? = both
    #expect(try count(#Predicate<Reader> { slice.contains($0.persistentModelID) }) == 1)
    #expect(try count(#Predicate<Reader> { (perhaps ?? []).contains($0.persistentModelID) }) == 2)
    let crossing = #Predicate<Reader> { $0.mentor?.persistentModelID == early && $0.mentor?.name == "mentor" }
    #expect(try count(crossing) == 2)
    #expect(try count(#Predicate<Reader> { $0.mentor?.persistentModelID == early }, in: fixture.fresh()) == 0)
    #expect(try mentor.related(\.pupils).filter(#Predicate { $0.mentor?.persistentModelID == early }).count == 2)
    try context.delete(model: Reader.self, where: #Predicate { $0.mentor?.persistentModelID == early })
    try context.save()
    #expect(try fixture.storedReaders().map(\.name) == [isPending ? "another" : "other", "mentor", "r"].sorted())
  }

  @Test func customStoresFindModelsByTemporaryIdentifiers() throws {
    let file = ScratchFile()
    let container = try ModelContainer(for: Trip.self, configurations: JSONStore.Configuration(url: file.url))
    let context = ModelContext(container)
    var model: Trip? = trip("trip")
    let early = try #require(model?.persistentModelID)
    context.insert(try #require(model))
    try context.save()
    #expect(context.model(for: early) === model)
    #expect(try count(#Predicate<Trip> { $0.persistentModelID == early }, in: context) == 1)
    let item = BucketListItem(title: "item")
    item.trip = model
    try context.save()
    #expect(try count(#Predicate<BucketListItem> { $0.trip?.persistentModelID == early }, in: context) == 1)
    let items = try context.fetch(FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.trip?.id == early }))
    #expect(items.map(\.title) == ["item"])
    // The context compares stored values.
    model?.name = "changed"
    var stored = FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.trip?.persistentModelID == early })
    stored.includePendingChanges = false
    #expect(try context.fetchCount(stored) == 1 && context.fetch(stored).first === item)
    model?.name = "trip"
    model?.bucketList = []
    try context.save()
    model = nil
    #expect(try context.existingModel(for: early, as: Trip.self)?.name == "trip")
  }

  // MARK: Placeholders

  /// The ways in which a program can pass a placeholder to a context.
  enum Handing: CaseIterable {
    case insertion, initializer, reference, referenceOfSavedModel, list, listOfSavedModel, initialList
  }

  @Test(arguments: Handing.allCases)
  func placeholdersNeverBecomeRows(_ handing: Handing) throws {
    let saved = reader("saved")
    context.insert(saved)
    try context.save()
    // An identifier that was never saved.
    let unsaved = reader("unsaved")
    let placeholder = try #require(context.model(for: unsaved.persistentModelID) as? Reader)
    #expect(placeholder.isDeleted && placeholder.modelContext == nil && placeholder.name.isEmpty)
    var owner: Reader? = reader("owner")
    switch handing {
    case .insertion: context.insert(placeholder)
    case .initializer: owner = Reader(name: "owner", mentor: placeholder, friends: [])
    case .reference: owner?.mentor = placeholder
    case .referenceOfSavedModel: saved.mentor = placeholder
    case .list: owner?.pupils.append(placeholder)
    case .listOfSavedModel: saved.pupils.append(placeholder)
    case .initialList: owner = Reader(name: "owner", friends: [placeholder])
    }
    if let owner { context.insert(owner) }
    try context.save()
    #expect(IssueLog.contains { "\($0)".contains("\(unsaved.persistentModelID)") })
    let stored = try fixture.storedReaders()
    #expect(stored.map(\.name) == ["owner", "saved"])
    #expect(stored.allSatisfy { $0.mentor == nil && $0.pupils.isEmpty && $0.friends.isEmpty })
    #expect(placeholder.modelContext == nil && placeholder.isDeleted)
  }

  @Test(arguments: [false, true])
  func placeholdersDoNotSatisfyRequiredRelationships(isSaved: Bool) throws {
    let placeholder = try #require(context.model(for: reader("unsaved").persistentModelID) as? Reader)
    let book: Book
    if isSaved {
      book = Book(title: "t", firstReader: reader("first"))
      context.insert(book)
      try context.save()
      context.delete(book.firstReader)
      book.firstReader = placeholder
    } else {
      book = Book(title: "t", firstReader: placeholder)
      context.insert(book)
    }
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details.map(\.property) == ["firstReader"])
    #expect(try fixture.storedReaders().map(\.name) == (isSaved ? ["first"] : []))
  }
}
