import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct ColumnFlagsTests {
  @Test func flagsAreSetByTheFirstValueAndSeenByAllStores() throws {
    let fixture = try StoreFixture(Specimen.self)
    let store = try fixture.open()
    let other = try fixture.open()
    try store.save(
      insert: [
        Specimen.Snapshot().with {
          $0.text = "caf\u{e9} Kyiv Київ 東京 👩‍👩‍👧‍👦 한국"
          $0.names = ["\u{e9}"]
        }.snapshot()
      ])
    #expect(!store.marks.mayHoldNonNFC("Specimen", "text"))
    let odd = Specimen.Snapshot().with {
      $0.text = "cafe\u{301}"
      $0.double = .nan
      $0.maybe = .nan
    }
    try store.save(insert: [odd.snapshot()])
    #expect(store.marks.mayHoldNonNFC("Specimen", "text"))
    #expect(!store.marks.mayHoldNonNFC("Specimen", "note"))
    #expect(
      store.marks.mayHoldNaN("Specimen", "double") && store.marks.mayHoldNaN("Specimen", "maybe"))
    // Another container reads the flag when a query depends on it.
    #expect(!other.marks.mayHoldNonNFC("Specimen", "text"))
    let text = "caf\u{e9}"
    let found = try other.values(
      Specimen.Snapshot.self, FetchDescriptor(predicate: #Predicate { $0.text == text }))
    #expect(found.count == 1)
    #expect(other.marks.mayHoldNonNFC("Specimen", "text"))
    #expect(try fixture.open().marks.mayHoldNaN("Specimen", "double"))
  }

  @Test func failedSavesLeaveNoFlagInTheFile() throws {
    let fixture = try StoreFixture(Member.self)
    let store = try fixture.open()
    let odd = Member.Snapshot().with {
      $0.email = "e\u{301}"
      $0.badge = 1
    }
    try store.save(insert: [Member.Snapshot().with { $0.badge = 1 }.snapshot()])
    #expect(throws: SwiftDataError.self) { try store.save(insert: [odd.snapshot()]) }
    let marks = try fixture.open().marks
    #expect(!marks.mayHoldNonNFC("Member", "email"))
    try store.save(insert: [odd.with { $0.badge = 2 }.snapshot()])
    #expect(try fixture.open().marks.mayHoldNonNFC("Member", "email"))
  }
}
