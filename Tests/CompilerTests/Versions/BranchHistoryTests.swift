import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import Testing

/// Tests of versions that several branches released.
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
    expectFindings(missing, ["4:1 MIG005 no later version continues 1.0.1: its stores have no way to 1.2.0"])
    #expect(missing.0.wayText == "1.0.0 → 1.0.1 → 1.2.0, 1.1.0 → 1.2.0")
    let complete = try branches(
      Self.first, Self.hotfix, Self.main, ("1.2.0", Self.merged, "migration from 1.0.1 { }\n"))
    expectFindings(complete, [])
    #expect(complete.0.rebuiltLock.entries.map(\.retired) == [[], [], []])
  }

  @Test func whatTheMigrationLacksIsSaid() throws {
    let main = ("1.1.0", "var a: Int = 0; var budget: Int", "migration from 1.0.0 { fill T.budget = 1 }\n")
    let properties = Self.merged.replacing("budget: Int = 0", with: "budget: Int")
    let empty = try branches(Self.first, Self.hotfix, main, ("1.2.0", properties, "migration from 1.0.1 { }\n"))
    expectFindings(
      empty,
      [
        "4:2 MIG041 attribute 'T.budget' added with type 'Int', and nothing says what becomes of stores of 1.0.1"
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
      (released, both.1), ["4:1 MIG005 no later version continues 1.0.1: its stores have no way to 1.1.0"])
    #expect(released.abandoned.map(\.version.description) == ["1.0.1"])
    // A version that only joins the branch equals the version before.
    let joining = ("1.1.1", Self.main.1, "migration from 1.0.1 { accept MIG011 T.nickname -- \"unused\" }\n")
    let joined = try branches(Self.first, Self.hotfix, Self.main, joining)
    expectFindings(joined, [])
  }

  @Test func severalHotfixesAreOneBranch() throws {
    let second = ("1.0.2", "var a: Int = 0; @Attribute(originalName: \"nickname\") var alias: String?", "")
    let properties =
      "var a: Int = 0; @Attribute(originalName: \"nickname\") var alias: String?; var budget: Int = 0"
    let history = try branches(
      Self.first, Self.hotfix, second, Self.main, ("1.2.0", properties, "migration from 1.0.2 { }\n"))
    expectFindings(history, [])
    #expect(history.0.wayText == "1.0.0 → 1.0.1 → 1.0.2 → 1.2.0, 1.1.0 → 1.2.0")
    // The branch goes on after it was merged.
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

  @Test func twoBranchesThatBothReleasedHigherNumbers() throws {
    let other = ("1.2.0", "var a: Int = 0; var nickname: String?", "")
    let after = ("1.3.0", Self.main.1 + "; var more: Int?", "")
    let head = ("1.4.0", Self.merged + "; var more: Int?", "migration from 1.2.0 { }\n")
    let history = try branches(Self.first, Self.main, other, after, head)
    expectFindings(history, [])
    #expect(history.0.wayText == "1.0.0 → 1.1.0 → 1.3.0 → 1.4.0, 1.2.0 → 1.4.0")
  }

  @Test func aHotfixThatALaterVersionContainsIsNoBranch() throws {
    let history = try branches(
      Self.first, Self.hotfix, ("1.1.0", Self.merged, ""), ("1.2.0", Self.merged + "; var more: Int?", ""))
    expectFindings(history, [])
    #expect(history.0.wayText == "1.0.0 → 1.0.1 → 1.1.0 → 1.2.0")
    let wrong = try branches(
      Self.first, Self.hotfix, ("1.1.0", Self.merged, ""),
      ("1.2.0", Self.merged + "; var more: Int?", "migration from 1.0.1 { }\n"))
    expectFindings(wrong, ["4:3 MIG005 stores come to 1.2.0 from 1.1.0, not from 1.0.1"])
  }

  /// The main branch has changed the meaning of values, and so its version does not follow from the hotfix.
  @Test func aVersionWithAMigrationFromBeforeTheHotfixDoesNotContinueIt() throws {
    let hotfix = ("1.0.1", "#Index<T>([\\.a]); var a: Int = 0", "")
    let main = ("1.1.0", "var a: Int = 0; var b: Int?", "migration from 1.0.0 { fill T.a = old.a * 100 }\n")
    let head = ("1.2.0", "#Index<T>([\\.a]); var a: Int = 0; var b: Int?", "")
    expectFindings(
      try branches(Self.first, hotfix, main, head),
      ["4:1 MIG005 no later version continues 1.0.1: its stores have no way to 1.2.0"])
  }
}
