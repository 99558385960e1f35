import Foundation
import TestSupport
import Testing
import Trellis

/// Unsaved changes of a model that another context deletes must not be dropped silently.
@Suite struct LostChangesTests {
  /// The kind of the other context.
  enum Other: CaseIterable { case contextInMemory, contextOnDisk, contextOverSnapshots, program }

  /// Two contexts for one store.
  private struct Pair {
    let here: ModelContext
    let there: ModelContext
    private let places: StorePlace
    private let other: ModelContainer?

    init(_ other: Other) throws {
      let schema = Schema([Folder.self, File.self, Vehicle.self, Truck.self, Person.self, City.self, Song.self])
      let kind: StoreKind =
        switch other {
        case .contextInMemory: .memory
        case .contextOnDisk, .program: .disk
        case .contextOverSnapshots: .snapshots
        }
      places = try StorePlace(kind, schema)
      here = places.fresh()
      guard other == .program, let url = places.container.configurations.first?.url else {
        self.other = nil
        there = places.fresh()
        return
      }
      let container = try ModelContainer(
        for: schema, configurations: ModelConfiguration(schema: schema, url: url))
      self.other = container
      there = ModelContext(container)
    }

    func insert<T: PersistentModel>(_ models: T...) throws {
      for model in models { here.insert(model) }
      try here.save()
    }

    func deleteThere(_ model: any PersistentModel) throws {
      there.delete(there.model(for: model.persistentModelID))
      try there.save()
    }

    /// The stored values, read by a new context.
    func stored<T: PersistentModel, R>(_ read: (T) -> R) throws -> [R] {
      let context = ModelContext(there.container)
      return try withExtendedLifetime(context) { try context.fetch(FetchDescriptor<T>()).map(read) }
    }
  }

  private func lost(_ context: ModelContext) -> [PersistentIdentifier] {
    do {
      try context.save()
      return []
    } catch let error as SwiftDataError where error == .modelValidationFailure {
      #expect(error.details.allSatisfy { $0.rule == .deletedElsewhere })
      #expect("\(error)".contains("delete the model here too, roll back, or replace"))
      return error.details.map(\.model).sorted()
    } catch {
      Issue.record(error)
      return []
    }
  }

  @Test(arguments: Other.allCases, [false, true])
  func savesNameAllLostChanges_andDeletingTheModelsSavesOtherChanges(_ other: Other, looksFirst: Bool) throws {
    let pair = try Pair(other)
    let (a, b, c, d) = (Folder(name: "a"), Folder(name: "b"), Folder(name: "c"), Folder(name: "d"))
    try pair.insert(a, b, c, d)
    for model in [a, b, d] { try pair.deleteThere(model) }
    (a.name, b.name, c.name) = ("a2", "b2", "c2")
    if looksFirst { _ = try pair.here.fetchCount(FetchDescriptor<File>()) }
    let both = [a, b].map(\.persistentModelID).sorted()
    for _ in 0..<2 {
      #expect(lost(pair.here) == both)
      #expect(pair.here.hasChanges && !a.isDeleted && a.name == "a2" && b.name == "b2")
      #expect(pair.here.changedModelsArray.count == 3)
    }
    #expect(d.isDeleted)
    pair.here.delete(a)
    #expect(lost(pair.here) == [b.persistentModelID])
    pair.here.delete(b)
    let copy = Folder(name: b.name)
    pair.here.insert(copy)
    try pair.here.save()
    #expect(a.isDeleted && b.isDeleted && !pair.here.hasChanges)
    #expect(try pair.stored(\Folder.name).sorted() == ["b2", "c2"])
    try pair.here.save()
  }

  @Test(arguments: Other.allCases)
  func rollbackDiscardsThem(_ other: Other) throws {
    let pair = try Pair(other)
    let (a, b) = (Folder(name: "a"), Folder(name: "b"))
    try pair.insert(a, b)
    try pair.deleteThere(a)
    a.name = "a2"
    b.name = "b2"
    #expect(lost(pair.here) == [a.persistentModelID])
    pair.here.rollback()
    #expect(a.isDeleted && a.modelContext == nil && a.name == "a" && !b.isDeleted)
    #expect(!pair.here.hasChanges)
    b.name = "b3"
    try pair.here.save()
    #expect(try pair.stored(\Folder.name) == ["b3"])
  }

  @Test(arguments: Other.allCases)
  func newMembersOfADeletedOwnerAreNotLost(_ other: Other) throws {
    let pair = try Pair(other)
    let (folder, rest) = (Folder(name: "a"), Folder(name: "rest"))
    try pair.insert(folder, rest)
    try pair.deleteThere(folder)
    let file = File(name: "new")
    folder.files.append(file)
    #expect(lost(pair.here) == [folder.persistentModelID])
    #expect(folder.files.map(\.name) == ["new"] && file.folder === folder)
    // After a move to another owner, the deleted owner has no changes to save.
    rest.files.append(file)
    pair.here.delete(folder)
    try pair.here.save()
    #expect(file.folder === rest && rest.files.map(\.name) == ["new"])
    #expect(try pair.stored { (file: File) in file.folder?.name } == ["rest"])
  }

  @Test(arguments: Other.allCases)
  func deletingTheOwnerAppliesItsRules(_ other: Other) throws {
    let pair = try Pair(other)
    let folder = Folder(name: "a")
    try pair.insert(folder)
    try pair.deleteThere(folder)
    let file = File(name: "new", folder: folder)
    pair.here.insert(file)
    #expect(lost(pair.here) == [folder.persistentModelID])
    pair.here.delete(folder)
    try pair.here.save()
    #expect(file.isDeleted && !pair.here.hasChanges)
    #expect(try pair.stored(\File.name).isEmpty)
  }

  /// A removal from a deleted owner, or of a deleted member, loses no data.
  @Test(arguments: Other.allCases)
  func removedRelativesAreNotAChangeOfTheModel(_ other: Other) throws {
    let pair = try Pair(other)
    let (city, elsewhere) = (City(name: "c"), City(name: "e"))
    let (person, spouse) = (Person(name: "p"), Person(name: "s"))
    person.home = city
    person.birthplace = city
    person.spouse = spouse
    try pair.insert(person)
    try pair.insert(elsewhere)
    _ = city.residents.count
    try pair.deleteThere(city)
    try pair.deleteThere(spouse)
    // Both ends change, but only one of them can be saved.
    person.home = elsewhere
    person.spouse = nil
    try pair.here.save()
    #expect(city.isDeleted && spouse.isDeleted && person.birthplace == nil)
    #expect(elsewhere.residents.map(\.name) == ["p"])
    #expect(try pair.stored { (person: Person) in person.home?.name } == ["e"])
  }

  @Test(arguments: Other.allCases)
  func undoingTheChangeResolvesTheError(_ other: Other) throws {
    let pair = try Pair(other)
    let folder = Folder(name: "a")
    try pair.insert(folder)
    pair.here.undoManager = UndoManager()
    folder.name = "b"
    try pair.deleteThere(folder)
    #expect(lost(pair.here) == [folder.persistentModelID])
    pair.here.undoManager?.undo()
    #expect(folder.isDeleted && folder.name == "a" && !pair.here.hasChanges)
    try pair.here.save()
  }

  @Test(arguments: Other.allCases)
  func throwingTransactionsRestoreTheLostChanges(_ other: Other) throws {
    struct Stop: Error {}
    let pair = try Pair(other)
    let (a, b) = (Folder(name: "a"), Folder(name: "b"))
    try pair.insert(a, b)
    a.name = "a2"
    #expect(throws: Stop.self) {
      try pair.here.transaction {
        b.name = "b2"
        try pair.deleteThere(a)
        try pair.deleteThere(b)
        _ = try pair.here.fetchCount(FetchDescriptor<Folder>())
        pair.here.rollback()
        #expect(a.isDeleted && b.isDeleted)
        throw Stop()
      }
    }
    // At the start of the transaction, "a" had a change and "b" had none.
    #expect(!a.isDeleted && a.name == "a2" && b.isDeleted)
    #expect(lost(pair.here) == [a.persistentModelID])
    pair.here.delete(a)
    try pair.here.save()
    #expect(!pair.here.hasChanges)
  }

  @Test(arguments: Other.allCases)
  func subclassModelsAreReported(_ other: Other) throws {
    let pair = try Pair(other)
    let (truck, vehicle) = (Truck(name: "t", load: 1), Vehicle(name: "v"))
    try pair.insert(truck)
    try pair.insert(vehicle)
    try pair.deleteThere(truck)
    truck.load = 2
    vehicle.name = "w"
    #expect(lost(pair.here) == [truck.persistentModelID])
    pair.here.delete(truck)
    try pair.here.save()
    #expect(try pair.stored(\Vehicle.name) == ["w"])
  }

  /// Erasing discards pending changes intentionally.
  @Test func erasingDiscardsPendingChanges() throws {
    let pair = try Pair(.contextInMemory)
    let folder = Folder(name: "a")
    try pair.insert(folder)
    folder.name = "b"
    try pair.here.container.erase()
    try pair.here.save()
    #expect(folder.isDeleted && !pair.here.hasChanges)
  }

  /// For any change here and deletion there, the change is saved or its model is reported.
  @Test(arguments: Other.allCases)
  func everyChangeIsSavedOrReported(_ other: Other) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<12 {
      let pair = try Pair(other)
      let models = (0..<6).map { Folder(name: "\($0)") }
      for model in models { pair.here.insert(model) }
      try pair.here.save()
      var expected = Dictionary(uniqueKeysWithValues: models.map { ($0.persistentModelID, $0.name) })
      var changed: Set<PersistentIdentifier> = []
      var gone: Set<PersistentIdentifier> = []
      for step in 0..<Int.random(in: 1...10, using: &random) {
        guard let model = models.randomElement(using: &random) else { continue }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !gone.contains(model.persistentModelID):
          gone.insert(model.persistentModelID)
          try pair.deleteThere(model)
        case 1: _ = try pair.here.fetchCount(FetchDescriptor<Folder>())
        default:
          guard !model.isDeleted else { continue }
          model.name = "\(step)"
          changed.insert(model.persistentModelID)
          expected[model.persistentModelID] = model.name
        }
      }
      let named = lost(pair.here)
      #expect(Set(named) == gone.intersection(changed), "seed \(seed)")
      for model in models where named.contains(model.persistentModelID) {
        #expect(model.name == expected[model.persistentModelID])
        pair.here.delete(model)
      }
      try pair.here.save()
      let rest = expected.filter { !gone.contains($0.key) }.values
      #expect(try pair.stored(\Folder.name).sorted() == rest.sorted(), "seed \(seed)")
    }
  }
}
