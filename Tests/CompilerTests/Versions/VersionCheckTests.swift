import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import Testing

/// Tests of released versions, their lock file and the head.
struct VersionCheckTests {
  static let first = "@Model class A { var x: Int = 0 }\n"
  static let second = "@Model class A { var x: Int = 0\nvar y: Int = 0 }\n"

  @Test func validHistoriesHaveNoFindings() throws {
    expectFindings(try history(Self.first, Self.second), [])
    expectFindings(try history(Self.first), [])
  }

  @Test func editedReleasedVersion() throws {
    let edited = try history(Self.first, Self.second) { lock in
      var lock = lock
      lock.entries[0].fingerprint = String(repeating: "0", count: 64)
      return lock
    }
    expectFindings(edited, ["1:1 MIG002 version 1.0.0 of 'S' was edited after its release"])
  }

  @Test func missingLockFile() throws {
    expectFindings(
      try history(Self.first, Self.second) { _ in nil },
      ["1:1 MIG007 the lock for the released versions of 'S' is missing"])
  }

  @Test func versionMissingFromTheLockFile() throws {
    expectFindings(
      try history(Self.first, Self.second) { _ in VersionLock([]) },
      ["1:1 MIG007 version 1.0.0 of 'S' is not in 'versions/S.lock'"])
  }

  @Test func missingReleasedFiles() throws {
    let (complete, files) = try history(Self.first, Self.second)
    let incomplete = SchemaHistory(head: complete.head, frozen: [], lock: complete.lock)
    expectFindings(
      (incomplete, files),
      ["2:1 MIG007 the lock lists version 1.0.0 of 'S', but its files are missing"])
  }

  @Test func sameNumberReleasedByTwoBranches() throws {
    let merged = try history(Self.first, Self.second) { lock in
      VersionLock(
        lock.entries + [.init(version: .init(1, 0, 0), fingerprint: String(repeating: "0", count: 64))])
    }
    expectFindings(merged, ["2:1 MIG006 the lock lists version 1.0.0 of 'S' twice"])
  }

  @Test func headChangedSinceItsRelease() throws {
    let (complete, files) = try history(Self.first, Self.second)
    var head = complete.head
    head.version = SchemaVersion(1, 0, 0)
    let changed = SchemaHistory(head: head, frozen: complete.frozen, lock: complete.lock)
    expectFindings(
      (changed, files), ["2:1 MIG001 version 1.0.0 of 'S' is released, but the schema has changed since"])
    let diagnostic = try #require(changed.check().first)
    #expect(diagnostic.related.map(\.text) == ["attribute 'A.y' added with type 'Int'"])
    #expect(diagnostic.fixIts.first?.edits.first?.replacement == "1.1.0")
    let many = (1...6).map { "var y\($0): Int?" }.joined(separator: "; ")
    let (wider, _) = try history(Self.first, "@Model class A { var x: Int = 0; \(many) }\n")
    head = wider.head
    head.version = SchemaVersion(1, 0, 0)
    let second = SchemaHistory(head: head, frozen: wider.frozen, lock: wider.lock)
    #expect(second.check().first?.message.hasSuffix("has changed since (6 changes: trellis diff ..)") == true)
  }

  @Test func anUnchangedReleasedHeadHasNoFindings() throws {
    let (complete, files) = try history(Self.first, Self.first)
    var head = complete.head
    head.version = SchemaVersion(1, 0, 0)
    expectFindings((SchemaHistory(head: head, frozen: complete.frozen, lock: complete.lock), files), [])
  }

  @Test func headOlderThanTheLatestRelease() throws {
    let (complete, files) = try history(Self.first, Self.second)
    var head = complete.head
    head.version = SchemaVersion(0, 9, 0)
    expectFindings(
      (SchemaHistory(head: head, frozen: complete.frozen, lock: complete.lock), files),
      ["2:1 MIG003 version 0.9.0 is lower than the released version 1.0.0"])
  }

  @Test func identicalVersions() throws {
    expectFindings(
      try history(Self.first, Self.first),
      ["2:1 MIG004 (warning) versions 1.0.0 and 2.0.0 of 'S' are the same"])
    expectFindings(
      try history(Self.first, Self.first, Self.second),
      ["2:1 MIG004 versions 1.0.0 and 2.0.0 of 'S' are the same"])
  }

  @Test func headWithoutAVersionNumber() throws {
    let (complete, files) = try history(Self.first, Self.second)
    var head = complete.head
    head.versionRange = SourceRange(file: 1, start: 0, end: 0)
    expectFindings(
      (SchemaHistory(head: head, frozen: complete.frozen, lock: complete.lock), files),
      ["2:1 SYN008 'S' has released versions, but this file states no version"])
  }

  @Test func lockFilesRoundTrip() throws {
    let digest = String(repeating: "ab", count: 32)
    let lock = VersionLock([
      .init(version: .init(1, 0, 0), fingerprint: digest),
      .init(version: .init(1, 2, 0), fingerprint: digest, retired: ["A.x", "B"]),
    ])
    #expect(VersionLock(text: lock.text) == lock)
    let conflict = VersionLock(text: lock.text + "<<<<<<< HEAD\n1.3.0 abc\n")
    #expect(conflict.malformed == [4, 5])
  }

  @Test func removedNamesAreRecordedInTheLockFile() throws {
    let (history, _) = try history(
      "@Model class A { var x: Int = 0; var y: Int = 0 }\n@Model class B { var z: Int = 0 }\n",
      "@Model class A { var x: Int = 0 }\nmigration from 1.0.0 {\naccept MIG011 A.y -- \"no\"\naccept MIG010 B -- \"no\"\n}\n",
      "@Model class A { var x: Int = 0; var w: Int? }\n")
    #expect(history.rebuiltLock.entries.map(\.retired) == [[], ["A.y", "B"]])
  }

  @Test func propertiesMovedToASuperclassAreNotRemoved() throws {
    let base = "@Model class Base { var n: Int = 0 }\n"
    let (history, _) = try history(
      base + "@Model class Sub { var n: Int = 0; var own: Int = 0; var k: Int = 0 }\n",
      base + "@Model class Sub: Base { var k: Int = 0 }\nmigration from 1.0.0 { custom lift }\n",
      base + "@Model class Sub: Base { var k: Int = 0; var w: Int? }\n")
    #expect(history.rebuiltLock.entries.map(\.retired) == [[], ["Sub.own"]])
  }

  /// A version can restore the declarations of an earlier version.
  @Test func storesAreIdentifiedByTheirVersionNumber() throws {
    let one = "@Model class A { var a: Int }"
    let (history, _) = try history(one, "@Model class A { var a: Int; var b: Int? }", one)
    #expect(history.versions.map { history.index(of: $0) } == [0, 1, 2])
    var stored = history.versions[0]
    stored.version = SchemaVersion(0, 9, 0)
    #expect(history.index(of: stored) == 2)
    stored.version = SchemaVersion(4, 0, 0)
    #expect(history.index(of: stored) == nil)
    #expect(SchemaHistory(head: history.versions[1]).index(of: history.versions[0]) == nil)
  }
}
