import Foundation
import TestSupport
import Testing
import Trellis

/// Kills processes that save large values. The processes run this test executable.
@Suite(.serialized) struct KilledProcessTests {
  private static let variable = "TRELLIS_KILLED_STORE"

  /// The expected data of a row, whose name is a number.
  private static func bytes(of name: String, _ salt: UInt8 = 0) -> Data {
    ExternalStorageTests.bytes(UInt8(truncatingIfNeeded: Int(name) ?? 0) ^ salt)
  }

  private static func container(_ path: String) throws -> ModelContainer {
    let schema = Schema([Album.self, Attachment.self])
    return try ModelContainer(
      for: schema,
      configurations: ModelConfiguration(schema: schema, url: URL(fileURLWithPath: path)))
  }

  /// Runs in the child process only: inserts, replaces, merges and deletes until it is killed or its parent ends.
  @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
  func savesUntilItIsKilled() throws {
    let path = try #require(ProcessInfo.processInfo.environment[Self.variable])
    let container = try Self.container(path)
    let context = ModelContext(container)
    let tests = getppid()
    var number = Int.random(in: 0..<1_000_000)
    while getppid() == tests {
      number += 1
      let name = "\(number)"
      context.insert(Photo(name: name, image: Self.bytes(of: name), original: Self.bytes(of: name, 1)))
      context.insert(Attachment(name: "\(number % 4)", bytes: Self.bytes(of: "\(number % 4)")))
      let photos = try context.all(Photo.self)
      if let photo = photos.first, photos.count > 2 {
        photo.name = "\(number + 7)"
        photo.image = Self.bytes(of: photo.name)
        photo.original = Self.bytes(of: photo.name, 1)
      }
      if photos.count > 4 { context.delete(photos[1]) }
      try context.save()
      try Data(name.utf8).write(to: URL(fileURLWithPath: path + ".progress"))
    }
  }

  private func kill(_ path: String, after pause: UInt32) throws {
    let progress = path + ".progress"
    try? FileManager.default.removeItem(atPath: progress)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "KilledProcessTests.*savesUntilItIsKilled",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: path]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !FileManager.default.fileExists(atPath: progress) { usleep(1000) }
    #expect(process.isRunning, "the other process has saved, and is killed in the middle of more")
    usleep(pause)
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] == nil))
  func aProcessKilledAtAnyTimeLosesNothingAndLeavesNoFiles() throws {
    let fixture = try StorageFixture()
    // Each round starts this program, which takes half a second.
    for round in 0..<Repetitions.scaled(2, upTo: 16) {
      let pause = UInt32.random(in: 0..<30_000)
      try kill(fixture.url.path, after: pause)
      let context = ModelContext(try Self.container(fixture.url.path))
      let photos = try context.all(Photo.self)
      let attachments = try context.all(Attachment.self)
      #expect(photos.count >= 1 && attachments.count >= 1, "round \(round)")
      for photo in photos {
        #expect(photo.image == Self.bytes(of: photo.name), "round \(round), \(pause) µs")
        #expect(photo.original == Self.bytes(of: photo.name, 1), "round \(round), \(pause) µs")
      }
      for attachment in attachments {
        #expect(attachment.bytes == Self.bytes(of: attachment.name), "round \(round), \(pause) µs")
      }
      // The next save removes unreferenced files.
      context.insert(Album(title: "next"))
      try context.save()
      let expected = photos.count * 2 + attachments.count
      #expect(fixture.files.count == expected, "round \(round), \(pause) µs")
      #expect(fixture.lists.isEmpty)
      #expect(try fixture.shell("PRAGMA integrity_check") == "ok")
    }
  }
}
