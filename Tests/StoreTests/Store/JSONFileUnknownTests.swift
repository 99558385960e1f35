import Foundation
import Testing
import Trellis

/// Data that a newer program wrote is preserved by saves of an older program.
@Suite struct JSONFileUnknownTests {
  private let fixture: JSONFileFixture

  init() throws { fixture = try JSONFileFixture(Permit.self) }

  private func only(_ context: ModelContext) throws -> Permit {
    try #require(try context.fetch(FetchDescriptor<Permit>()).first)
  }

  /// Equivalent to `anUnknownCaseMayReadAsTheDefaultAndIsKept` for SQLite stores.
  @Test func anUnknownCaseReadsAsTheDefaultAndIsKept() throws {
    let unknown = [
      #""payment":{"cheque":{"number":7}}"#, #""perhaps":"paused""#, #""rank":7"#, #""state":"gefrören""#,
    ]
    try fixture.write(#""Permit":[{"$id":1,"name":"one",\#(unknown.joined(separator: ","))}]"#)
    for round in 0..<3 {
      let context = ModelContext(try fixture.container())
      let permit = try only(context)
      #expect(permit.state == .closed && permit.perhaps == nil)
      #expect(permit.rank == .low && permit.payment == .cash)
      // Queries match the value that the property reads as.
      let closed = Permit.State.closed
      let low = Permit.Rank.low
      #expect(
        try context.fetchCount(
          FetchDescriptor<Permit>(
            predicate: #Predicate { $0.state == closed && $0.perhaps == nil && $0.rank == low })) == 1)
      permit.name = "round \(round)"
      context.insert(Permit(name: "other"))
      try context.save()
      for text in unknown { #expect(fixture.text.contains(text), "round \(round)") }
      #expect(fixture.text.contains("\"name\":\"round \(round)\""))
      for other in try context.fetch(FetchDescriptor<Permit>()) where other !== permit { context.delete(other) }
      try context.save()
    }
    let context = ModelContext(try fixture.container())
    let permit = try only(context)
    permit.state = .open
    permit.perhaps = .closed
    permit.rank = .high
    permit.payment = .card(last: 1)
    try context.save()
    for text in unknown { #expect(!fixture.text.contains(text)) }
    let again = try only(ModelContext(try fixture.container()))
    #expect(again.state == .open && again.perhaps == .closed)
    #expect(again.rank == .high && again.payment == .card(last: 1))
  }

  /// Assigning a property its current value replaces the unknown value; an unassigned property keeps it.
  @Test func whatIsWrittenReplacesWhatNobodyKnows() throws {
    try fixture.write(#""Permit":[{"$id":1,"name":"one","perhaps":"paused","state":"frozen"}]"#)
    let context = ModelContext(try fixture.container())
    let permit = try only(context)
    permit.state = .open
    try context.save()
    permit.state = .closed
    try context.save()
    #expect(!fixture.text.contains("frozen") && fixture.text.contains(#""perhaps":"paused""#))
  }

  @Test(arguments: [
    #""exact":"frozen""#, #""state":7"#, #""state":null"#, #""rank":"high""#, #""rank":1.5"#,
    #""payment":{"cheque":}"#, #""payment":nope"#,
  ])
  func whatNoProgramWritesIsDamage(_ member: String) throws {
    try fixture.write(#""Permit":[{"$id":17,"name":"one",\#(member)}]"#)
    let before = fixture.bytes
    let error = try #require(try fixture.refusal(), "\(member)")
    #expect(error.storeProblem == .damaged)
    #expect("\(error)".contains("Permit") && "\(error)".contains(fixture.file.path), "\(error)")
    #expect(fixture.bytes == before)
  }

  private static let members = [
    #""byName":{"a":{"name":"x","fax":[1,{"deep":"é"}]}}"#,
    #""holder":{"fax":"1","name":"a","more":{"b":null}}"#,
    #""holders":[{"name":"a"},{"name":"b","fax":true}]"#,
    #""owner":{"name":"o","fax":3e2}"#,
    #""team":[{"name":"t","fax":1},{"name":"u"},{"name":"v"},{"name":"w"}]"#,
  ]

  @Test func membersNobodyKnowsStay() throws {
    try fixture.write(#""Permit":[{"$id":1,"name":"one",\#(Self.members.joined(separator: ","))}]"#)
    for round in 0..<3 {
      let context = ModelContext(try fixture.container())
      let permit = try only(context)
      #expect(permit.holder == Permit.Holder(name: "a") && permit.owner == Permit.Holder(name: "o"))
      #expect(permit.holders.map(\.name) == ["a", "b"] && permit.team?.count == 4)
      permit.name = "round \(round)"
      try context.save()
      for text in Self.members { #expect(fixture.text.contains(text), "round \(round)") }
      // A save that fails and a rollback read the file again.
      permit.name = "not saved"
      context.rollback()
      permit.exact = .closed
      try context.save()
      for text in Self.members { #expect(fixture.text.contains(text), "round \(round), again") }
    }
  }

  /// Each property is handled separately, as in SQLite stores.
  @Test(arguments: 0..<5) func membersNobodyKnowsGoWithTheValue(_ index: Int) throws {
    try fixture.write(#""Permit":[{"$id":1,"name":"one",\#(Self.members.joined(separator: ","))}]"#)
    let context = ModelContext(try fixture.container())
    let permit = try only(context)
    let new = Permit.Holder(name: "new")
    switch index {
    case 0: permit.byName = ["n": new]
    case 1: permit.holder = new
    case 2: permit.holders = [new]
    case 3: permit.owner = new
    default: permit.team = [new]
    }
    try context.save()
    for (place, text) in Self.members.enumerated() {
      #expect(fixture.text.contains(text) == (place != index))
    }
    let again = try only(ModelContext(try fixture.container()))
    let values: [[Permit.Holder]] = [
      Array(again.byName.values), [again.holder].compactMap { $0 }, again.holders,
      [again.owner].compactMap { $0 }, Array(again.team ?? []),
    ]
    #expect(values[index] == [new])
  }

  /// Array elements that a type ignores, and digits beyond the precision of a number.
  @Test func whatATypeDoesNotReadStays() throws {
    let texts = [#""pair":[1,2,3]"#, #""price":1.50000000000000000000000000000000000000000000000001"#]
    try fixture.write(#""Permit":[{"$id":1,"name":"one",\#(texts.joined(separator: ","))}]"#)
    for round in 0..<2 {
      let context = ModelContext(try fixture.container())
      let permit = try only(context)
      #expect(permit.pair == Pair(x: 1, y: 2) && permit.price == 1.5)
      permit.name = "round \(round)"
      try context.save()
      for text in texts { #expect(fixture.text.contains(text), "round \(round)") }
    }
    let context = ModelContext(try fixture.container())
    try only(context).pair = Pair(x: 4, y: 5)
    try only(context).price = 2
    try context.save()
    for text in texts { #expect(!fixture.text.contains(text)) }
  }

  /// The next keys of models that the schema does not contain.
  @Test func theNextNumbersOfOtherModelsStay() throws {
    let text = JSONFileFixture.document(#""Permit":[{"$id":1,"name":"one"}]"#)
      .replacing("\"models\"", with: #""nextKeys":{"Permit":5,"Gone":9},"models""#)
    try fixture.write(bytes: Array(text.utf8))
    let context = ModelContext(try fixture.container())
    try only(context).name = "two"
    let new = Permit(name: "three")
    context.insert(new)
    try context.save()
    #expect(fixture.text.contains(#""nextKeys": {"$history":1,"Gone":9,"Permit":6}"#), "\(fixture.text)")
  }

  /// A file that a store wrote contains no unknown data.
  @Test func whatTheStoreWritesIsRewrittenAlike() throws {
    try {
      let context = ModelContext(try fixture.container())
      let permit = Permit(name: "a")
      permit.holder = Permit.Holder(name: "b", mail: "c/d")
      permit.byName = ["z": Permit.Holder(name: "1"), "a": Permit.Holder(name: "2")]
      permit.payment = .card(last: 4)
      permit.owner = Permit.Holder(name: "é")
      context.insert(permit)
      try context.save()
    }()
    let before = fixture.text
    let context = ModelContext(try fixture.container())
    try only(context).name = "b"
    try context.save()
    #expect(
      fixture.text
        == before.replacing(#""name":"a""#, with: #""name":"b""#)
        .replacing(#""$history":1"#, with: #""$history":2"#))
  }

  /// A set has a canonical encoded order, so that unchanged values have equal text.
  @Test func setsHaveOneForm() throws {
    let holders = (0..<40).map { Permit.Holder(name: "h\($0)") }
    let context = ModelContext(try fixture.container())
    for number in 0..<8 {
      let permit = Permit(name: "one")
      var team = Set<Permit.Holder>(minimumCapacity: 50 << number)
      for holder in number % 2 == 0 ? holders : holders.reversed() { team.insert(holder) }
      permit.team = team
      context.insert(permit)
    }
    try context.save()
    let lines = fixture.text.split(separator: "\n").filter { $0.contains("\"team\"") }
    let teams = Set(lines.map { $0[($0.firstRange(of: "\"team\"")?.lowerBound ?? $0.startIndex)...].prefix(500) })
    #expect(lines.count == 8 && teams.count == 1, "\(teams)")
  }
}
