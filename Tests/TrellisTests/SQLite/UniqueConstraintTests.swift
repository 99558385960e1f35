import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct UniqueConstraintTests {
  private let fixture: StoreFixture
  private let store: DefaultStore

  init() throws {
    fixture = try StoreFixture(Member.self)
    store = try fixture.open()
  }

  private func member(
    _ email: String, first: String = "", badge: Int? = nil, pinned: Int? = nil
  ) -> Member.Snapshot {
    Member.Snapshot().with {
      $0.email = email
      $0.first = first
      $0.badge = badge
      $0.pinned = pinned
    }
  }

  private var members: [Member.Snapshot] {
    get throws { try store.values(Member.Snapshot.self) }
  }

  @Test func replacingKeepsTheIdentifierAndTakesTheValues() throws {
    let old = try store.save(insert: [member("a", first: "old").snapshot()])
    let friend = member("b")
    let new = member("a", first: "new")
    let reference = friend.with { $0.boss = new.persistentIdentifier }
    let saved = try store.save(insert: [reference.snapshot(), new.snapshot()])
    #expect(saved[1] == old[0])
    #expect(try members.map(\.first) == ["new", ""])
    #expect(try members.map(\.boss) == [nil, old[0]])
    #expect(try fixture.complaints() == "")
  }

  @Test func modelsOfOneSaveConflictWithEachOther() throws {
    let saved = try store.save(
      insert: [member("a", first: "1").snapshot(), member("a", first: "2").snapshot()])
    #expect(saved[0] == saved[1])
    #expect(try members.map(\.first) == ["2"])
  }

  @Test func keepingDiscardsTheNewModel() throws {
    let old = try store.save(insert: [member("a", first: "old", pinned: 1).snapshot()])
    let request = DataStoreSaveChangesRequest(
      inserted: [member("b", first: "new", pinned: 1).snapshot()], updated: [], deleted: [],
      editingState: StoreFixture.context)
    let result = try store.save(request)
    #expect(Array(result.remappedIdentifiers.values) == old)
    #expect(result.snapshotsToReregister[old[0]]?.value(named: "first") as? String == "old")
    #expect(try members.map(\.email) == ["a"])
  }

  @Test func failingReportsAllConflictsAndWritesNothing() throws {
    let old = try store.save(insert: [member("a", badge: 7).snapshot()])
    let new = member("b", badge: 7)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) {
      try store.save(insert: [member("c").snapshot(), new.snapshot()])
    }
    let violation = try #require(error?.details.first)
    #expect(violation.rule == .unique)
    #expect(violation.properties == ["badge"])
    #expect(violation.model == new.persistentIdentifier)
    #expect(violation.others == old)
    #expect(violation.reason.contains("7"))
    #expect(try members.map(\.email) == ["a"])
  }

  @Test func nilConflictsWithNothing() throws {
    try store.save(insert: (0..<3).map { member("\($0)").snapshot() })
    #expect(try members.count == 3)
  }

  @Test func valuesCanBeExchanged() throws {
    let saved = try store.save(insert: ["a", "b", "c"].map { member($0).snapshot() })
    let emails = ["b", "c", "a"]
    try store.save(
      update: zip(saved, emails).map { identifier, email in
        member(email).with { $0.persistentIdentifier = identifier }.snapshot(changed: [1])
      })
    #expect(try members.map(\.email) == emails)
  }

  @Test func deletedModelsReleaseTheirValues() throws {
    let saved = try store.save(insert: ["a", "b"].map { member($0).snapshot() })
    let gone = Member.Snapshot(placeholder: saved[0]).snapshot()
    let heir = member("a").with { $0.persistentIdentifier = saved[1] }
    try store.save(
      insert: [member("b").snapshot()], update: [heir.snapshot(changed: [1])], delete: [gone])
    #expect(try members.map(\.email) == ["a", "b"])
  }

  @Test func changesNeverMergeTwoModels() throws {
    let saved = try store.save(insert: ["a", "b"].map { member($0).snapshot() })
    let second = member("a").with { $0.persistentIdentifier = saved[1] }
    let error = #expect(throws: SwiftDataError.modelValidationFailure) {
      try store.save(update: [second.snapshot(changed: [1])])
    }
    #expect(error?.details.first?.others == [saved[0]])
    #expect(try members.map(\.email) == ["a", "b"])
  }

  @Test func equivalentUnicodeTextsConflict() throws {
    let old = try store.save(insert: [member("caf\u{e9}", first: "old").snapshot()])
    let saved = try store.save(insert: [member("cafe\u{301}", first: "new").snapshot()])
    #expect(saved == old)
    #expect(try members.map(\.first) == ["new"])
    let email = try members[0].email
    #expect(email.utf8.elementsEqual("cafe\u{301}".utf8))
    #expect(store.marks.mayHoldNonNFC("Member", "email"))
    // The reverse case, after the store contains such text.
    let again = try store.save(insert: [member("caf\u{e9}").snapshot()])
    #expect(again == old)
    #expect(try members.count == 1)
  }
}
