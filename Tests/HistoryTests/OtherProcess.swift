import Foundation
import TestSupport
import Testing
import Trellis

@testable import HistoryLane

/// A store that other processes also use.
final class SharedLedger {
  let folder: URL
  let url: URL
  let container: ModelContainer
  let context: ModelContext

  init(_ configure: (inout ModelConfiguration) -> Void = { _ in }) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "ledger.store")
    container = try Ledger.container(url, configure)
    context = ModelContext(container)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static var program: URL { Program.folder.appending(path: "HistoryLane") }

  func start(_ arguments: [String], output: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = [arguments[0], url.path] + arguments.dropFirst()
    if let output { process.standardOutput = output }
    try process.run()
    return process
  }

  func run(_ arguments: String...) throws {
    let process = try start(arguments)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  func insert(_ name: String) throws -> Account {
    let account = Account(name: name)
    context.insert(account)
    try context.save()
    return account
  }
}

/// Waits for an effect of another process, for at least one minute, because the machine can be busy.
func eventually(_ isDone: () -> Bool) -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while !isDone(), .now < end { usleep(2_000) }
  return isDone()
}
