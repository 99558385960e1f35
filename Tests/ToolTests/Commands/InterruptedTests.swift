import Foundation
import SchemaDriver
import Testing

/// The next run completes a run that was killed between two renames.
@Suite struct InterruptedTests {
  private static let count = 400

  /// Every file refers to a model of the first file, so that a rename changes all files.
  private static func write(_ folder: Playground) throws {
    try folder.write("F000.schema", "schema S 1.0.0\n@Model class Old { var x: Int = 0 }\n")
    for number in 1..<count {
      let name = String(number)
      try folder.write(
        "F\(String(repeating: "0", count: 3 - name.count) + name).schema",
        "schema S 1.0.0\n@Model class M\(name) { @Relationship(inverse: nil) var old: Old? }\n")
    }
  }

  private static func renamed(_ folder: Playground) throws -> Int {
    try folder.contents().values.count { String(decoding: $0, as: UTF8.self).contains("New") }
  }

  @Test func killedRenamesAreCompleted() throws {
    let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("SchemaTool")
    var wasInterrupted = false
    for _ in 0..<20 where !wasInterrupted {
      try play { (folder: Playground) throws in
        try Self.write(folder)
        let first = folder.root.appendingPathComponent("F000.schema").path
        var before = stat()
        #expect(stat(first, &before) == 0)
        let process = Process()
        process.executableURL = tool
        process.arguments = ["rename", "Old", "New"]
        process.currentDirectoryURL = folder.root
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // A changed inode shows that the first file was renamed. The process is killed before the last rename.
        var now = before
        while now.st_ino == before.st_ino, process.isRunning { stat(first, &now) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let journal = folder.root.appendingPathComponent(".trellis-journal").path
        guard process.terminationReason == .uncaughtSignal, FileManager.default.fileExists(atPath: journal) else {
          return
        }
        let left = try folder.files.count { $0.hasSuffix(".partial") }
        wasInterrupted = 0 < left && left < Self.count
        #expect(folder.run("check") == (.clean, ""))
        #expect(try Self.renamed(folder) == Self.count)
        #expect(try folder.files.count == Self.count)
        #expect(folder.run("rename", "New", "Newer").status == .clean)
      }
    }
    #expect(wasInterrupted, "no run was killed between two replacements")
  }

  @Test func filesChangedInBetweenAreKept() throws {
    try play { (folder: Playground) throws in
      let old = "schema S 1.0.0\n@Model class A { var x: Int = 0 }\n"
      try folder.write("A.schema", old)
      try folder.write(".A.schema.partial", old.replacing("x", with: "y"))
      let paths = ["A.schema", ".A.schema.partial"].map { folder.root.appendingPathComponent($0).path }
      let moves = [["from": paths[1], "to": paths[0], "old": Data("schema S 0.9.0\n".utf8).base64EncodedString()]]
      let journal = try JSONSerialization.data(withJSONObject: ["moves": moves, "folders": [folder.root.path]])
      try folder.write(".trellis-journal", String(decoding: journal, as: UTF8.self))
      let (status, text) = folder.run("check")
      #expect(status == .usage)
      #expect(text.contains(".trellis-journal:1:1: error: a run of trellis was interrupted, and"))
      #expect(text.contains("has changed since"))
      #expect(try folder.read("A.schema") == old)
      // Without the journal, the next run changes nothing.
      try FileManager.default.removeItem(at: folder.root.appendingPathComponent(".trellis-journal"))
      #expect(folder.run("check") == (.clean, ""))
    }
  }
}
