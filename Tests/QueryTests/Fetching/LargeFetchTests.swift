import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Large fetches must not read registered models, hash rows in order, or keep pages of a scan.
@Suite struct LargeFetchTests {
  private static let orders: [FetchDescriptor<Excursion>] = [
    FetchDescriptor(), .byCode, FetchDescriptor(sortBy: [SortDescriptor(\.code, order: .reverse)]),
    FetchDescriptor(sortBy: [SortDescriptor(\.title), SortDescriptor(\.length, order: .reverse)]),
    FetchDescriptor(predicate: #Predicate { $0.length % 5 != 2 }),
    FetchDescriptor(predicate: #Predicate { $0.length == 6 }),
  ]

  /// Excursions with zero to three legs and labels each.
  private func filled(_ kind: FetchFixture.Kind) throws -> FetchFixture {
    let fixture = try FetchFixture(kind)
    let labels = (0..<3).map { Label(name: "l\($0)") }
    try fixture.fill(90) { number, excursion in
      for leg in 0..<number % 4 { excursion.legs.append(Leg(number: leg)) }
      excursion.labels = Array(labels.prefix(number % 4))
    }
    return fixture
  }

  @Test(arguments: FetchFixture.Kind.allCases, [false, true])
  func listsOfManyOwnersAreNotMixedUp(_ kind: FetchFixture.Kind, isPrefetched: Bool) throws {
    let fixture = try filled(kind)
    for var descriptor in Self.orders {
      if isPrefetched { descriptor.relationshipKeyPathsForPrefetching = [\.legs, \.labels] }
      let context = fixture.fresh()
      // One registered model has a loaded list, another one a change.
      let first = try context.fetch(FetchDescriptor<Excursion>(predicate: #Predicate { $0.length == 7 }))
      #expect(first.first?.legs.count == 3)
      let changed = try context.fetch(
        FetchDescriptor<Excursion>(predicate: #Predicate { $0.length == 6 }))
      changed.first?.legs.append(Leg(number: 9))
      for excursion in try context.fetch(descriptor) {
        let number = excursion.length
        let legs = Array(0..<number % 4) + (number == 6 ? [9] : [])
        #expect(excursion.legs.map(\.number).sorted() == legs)
        #expect(excursion.legs.allSatisfy { $0.excursion === excursion })
        #expect(excursion.labels.count == number % 4)
      }
      context.rollback()
      for excursion in try context.fetch(descriptor) {
        #expect(excursion.legs.count == excursion.length % 4)
      }
    }
  }

  @Test func prefetchedListsFollowLaterChanges() throws {
    let fixture = try filled(.tables)
    let context = fixture.fresh()
    var descriptor = FetchDescriptor.byCode
    descriptor.relationshipKeyPathsForPrefetching = [\.legs]
    let excursions = try context.fetch(descriptor)
    context.delete(excursions[3].legs[1])
    #expect(excursions[3].legs.map(\.number) == [0, 2])
    excursions[7].legs.removeFirst()
    excursions[7].legs.append(excursions[11].legs[0])
    #expect(excursions[11].legs.map(\.number) == [1, 2])
    context.rollback()
    #expect(excursions[3].legs.map(\.number) == [0, 1, 2])
    #expect(excursions[7].legs.map(\.number) == [0, 1, 2])
    #expect(excursions[11].legs.map(\.number) == [0, 1, 2])
    context.delete(excursions[3].legs[1])
    excursions[7].legs.removeFirst()
    try context.save()
    let other = try fixture.fresh().fetch(.byCode)
    for excursions in [excursions, other] {
      #expect(excursions[3].legs.map(\.number) == [0, 2])
      #expect(excursions[7].legs.map(\.number) == [1, 2])
    }
  }

  @Test func registeredModelsAreNotReadAgain() throws {
    let fixture = try FetchFixture()
    try fixture.fill(200)
    let context = fixture.fresh()
    let all = try context.fetch(FetchDescriptor<Excursion>())
    var again: [Excursion] = []
    let queries = try fixture.queries { again = try context.fetch(FetchDescriptor<Excursion>()) }
    #expect(again == all)
    #expect(queries.count == 1 && !queries[0].contains("title"), "\(queries)")
  }

  /// The registered models are the first, the last or in the middle. Some rows are deleted and some are new.
  @Test(arguments: [100..<200, 0..<100, 60..<140]) func unregisteredModelsAreRead(_ known: Range<Int>) throws {
    let fixture = try FetchFixture()
    try fixture.fill(200)
    let context = fixture.fresh()
    let held = Array(try context.fetch(.byCode)[known])
    let scattered = try context.fetch(.byCode).filter { $0.length % 7 == 3 }
    let other = fixture.fresh()
    try other.delete(model: Excursion.self, where: #Predicate { $0.length == 80 })
    other.insert(Excursion(code: "z", length: 200))
    try other.save()
    let found = try context.fetch(FetchDescriptor<Excursion>())
    #expect(Set(found.map(\.length)) == Set(0...200).subtracting([80]))
    #expect(found.count == 200)
    for model in held + scattered where model.length != 80 {
      #expect(found.contains { $0 === model })
    }
    #expect(found.map(\.persistentModelID) == found.map(\.persistentModelID).sorted())
  }
}
