import Foundation
import Testing
import Trellis

/// Programs in the same group share its folder. Other programs have separate folders.
@Suite struct GroupContainerTests {
  private let folder: URL
  private var data: URL { folder.appending(path: "data") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs a copy of the program under another name, which inserts an account into its default store.
  ///
  /// - Returns: The names of all accounts; nil on failure.
  private func run(_ program: String, _ group: String, _ account: String) throws -> String? {
    let copy = folder.appending(path: program)
    if !FileManager.default.fileExists(atPath: copy.path) {
      try FileManager.default.copyItem(at: SharedLedger.program, to: copy)
    }
    let process = Process()
    process.executableURL = copy
    process.arguments = ["group", group, account]
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": data.path]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return text.trimmingCharacters(in: .newlines)
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(data.appending(path: path).path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test func twoProgramsShareTheStoreOfAGroup() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try run("app", "group.ledger", "a") == "a")
    #expect(try run("widget", "group.ledger", "b") == "a b")
    #expect(try run("app", "group.other", "c") == "c")
    #expect(mode("group-containers/group.ledger/default.store") != nil)
    for path in ["", "group-containers", "group-containers/group.ledger", "group-containers/group.other"] {
      #expect(mode(path) == 0o700, "\(path)")
    }
    #expect(mode("app") == nil && mode("widget") == nil)
  }

  @Test(arguments: [".automatic", ".none"]) func withoutAGroupEachProgramHasItsOwnStore(group: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try run("app", group, "a") == "a")
    #expect(try run("widget", group, "b") == "b")
    #expect(mode("app/default.store") != nil && mode("widget/default.store") != nil)
    #expect(mode("group-containers") == nil)
  }

  @Test func invalidGroupNamesOpenNoStore() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for group in ["../../x", "..", ".", "", "a/b", "a\nb"] {
      #expect(try run("app", group, "a") == nil, "\(group)")
    }
    #expect(!FileManager.default.fileExists(atPath: data.path))
  }
}
