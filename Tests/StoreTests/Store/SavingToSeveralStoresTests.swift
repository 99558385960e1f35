import Foundation
import Testing
import Trellis

/// A save to two stores: no store commits before all stores have written and validated their changes.
@MainActor @Suite struct SavingToSeveralStoresTests {
  enum Kind: CaseIterable { case memory, disk, shelf, secondShelf }

  /// Two stores: one for keeps, one for grains.
  final class Place {
    let container: ModelContainer
    let context: ModelContext
    let scratch: Scratch
    let shelf = ShelfConfiguration()
    let secondShelf = ShelfConfiguration(identifier: "second shelf")

    init(keeps: Kind, grains: Kind, isReversed: Bool = false, allowsGrains: Bool = true) throws {
      let scratch = try Scratch()
      self.scratch = scratch
      let (shelf, secondShelf) = (shelf, secondShelf)
      func configuration(_ kind: Kind, _ name: String, _ schema: Schema, _ allowsSave: Bool)
        -> any DataStoreConfiguration
      {
        switch kind {
        case .memory:
          return ModelConfiguration(
            name, schema: schema, isStoredInMemoryOnly: true, allowsSave: allowsSave)
        case .disk:
          return ModelConfiguration(
            name, schema: schema, url: scratch.file("\(name).store"), allowsSave: allowsSave)
        case .shelf, .secondShelf:
          var configuration = kind == .shelf ? shelf : secondShelf
          (configuration.name, configuration.schema) = (name, schema)
          return configuration
        }
      }
      let (one, two) = (Schema([Keep.self, KeepScrew.self]), Schema([Grain.self]))
      let all = Schema([Keep.self, KeepScrew.self, Grain.self])
      if !allowsGrains {
        let context = ModelContext(
          try ModelContainer(for: two, configurations: [configuration(grains, "grains", two, true)]))
        context.insert(Grain())
        try context.save()
      }
      let stores = [configuration(keeps, "keeps", one, true), configuration(grains, "grains", two, allowsGrains)]
      container = try ModelContainer(for: all, configurations: isReversed ? stores.reversed() : stores)
      context = ModelContext(container)
    }

    func counts() throws -> [Int] {
      let other = ModelContext(container)
      return [
        try other.fetchCount(FetchDescriptor<Keep>()), try other.fetchCount(FetchDescriptor<Grain>()),
      ]
    }
  }

  @Test(arguments: [Kind.memory, .disk, .shelf], [false, true])
  func readOnlyStoresPreventSavingToTheOther(_ kind: Kind, _ isReversed: Bool) throws {
    let place = try Place(keeps: kind, grains: .disk, isReversed: isReversed, allowsGrains: false)
    place.context.insert(Keep(code: "a"))
    place.context.insert(Grain())
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try place.context.save() }
    #expect(error?.explanation?.contains("'grains'") == true)
    #expect(try place.counts() == [0, 1])
    #expect(place.context.insertedModelsArray.count == 2)
    for case let grain as Grain in place.context.insertedModelsArray { place.context.delete(grain) }
    try place.context.save()
    #expect(try place.counts() == [1, 1])
  }

  @Test(arguments: Kind.allCases, Kind.allCases)
  func violationsInOneStorePreventSavingToTheOther(_ keeps: Kind, _ grains: Kind) throws {
    guard keeps != grains || [.memory, .disk].contains(keeps) else { return }
    for isReversed in [false, true] {
      let place = try Place(keeps: keeps, grains: grains, isReversed: isReversed)
      let (first, second) = (Keep(code: "a"), Keep(code: "b"))
      place.context.insert(first)
      place.context.insert(second)
      try place.context.save()
      second.code = "a"
      place.context.insert(Grain())
      #expect(throws: SwiftDataError.modelValidationFailure) { try place.context.save() }
      #expect(try place.counts() == [2, 0])
      #expect(place.context.changedModelsArray.count == 1 && place.context.insertedModelsArray.count == 1)
      second.code = "c"
      try place.context.save()
      #expect(try place.counts() == [2, 1])
      #expect(!place.context.hasChanges)
    }
  }

  /// A custom store cannot prepare a save, so it saves first.
  @Test(arguments: [Kind.memory, .disk], [false, true])
  func failedCustomStoresPreventSavingToTables(_ kind: Kind, _ isReversed: Bool) throws {
    struct Full: Error {}
    let place = try Place(keeps: .shelf, grains: kind, isReversed: isReversed)
    place.shelf.shelf.lies.duringSave = { throw Full() }
    place.context.insert(Keep(code: "a"))
    place.context.insert(Grain())
    #expect(throws: Full.self) { try place.context.save() }
    #expect(try place.counts() == [0, 0])
    place.shelf.shelf.lies.duringSave = nil
    try place.context.save()
    #expect(try place.counts() == [1, 1])
  }

  @Test func partialSavesAreReported() throws {
    struct Full: Error {}
    let place = try Place(keeps: .shelf, grains: .secondShelf)
    place.context.insert(Keep(code: "a"))
    place.context.insert(Grain())
    // The second store fails after the first one has saved.
    place.secondShelf.shelf.lies.duringSave = { throw Full() }
    let error = #expect(throws: SwiftDataError.partialSave) { try place.context.save() }
    #expect(error?.savedConfigurations == ["keeps"])
    #expect(error?.underlyingError is Full)
    #expect(error.map { "\($0)" }?.contains("saved to 'keeps' but not to the other stores") == true)
    #expect(place.context.insertedModelsArray.count == 1 && place.context.insertedModelsArray.first is Grain)
    place.secondShelf.shelf.lies.duringSave = nil
    try place.context.save()
    #expect(try place.counts() == [1, 1])
  }

  /// Programs that save to equal files in different orders must not deadlock.
  @Test func containersWithADifferentStoreOrderDoNotDeadlock() async throws {
    let scratch = try Scratch()
    let (one, two) = (Schema([Keep.self, KeepScrew.self]), Schema([Grain.self]))
    let all = Schema([Keep.self, KeepScrew.self, Grain.self])
    let stores = [
      ModelConfiguration("keeps", schema: one, url: scratch.file("keeps.store")),
      ModelConfiguration("grains", schema: two, url: scratch.file("grains.store")),
    ]
    let containers = [
      try ModelContainer(for: all, configurations: stores),
      try ModelContainer(for: all, configurations: stores.reversed()),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, container) in containers.enumerated() {
        group.addTask {
          let context = ModelContext(container)
          for round in 0..<40 {
            context.insert(Keep(code: "\(number) \(round)"))
            context.insert(Grain())
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let context = ModelContext(containers[0])
    #expect(try context.fetchCount(FetchDescriptor<Keep>()) == 80)
    #expect(try context.fetchCount(FetchDescriptor<Grain>()) == 80)
  }
}
