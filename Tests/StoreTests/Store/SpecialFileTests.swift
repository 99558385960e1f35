import Foundation
import Testing
import Trellis
import TrellisJSON

/// Devices, pipes and folders instead of files: the store throws and does not block.
@Suite struct SpecialFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func open(allowsSave: Bool = true) throws -> ModelContext {
    ModelContext(try KeepWorld.container(JSONFileConfiguration(url: scratch.file(), allowsSave: allowsSave)))
  }

  private func openStore(allowsSave: Bool = true) throws -> ModelContext {
    ModelContext(
      try KeepWorld.container(ModelConfiguration(url: scratch.file("keeps.store"), allowsSave: allowsSave)))
  }

  private func problem(_ body: () throws -> Void) -> StoreProblem? {
    #expect(throws: SwiftDataError.self) { try body() }?.storeProblem
  }

  @Test(arguments: ["/dev/zero", "/dev/full", "/dev/null"], [true, false])
  func aJSONFileThatLinksToADeviceIsRefused(device: String, allowsSave: Bool) throws {
    try FileManager.default.createSymbolicLink(atPath: scratch.file().path, withDestinationPath: device)
    #expect(problem { _ = try open(allowsSave: allowsSave) } == .notADatabase)
    #expect(!FileManager.default.fileExists(atPath: device + ".lock"))
    #expect(scratch.names == ["keeps.json"])
  }

  @Test func aStoreThatLinksToADeviceIsRefused() throws {
    let file = scratch.file("keeps.store")
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/zero")
    #expect(problem { _ = try openStore() } == .notADatabase)
    #expect(problem { _ = try openStore(allowsSave: false) } == .notADatabase)
  }

  /// Opening a pipe would block until another process opens it.
  @Test(arguments: ["pipe", "/dev/zero"]) func aHistoryThatIsNoFileIsDamaged(kind: String) throws {
    do {
      let context = try open()
      context.insert(Keep(code: "a"))
      try context.save()
    }
    let history = scratch.file().path + ".history"
    try FileManager.default.removeItem(atPath: history)
    if kind == "pipe" {
      #expect(mkfifo(history, 0o600) == 0)
    } else {
      try FileManager.default.createSymbolicLink(atPath: history, withDestinationPath: kind)
    }
    let context = try open()
    #expect(try KeepWorld.keeps(context).map(\.code) == ["a"])
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
    context.insert(Keep(code: "b"))
    try context.save()
    #expect(try KeepWorld.keeps(open(allowsSave: false)).map(\.code) == ["a", "b"])
  }

  @Test func aLockThatIsAPipeIsRefused() throws {
    #expect(mkfifo(scratch.file().path + ".lock", 0o600) == 0)
    let error = #expect(throws: SwiftDataError.self) { _ = try open() }
    #expect(error?.storeProblem == .notWritable)
    #expect(error?.explanation?.contains("it is a folder, a pipe, a socket or a device") == true)
  }

  @Test(arguments: ["-journal", "-wal", "-shm"]) func aCompanionOfAStoreThatIsAPipeIsNamed(suffix: String) throws {
    do {
      let context = try openStore()
      context.insert(Keep(code: "a"))
      try context.save()
    }
    let path = scratch.file("keeps.store").path + suffix
    #expect(mkfifo(path, 0o600) == 0)
    for allowsSave in [true, false] {
      let error = #expect(throws: SwiftDataError.self) { _ = try openStore(allowsSave: allowsSave) }
      #expect(error?.explanation?.contains(path) == true)
    }
    #expect(unlink(path) == 0)
    #expect(try KeepWorld.keeps(openStore()).map(\.code) == ["a"])
  }

  @Test func externalDataThatIsAPipeIsNoValue() throws {
    do {
      let context = try openStore()
      let keep = Keep(code: "a")
      keep.data = Data(repeating: 1, count: 300_000)
      context.insert(keep)
      try context.save()
    }
    let folder = scratch.file("keeps.store-external").path
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    #expect(unlink(folder + "/" + name) == 0 && mkfifo(folder + "/" + name, 0o600) == 0)
    // An invalid list of an interrupted save.
    #expect(mkdir(folder + "/pending", 0o700) == 0 && mkfifo(folder + "/pending/list", 0o600) == 0)
    let context = try openStore()
    let keep = try #require(KeepWorld.keeps(context).first)
    #expect(keep.data == nil)
    keep.count = 1
    try context.save()
    #expect(try KeepWorld.keeps(openStore()).map(\.count) == [1])
  }
}
