import Foundation
import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Changes that cannot be made in phases, because programs with one version would lose or misread what programs with
/// the other version write.
@Suite(.waiting) struct PhaseRulesTests {
  private typealias V1 = YardSchema.V1_0_0
  private typealias Old = SameAsAFileTests.Old
  private typealias New = SameAsAFileTests.New
  private typealias Plan = SameAsAFileTests.Plan

  private let fixture: PostgresFixture

  init() throws { fixture = try PostgresFixture() }

  @Test func uniquePropertiesWithDefaultValuesCannotBeRemovedInPhases() throws {
    typealias Before = Old<V1.Crane>
    typealias After = New<Crane>
    try fixture.open(Before.self).add([V1.Crane(serial: "a", load: 1)])
    // Programs with the new version would write the same default value twice.
    let exclusions = try fixture.migration(Plan<Before, After>.self).exclusions
    #expect(exclusions.contains { $0.contains("unique constraint") })
    let context = try fixture.open(After.self, Plan<Before, After>.self)
    try context.add([Crane(load: 2), Crane(load: 3)])
    #expect(try context.fetchCount(FetchDescriptor<Crane>()) == 3)
  }

  @Test func changedDeleteRulesHaveNoPhases() throws {
    typealias Before = Old<V1.Berth, V1.Boat>
    typealias After = New<Berth, Boat>
    let old = try fixture.open(Before.self)
    let berth = V1.Berth(name: "b")
    old.insert(berth)
    berth.boats = [V1.Boat(name: "x")]
    try old.save()
    #expect(try fixture.migration(Plan<Before, After>.self).exclusions.contains { $0.contains("'Boat.berth'") })
    let context = try fixture.open(After.self, Plan<Before, After>.self)
    context.delete(try #require(try context.all(Berth.self).first))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Boat>()) == 1)
    #expect(
      try fixture.psql(
        """
        SELECT count(*) FROM pg_constraint WHERE NOT convalidated AND conname LIKE 'Boat%'
        AND connamespace = to_regnamespace(quote_ident(current_schema()))
        """) == "0")
  }

  @Test func subclassesHaveTheirOwnRequiredProperties() throws {
    typealias Before = Old<V1.Vessel, V1.Tug, V1.Raft, V1.Berth, V1.Boat>
    typealias After = New<Vessel, Tug, Raft, Berth, Boat>
    let old = try fixture.open(Before.self)
    let berth = V1.Berth(name: "b")
    old.insert(berth)
    let tug = V1.Tug(name: "t", power: 5, callSign: "c")
    tug.berth = berth
    try old.add([tug, V1.Raft(name: "r", logs: 6)])
    let exclusions = try fixture.migration(Plan<Before, After>.self).exclusions
    #expect(exclusions.contains { $0.contains("'Vessel.power' is now optional") })
    #expect(exclusions.contains { $0.contains("'Vessel.callSign' is required and has no default value") })
    let context = try fixture.open(After.self, Plan<Before, After>.self)
    let tugs = try context.all(Tug.self)
    #expect(tugs.map { [$0.power, $0.crew, $0.decks, $0.masts] } == [[5, 2, 3, 4]])
    #expect(tugs.first?.berth?.name == "b")
    #expect(try context.fetchCount(FetchDescriptor<Vessel>()) == 2)
  }

  @Test func textPropertiesAreRenamedAndRemovedInOneStage() throws {
    typealias Before = Old<V1.Rope, V1.Berth, V1.Boat>
    typealias After = New<Rope, Berth, Boat>
    let old = try fixture.open(Before.self)
    let berth = V1.Berth(name: "b")
    old.insert(berth)
    let rope = V1.Rope(label: "e\u{301}", remark: "o\u{308}")
    rope.berth = berth
    try old.add([rope])
    let context = try fixture.open(After.self, Plan<Before, After>.self)
    let ropes = try context.all(Rope.self)
    #expect(ropes.map { Array($0.title.utf8) } == [Array("e\u{301}".utf8)] && ropes.first?.berth?.name == "b")
    #expect(try fixture.psql("SELECT \"$exact\" FROM \"Rope\"") == "{\"title\": \"e\u{301}\"}")
  }

  @Test func newSubclassesAreUnknownToOlderPrograms() throws {
    typealias Before = Old<V1.Signal, V1.Flag>
    typealias After = New<Signal, Flag, Lamp>
    let old = try fixture.open(Before.self)
    try old.add([V1.Signal(name: "s"), V1.Flag(name: "f", color: "red")])
    let context = try fixture.open(After.self, Plan<Before, After>.self)
    try context.add([Lamp(name: "l", watts: 5)])
    let error = #expect(throws: SwiftDataError.self) { try ModelContext(old.container).all(V1.Signal.self) }
    #expect(error?.storeProblem == .newerSchema)
  }

  @Test func nilValuesAreUnknownToOlderPrograms() throws {
    typealias Before = Old<V1.Canvas, V1.Sail>
    typealias After = New<Canvas, Sail>
    let old = try fixture.open(Before.self)
    try old.add([V1.Canvas(name: "c"), V1.Sail(name: "s", area: 2)])
    let context = try fixture.open(After.self, Plan<Before, After>.self)
    try context.add([Sail(name: "t")])
    let error = #expect(throws: SwiftDataError.self) { try ModelContext(old.container).all(V1.Sail.self) }
    #expect(error?.storeProblem == .newerSchema)
  }

  @Test func indexesOnJSONRequireAPlan() throws {
    typealias Before = Old<V1.Crate>
    typealias After = New<Crate>
    try fixture.open(Before.self).add([V1.Crate(name: "c", mark: Mark(text: "m"))])
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(After.self) }
    #expect(error?.storeProblem == .differentSchema)
    let context = try fixture.open(After.self, Plan<Before, After>.self)
    try context.add([Crate(name: "d", mark: Mark(text: "n"))])
    #expect(Set(try context.all(Crate.self).map(\.mark.text)) == ["m", "n"])
  }
}
