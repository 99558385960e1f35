import Foundation
import Testing
import Trellis

/// Devices, pipes and folders instead of files: the store throws and does not block.
@Suite struct SpecialFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func openStore(allowsSave: Bool = true) throws -> ModelContext {
    ModelContext(
      try KeepWorld.container(ModelConfiguration(url: scratch.file("keeps.store"), allowsSave: allowsSave)))
  }

  private func problem(_ body: () throws -> Void) -> StoreProblem? {
    #expect(throws: SwiftDataError.self) { try body() }?.storeProblem
  }

  @Test func linksToDevicesAreRejected() throws {
    let file = scratch.file("keeps.store")
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/zero")
    #expect(problem { _ = try openStore() } == .notADatabase)
    #expect(problem { _ = try openStore(allowsSave: false) } == .notADatabase)
  }

  @Test(arguments: ["-journal", "-wal", "-shm"]) func companionFilesThatArePipesAreNamed(suffix: String) throws {
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

  @Test func pipesAreNotReadAsExternalData() throws {
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
