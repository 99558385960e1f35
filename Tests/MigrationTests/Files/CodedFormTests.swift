import Foundation
import Testing
import Trellis

/// Structs with a changed encoding: `Coded.schema` and its released version.
@Suite struct CodedFormTests {
  private typealias Old = CodedSchema.V1_0_0

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    let context = try fixture.open(Old.self)
    context.insert(
      Old.Thing(
        name: "a", plain: Old.Plain(p: 1, q: "one"), maybe: Old.Plain(p: 2, q: nil),
        keyed: Old.Keyed(a: 3, b: 4), cents: Old.Cents(value: 5),
        inner: Old.Thing.Inner(n: 9), flat: Old.Plain(p: 6, q: "six")))
    context.insert(
      Old.Thing(
        name: "b", plain: Old.Plain(p: -1, q: nil), maybe: nil, keyed: Old.Keyed(a: 0, b: 0),
        cents: Old.Cents(value: 0), inner: Old.Thing.Inner(n: 0), flat: Old.Plain(p: 0, q: nil)))
    try context.save()
  }

  /// The types of a released version keep their keys and code.
  @Test func theOldVersionWritesTheOldForm() throws {
    let row = try fixture.shell("SELECT plain, keyed, cents, inner FROM Thing WHERE name = 'a'")
    #expect(row == #"{"p":1,"q":"one"}|{"b":4,"x":3}|"c5"|{"n":9}"#)
  }

  @Test func fillsReadTheOldFormAndWriteTheNewOne() throws {
    let fingerprint = "SELECT value FROM trellis_metadata WHERE key = 'fingerprint'"
    let before = try fixture.shell(fingerprint)
    for _ in 0..<2 {
      let context = try fixture.open(CodedSchema.V2_0_0.self, CodedMigrationPlan.self)
      let things = try context.fetch(FetchDescriptor<Thing>(sortBy: [SortDescriptor(\.name)]))
      #expect(things.map(\.plain) == [Plain(p: 1, q: "one"), Plain(p: -1, q: nil)])
      #expect(things.map(\.maybe) == [Plain(p: 2, q: nil), nil])
      #expect(things.map(\.keyed) == [Keyed(width: 3, b: 4, c: 8), Keyed(width: 0, b: 0, c: 8)])
      #expect(things.map(\.cents) == [Cents(value: 5), Cents(value: 0)])
      #expect(things.map(\.inner) == [Thing.Inner(n: 9), Thing.Inner(n: 0)])
      #expect(things.map(\.flat) == [Plain(p: 6, q: "six"), Plain(p: 0, q: nil)])
    }
    #expect(!before.isEmpty)
    #expect(try fixture.shell(fingerprint) != before)
    let row = try fixture.shell("SELECT plain, maybe, cents, inner FROM Thing WHERE name = 'a'")
    #expect(row == #"{"pp":1,"qq":"one"}|{"pp":2}|"cents 5"|{"y":9}"#)
    #expect(try fixture.complaints() == "")
  }
}
