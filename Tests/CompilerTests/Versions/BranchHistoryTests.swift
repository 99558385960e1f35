import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import Testing

/// Tests of versions that were released on several branches.
struct BranchHistoryTests {
  private static let first = ("1.0.0", "var a: Int = 0", "")
  private static let hotfix = ("1.0.1", "var a: Int = 0; var nickname: String?", "")
  private static let main = ("1.1.0", "var a: Int = 0; var budget: Int = 0", "")
  private static let merged = "var a: Int = 0; var nickname: String?; var budget: Int = 0"

  private func branches(_ versions: (number: String, properties: String, rest: String)...) throws -> (
    SchemaHistory, [SourceFile]
  ) {
    try history(
      numbered: versions.map { version in
        (version.number, "@Model class T { \(version.properties) }\n" + version.rest)
      })
  }

  @Test func aHotfixBelowAReleasedNumberNeedsItsOwnMigration() throws {
    let missing = try branches(Self.first, Self.hotfix, Self.main, ("1.2.0", Self.merged, ""))
    expectFindings(missing, ["4:1 MIG005 no later version continues 1.0.1: its stores cannot migrate to 1.2.0"])
    #expect(missing.0.wayText == "1.0.0 → 1.0.1 → 1.2.0, 1.1.0 → 1.2.0")
    let complete = try branches(
      Self.first, Self.hotfix, Self.main, ("1.2.0", Self.merged, "migration from 1.0.1 { }\n"))
    expectFindings(complete, [])
    #expect(complete.0.rebuiltLock.entries.map(\.retired) == [[], [], []])
  }

  @Test func missingMigrationStepsAreReported() throws {
    let main = ("1.1.0", "var a: Int = 0; var budget: Int", "migration from 1.0.0 { fill T.budget = 1 }\n")
    let properties = Self.merged.replacing("budget: Int = 0", with: "budget: Int")
    let empty = try branches(Self.first, Self.hotfix, main, ("1.2.0", properties, "migration from 1.0.1 { }\n"))
    expectFindings(
      empty,
      [
        "4:2 MIG041 attribute 'T.budget' added with type 'Int', but the migration from 1.0.1 does not handle it"
      ])
    #expect(empty.0.wayText == "1.0.0 → 1.1.0 → 1.2.0, 1.0.1 → 1.2.0")
    let filled = "migration from 1.0.1 { fill T.budget = 2 }\n"
    expectFindings(try branches(Self.first, Self.hotfix, main, ("1.2.0", properties, filled)), [])
  }

  @Test func aReleasedHeadThatDoesNotContinueAHotfixNeedsANewVersion() throws {
    let both = try branches(Self.first, Self.hotfix, Self.main, Self.main)
    var head = both.0.head
    head.version = SchemaVersion(1, 1, 0)
    let released = SchemaHistory(head: head, frozen: both.0.frozen, lock: both.0.lock)
    expectFindings(
      (released, both.1), ["4:1 MIG005 no later version continues 1.0.1: its stores cannot migrate to 1.1.0"])
    #expect(released.abandoned.map(\.version.description) == ["1.0.1"])
    // A version that only joins the branch may equal the version before it.
    let joining = ("1.1.1", Self.main.1, "migration from 1.0.1 { accept MIG011 T.nickname -- \"unused\" }\n")
    let joined = try branches(Self.first, Self.hotfix, Self.main, joining)
    expectFindings(joined, [])
  }

  @Test func successiveHotfixesFormOneBranch() throws {
    let second = ("1.0.2", "var a: Int = 0; @Attribute(originalName: \"nickname\") var alias: String?", "")
    let properties =
      "var a: Int = 0; @Attribute(originalName: \"nickname\") var alias: String?; var budget: Int = 0"
    let history = try branches(
      Self.first, Self.hotfix, second, Self.main, ("1.2.0", properties, "migration from 1.0.2 { }\n"))
    expectFindings(history, [])
    #expect(history.0.wayText == "1.0.0 → 1.0.1 → 1.0.2 → 1.2.0, 1.1.0 → 1.2.0")
    // The branch continues after it was merged.
    let third = ("1.0.3", second.1 + "; var note: String?", "")
    let late = try branches(
      Self.first, Self.hotfix, second, third, Self.main, ("1.2.0", properties, "migration from 1.0.2 { }\n"),
      ("1.3.0", properties + "; var note: String?", "migration from 1.0.3 { }\n"))
    expectFindings(late, [])
    #expect(late.0.wayText == "1.0.0 → 1.0.1 → 1.0.2 → 1.2.0 → 1.3.0, 1.0.3 → 1.3.0, 1.1.0 → 1.2.0")
    let way = late.0.way(from: late.0.versions[1], to: late.0.head)
    #expect(way?.map(\.version.description) == ["1.0.1", "1.0.2", "1.2.0", "1.3.0"])
    #expect(late.0.way(from: late.0.versions[1], to: late.0.versions[4]) == nil)
  }

  @Test func twoBranchesWithHigherReleasedNumbers() throws {
    let other = ("1.2.0", "var a: Int = 0; var nickname: String?", "")
    let after = ("1.3.0", Self.main.1 + "; var more: Int?", "")
    let head = ("1.4.0", Self.merged + "; var more: Int?", "migration from 1.2.0 { }\n")
    let history = try branches(Self.first, Self.main, other, after, head)
    expectFindings(history, [])
    #expect(history.0.wayText == "1.0.0 → 1.1.0 → 1.3.0 → 1.4.0, 1.2.0 → 1.4.0")
  }

  /// Returns the same history with the head released.
  private func released(_ history: (SchemaHistory, [SourceFile])) -> (SchemaHistory, [SourceFile]) {
    let frozen = history.0.frozen + [history.0.head]
    let lock = SchemaHistory(head: history.0.head, frozen: frozen).rebuiltLock
    return (SchemaHistory(head: history.0.head, frozen: frozen, lock: lock), history.1)
  }

  /// Without migration blocks, 1.1.0 seems to continue the hotfix 1.0.1. If a block migrates from 1.0.1 directly, a
  /// block from 1.1.0 is required as well.
  @Test func aMigrationBlockOverridesAnInferredStage() throws {
    func history(_ blocks: String) throws -> (SchemaHistory, [SourceFile]) {
      try branches(
        Self.first, Self.hotfix, ("1.1.0", Self.merged, ""), ("1.2.0", Self.merged + "; var more: Int?", blocks))
    }
    let linear = try history("")
    expectFindings(linear, [])
    #expect(linear.0.wayText == "1.0.0 → 1.0.1 → 1.1.0 → 1.2.0")
    expectFindings(
      try history("migration from 1.0.1 { }\n"),
      ["4:1 MIG005 1.2.0 joins branches, but no migration handles the values in stores of 1.1.0"])
    let joined = try history("migration from 1.0.1 { }\nmigration from 1.1.0 { fill T.a = old.a * 100 }\n")
    expectFindings(joined, [])
    #expect(joined.0.wayText == "1.0.0 → 1.0.1 → 1.2.0, 1.1.0 → 1.2.0")
    expectFindings(released(joined), [])
    #expect(released(joined).0.wayText == joined.0.wayText)
  }

  private static let indexed = "#Index<T>([\\.a]); var a: Int = 0"
  private static let scaling = "migration from 1.0.0 { fill T.a = old.a * 100 }\n"

  /// The main branch changed the meaning of values, so its version does not continue the hotfix.
  @Test func aMigrationFromBeforeTheHotfixDoesNotContinueIt() throws {
    let hotfix = ("1.0.1", Self.indexed, "")
    let main = ("1.1.0", "var a: Int = 0; var b: Int?", Self.scaling)
    func history(_ block: String) throws -> (SchemaHistory, [SourceFile]) {
      try branches(Self.first, hotfix, main, ("1.2.0", Self.indexed + "; var b: Int?", block))
    }
    expectFindings(
      try history(""), ["4:1 MIG005 no later version continues 1.0.1: its stores cannot migrate to 1.2.0"])
    let joined = try history("migration from 1.0.1 { fill T.a = old.a * 100 }\n")
    expectFindings(joined, [])
    expectFindings(released(joined), [])
    #expect(released(joined).0.wayText == "1.0.0 → 1.1.0 → 1.2.0, 1.0.1 → 1.2.0")
  }

  /// The branch has several versions, of which only the first has a migration.
  @Test func aMigrationFromBeforeTheBranchContinuesNoneOfItsVersions() throws {
    let history = try branches(
      Self.first, ("1.0.1", "var a: Int = 0; var c: Int", "migration from 1.0.0 { fill T.c = 1 }\n"),
      ("1.0.2", Self.indexed + "; var c: Int", ""),
      (
        "1.1.0", "var a: Int = 0; var c: Int; var d: Int?",
        "migration from 1.0.0 {\nfill T.a = old.a * 100\nfill T.c = 1\n}\n"
      ), ("1.2.0", Self.indexed + "; var c: Int; var d: Int?", ""))
    expectFindings(
      history,
      [
        "5:1 MIG005 no later version continues 1.0.2: its stores cannot migrate to 1.2.0",
        "5:1 MIG005 1.2.0 joins branches, but no migration handles the values in stores of 1.1.0",
      ])
  }

  /// The hotfix changed the meaning of values, and the main branch's schema fits either meaning.
  @Test(arguments: [false, true]) func aVersionWithoutTheChangesOfAHotfixDoesNotContinueItsValues(
    isLonger: Bool
  ) throws {
    let hotfix = ("1.0.1", Self.indexed, Self.scaling)
    let second = ("1.0.2", "#Index<T>([\\.a]); var a: Int = 1", "")
    let main = ("1.1.0", "var a: Int = 0; var b: Int?", "")
    func history(_ blocks: String) throws -> (SchemaHistory, [SourceFile]) {
      let head = ("1.2.0", Self.indexed + "; var b: Int?", blocks)
      return isLonger
        ? try branches(Self.first, hotfix, second, main, head) : try branches(Self.first, hotfix, main, head)
    }
    let last = isLonger ? "1.0.2" : "1.0.1"
    let place = isLonger ? "5:1" : "4:1"
    let joins = "\(place) MIG005 1.2.0 joins branches, but no migration handles the values in stores of 1.1.0"
    expectFindings(
      try history(""),
      ["\(place) MIG005 no later version continues \(last): its stores cannot migrate to 1.2.0", joins])
    expectFindings(try history("migration from \(last) { }\n"), [joins])
    let joined = try history("migration from \(last) { }\nmigration from 1.1.0 { fill T.a = old.a * 100 }\n")
    expectFindings(joined, [])
    let branch = isLonger ? "1.0.1 → 1.0.2" : "1.0.1"
    #expect(joined.0.wayText == "1.0.0 → \(branch) → 1.2.0, 1.1.0 → 1.2.0")
    expectFindings(released(joined), [])
    #expect(released(joined).0.wayText == joined.0.wayText)
  }

  /// Even without branches, a version that reverts all changes of the previous version must name that version in a
  /// migration.
  @Test func revertedMigrationsAreNamed() throws {
    let first = ("1.0.0", "var a: Int?", "")
    let second = ("2.0.0", "var a: Int", "migration from 1.0.0 { fill T.a = old.a ?? 0 }\n")
    let third = ("3.0.0", "var a: Int?; var b: Int?", "")
    expectFindings(
      try branches(first, second, third),
      ["3:1 MIG005 no later version continues 2.0.0: its stores cannot migrate to 3.0.0"])
    let named = try branches(first, second, (third.0, third.1, "migration from 2.0.0 { }\n"))
    expectFindings(named, [])
    expectFindings(released(named), [])
    // Any change that is kept shows that the later version is based on the earlier one.
    let kept = (second.0, second.1 + "; var b: Int?", second.2)
    expectFindings(try branches(first, kept, third), [])
    expectFindings(try branches(first, second, (third.0, "var a: Int = 7", "")), [])
  }

  /// The fix does not add a block for a version that already has one.
  @Test func unreachableMigrationsNameThePossibleOrigins() throws {
    let main = ("1.1.0", "var a: Int = 0; var b: Int?", Self.scaling)
    let hotfix = ("1.0.1", Self.indexed, "")
    let merged = Self.indexed + "; var b: Int?"
    func findings(_ blocks: String) throws -> [(text: String, fix: String?)] {
      try branches(Self.first, hotfix, main, ("1.2.0", merged, blocks)).0.check()
        .filter { $0.id == .missingStage && $0.message.hasPrefix("stores") }
        .map { ($0.message, $0.fixIts.first?.edits.first?.replacement) }
    }
    let message = "stores migrate to 1.2.0 from 1.0.1 and 1.1.0, not from 1.0.0"
    let both = try findings("migration from 1.0.0 { }\n")
    #expect(both.map(\.text) == [message] && both.map(\.fix) == [nil])
    let one = try findings("migration from 1.0.0 { }\nmigration from 1.0.1 { }\n")
    #expect(one.map(\.text) == [message] && one.map(\.fix) == ["1.1.0"])
    let none = try findings("migration from 1.0.0 { }\nmigration from 1.0.1 { }\nmigration from 1.1.0 { }\n")
    #expect(none.map(\.text) == [message] && none.map(\.fix) == [nil])
    let two = try findings("migration from 1.0.0 { }\nmigration from 0.9.0 { }\nmigration from 1.0.1 { }\n")
    #expect(two.count == 2 && two.allSatisfy { $0.fix == nil })
  }
}
