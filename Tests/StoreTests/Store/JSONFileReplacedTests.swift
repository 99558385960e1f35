import Foundation
import TestSupport
import Testing
import Trellis
import TrellisJSON

/// Files that are deleted, replaced or otherwise changed while a program has them open.
@Suite struct JSONFileReplacedTests {
  private let fixture: JSONFileFixture

  init() throws { fixture = try JSONFileFixture(KeepTag.self) }

  private func save(_ word: String, in container: ModelContainer) throws {
    let context = ModelContext(container)
    context.insert(KeepTag(word: word))
    try context.save()
  }

  private func words(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<KeepTag>(sortBy: [SortDescriptor(\.word)])).map(\.word)
  }

  private func problem(_ body: () throws -> Void) -> StoreProblem? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SwiftDataError)?.storeProblem ?? .other
    }
  }

  /// Memory contains the whole contents of the file.
  @Test func aDeletedFileIsMadeAgain() throws {
    let container = try fixture.container()
    try save("a", in: container)
    for round in 0..<3 {
      try FileManager.default.removeItem(at: fixture.file)
      try save("b\(round)", in: container)
      #expect(fixture.text.contains("\"a\"") && fixture.text.contains("\"b\(round)\""))
    }
    #expect(try words(fixture.container()) == ["a", "b0", "b1", "b2"])
  }

  @Test func aDeletedFolderIsMadeAgain() throws {
    let container = try fixture.container()
    try save("a", in: container)
    try FileManager.default.removeItem(at: fixture.scratch.folder)
    try save("b", in: container)
    #expect(fixture.text.contains("\"a\"") && fixture.text.contains("\"b\""))
    // The lock is valid again.
    let lock = open(fixture.file.path + ".lock", O_RDWR | O_CLOEXEC)
    #expect(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0)
    close(lock)
  }

  /// Another program has created and locked a new lock file.
  @Test func aDeletedLockKeepsNobodyOut() throws {
    let container = try fixture.container()
    try save("a", in: container)
    let before = fixture.bytes
    let path = fixture.file.path + ".lock"
    try FileManager.default.removeItem(atPath: path)
    let theirs = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    #expect(flock(theirs, LOCK_EX | LOCK_NB) == 0)
    #expect(problem { try save("b", in: container) } == .locked)
    #expect(fixture.bytes == before)
    // A process that another test starts can have inherited the file descriptor.
    flock(theirs, LOCK_UN)
    close(theirs)
    try save("b", in: container)
    #expect(try words(container) == ["a", "b"])
  }

  @Test(arguments: [true, false]) func aReplacedFileIsNotOverwritten(_ isAtomic: Bool) throws {
    let container = try fixture.container()
    try save("mine", in: container)
    let theirs = fixture.text.replacing("\"mine\"", with: "\"their\"")
    try theirs.write(to: fixture.file, atomically: isAtomic, encoding: .utf8)
    let error = #expect(throws: SwiftDataError.self) { try save("more", in: container) }
    #expect(error?.storeProblem == .drifted)
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(fixture.file.path) && text.contains("new container") && text.contains("move it away"))
    #expect(fixture.text == theirs)
    #expect(try words(container) == ["mine"])

    // First solution: use the contents of the new file. The other container is then read-only.
    let new = try fixture.container()
    #expect(try words(new) == ["their"])
    try save("new", in: new)
    #expect(problem { try save("more", in: container) } == .drifted)
    #expect(problem { try container.erase() } == .drifted)
    #expect(try words(fixture.container()) == ["new", "their"])
    #expect(try words(container) == ["mine"])
    #expect(!fixture.text.contains("mine") && fixture.text.contains("their"))
  }

  /// Second solution: use the contents of the program.
  @Test func aReplacedFileThatIsMovedAwayIsMadeAgain() throws {
    let container = try fixture.container()
    try save("mine", in: container)
    try "not even JSON".write(to: fixture.file, atomically: true, encoding: .utf8)
    #expect(problem { try save("more", in: container) } == .drifted)
    #expect(problem { _ = try fixture.container() } == .damaged)
    let aside = fixture.scratch.file("aside.json")
    try FileManager.default.moveItem(at: fixture.file, to: aside)
    try save("more", in: container)
    #expect(try words(fixture.container()) == ["mine", "more"])
    #expect(try String(contentsOf: aside, encoding: .utf8) == "not even JSON")
  }

  /// A file that appears before the first save belongs to another program.
  @Test func aFileThatComesMeanwhileIsNotOverwritten() throws {
    let container = try fixture.container()
    try fixture.write(#""KeepTag":[{"$id":1,"word":"their"}]"#)
    let before = fixture.bytes
    #expect(problem { try save("mine", in: container) } == .drifted)
    #expect(fixture.bytes == before)
    #expect(try words(fixture.container()) == ["their"])
  }

  /// The save of one container does not count as an external change.
  @Test func containersAreOpenedWhileOneSaves() async throws {
    let container = try fixture.container()
    try save("first", in: container)
    let fixture = fixture
    let saves = Repetitions.scaled(40, upTo: 150)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<saves {
          let context = ModelContext(container)
          context.insert(KeepTag(word: "w\(number)"))
          try context.save()
        }
      }
      for _ in 0..<2 {
        group.addTask { for _ in 0..<(2 * saves) { _ = try fixture.container() } }
      }
      try await group.waitForAll()
    }
    #expect(try words(container).count == saves + 1)
    #expect(try words(fixture.container()).count == saves + 1)
  }

  /// A change of permissions is not a change of contents.
  @Test func aChangeOfRightsIsNoChange() throws {
    let container = try fixture.container()
    try save("a", in: container)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.file.path)
    try save("b", in: container)
    #expect(try words(fixture.container()) == ["a", "b"])
    let mode = try FileManager.default.attributesOfItem(atPath: fixture.file.path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
  }

  @Test(arguments: [0o600, 0o640, 0o666, 0o444, 0o755]) func theRightsStay(_ mode: Int) throws {
    try save("a", in: fixture.container())
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: fixture.file.path)
    // Only root can change the owner of a file.
    let user = getuid() == 0 ? 1_234 : getuid()
    let group = getuid() == 0 ? 2_345 : getgid()
    #expect(chown(fixture.file.path, user, group) == 0)
    try save("b", in: fixture.container())
    for name in ["", ".previous"] {
      var found = stat()
      #expect(stat(fixture.file.path + name, &found) == 0)
      #expect(Int(found.st_mode & 0o7777) == mode && found.st_uid == user && found.st_gid == group)
    }
  }

  /// Changes the file system user of this thread.
  private func act(as user: UInt32) {
    typealias Set = @convention(c) (UInt32) -> Int32
    guard getuid() == 0, let found = dlsym(nil, "setfsuid") else { return }
    _ = unsafeBitCast(found, to: Set.self)(user)
  }

  private func asNobody(_ body: () throws -> Void) rethrows {
    act(as: 65_534)
    defer { act(as: 0) }
    try body()
  }

  private func asOwner(_ body: () throws -> Void) rethrows {
    act(as: 0)
    defer { act(as: 65_534) }
    try body()
  }

  @Test func aFolderThatIsOnlyToBeRead() throws {
    try save("a", in: fixture.container())
    let folder = fixture.scratch.folder.path
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    let before = fixture.bytes
    asNobody {
      // Another user can read.
      #expect((try? words(fixture.container(allowsSave: false))) == ["a"])
      #expect(
        problem { try save("b", in: fixture.container()) } == .notWritable)
    }
    #expect(fixture.bytes == before)
    #expect(fixture.scratch.names == ["keeps.json", "keeps.json.history", "keeps.json.lock"])
  }

  @Test func aFolderThatBecomesReadOnly() throws {
    let folder = fixture.scratch.folder.path
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    try asNobody {
      let container = try fixture.container()
      try save("a", in: container)
      let before = fixture.bytes
      asOwner { #expect(chmod(folder, 0o555) == 0) }
      let error = #expect(throws: SwiftDataError.self) { try save("b", in: container) }
      #expect(error?.storeProblem == .notWritable)
      #expect(fixture.bytes == before)
      asOwner { #expect(chmod(folder, 0o777) == 0) }
      try save("b", in: container)
      #expect(try words(container) == ["a", "b"])
    }
  }

  @Test func aFileNobodyMayRead() throws {
    try save("a", in: fixture.container())
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: fixture.file.path)
    asNobody {
      #expect(problem { _ = try fixture.container(allowsSave: false) } == .notReadable)
    }
  }

  /// A symbolic link to a missing file, and a link to another device.
  @Test(arguments: ["target.json", "/dev/shm"]) func aLinkStaysAndIsFollowed(_ target: String) throws {
    var target = fixture.scratch.file(target)
    if target.path.hasSuffix("/dev/shm") {
      guard FileManager.default.isWritableFile(atPath: "/dev/shm") else { return }
      target = URL(fileURLWithPath: "/dev/shm/trellis \(UUID().uuidString).json")
    }
    defer {
      for name in ["", ".lock", ".previous"] { try? FileManager.default.removeItem(atPath: target.path + name) }
    }
    // A chain of two links, the first one relative.
    let middle = fixture.scratch.file("middle.json")
    try FileManager.default.createSymbolicLink(at: middle, withDestinationURL: target)
    try FileManager.default.createSymbolicLink(atPath: fixture.file.path, withDestinationPath: "middle.json")
    let container = try fixture.container()
    try save("a", in: container)
    try save("b", in: container)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: fixture.file.path) == "middle.json")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: middle.path) == target.path)
    let direct = try ModelContainer(
      for: KeepTag.self, configurations: JSONFileConfiguration(url: target))
    #expect(try words(direct) == ["a", "b"])
    // Both names refer to one file.
    try save("c", in: direct)
    #expect(try words(container) == ["a", "b", "c"])
  }

  @Test func linksInACircle() throws {
    try FileManager.default.createSymbolicLink(atPath: fixture.file.path, withDestinationPath: "keeps.json")
    #expect(problem { try save("a", in: fixture.container()) } != nil)
  }

  @Test func somethingThatIsNoFile() throws {
    #expect(mkfifo(fixture.file.path, 0o644) == 0)
    #expect(problem { _ = try fixture.container() } == .notADatabase)
    var found = stat()
    #expect(stat(fixture.file.path, &found) == 0 && found.st_mode & S_IFMT == S_IFIFO)
  }
}
