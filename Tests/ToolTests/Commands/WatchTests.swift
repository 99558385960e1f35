import Foundation
import TestSupport
import Testing

/// Runs `trellis watch` as a process and saves files as editors do.
@Suite struct WatchTests {
  /// Reads the output line by line.
  private final class Lines {
    private let handle: FileHandle
    private var rest = Data()

    init(_ handle: FileHandle) { self.handle = handle }

    /// Waits for the next line; nil at the end of the output.
    func next() -> String? {
      while true {
        if let end = rest.firstIndex(of: 0x0A) {
          defer { rest = Data(rest[(end + 1)...]) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        let bytes = handle.availableData
        guard !bytes.isEmpty else { return nil }
        rest += bytes
      }
    }

    /// Skips the lines of an excerpt.
    func next(containing text: String) -> String? {
      while let line = next() { if line.contains(text) { return line } }
      return nil
    }
  }

  private static func schema(_ type: String) -> String {
    "schema S 1.0.0\n\n@Model\nclass A {\n    var x: \(type)\n}\n"
  }

  @Test func everySaveIsChecked() throws {
    try play { place in
      try place.write("App/S.schema", Self.schema("Int"))
      try place.write("App/old/Notes.txt", "no schema")
      let process = Program.named("SchemaTool")
      process.arguments = ["watch", "--out", "Code"]
      process.currentDirectoryURL = place.root
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      defer { if process.isRunning { process.terminate() } }
      // A line that never comes must not stop all tests.
      let timeout = DispatchWorkItem { if process.isRunning { process.terminate() } }
      DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: timeout)
      defer { timeout.cancel() }
      let lines = Lines(output.fileHandleForReading)
      #expect(lines.next() == "watching .; press Ctrl-C to stop")
      // Write in place and in one step, because a file that is truncated first may be read while it is empty.
      let file = try FileHandle(forUpdating: place.root.appendingPathComponent("App/S.schema"))
      try file.write(contentsOf: Data(Self.schema("Strin").utf8))
      try file.close()
      // If the file changed after it was checked, the generator reports the error with a path.
      #expect(lines.next()?.hasSuffix("error: unknown type 'Strin' [TYP001 unknown-type]") == true)
      // Save by renaming a new file.
      try place.write("App/S.schema~", Self.schema("String"))
      let (saved, path) = (place.root.path + "/App/S.schema~", place.root.path + "/App/S.schema")
      #expect(rename(saved, path) == 0)
      #expect(lines.next(containing: "finding") == "1 finding fixed, none remaining")
      #expect(try place.read("Code/S+Models.swift").contains("x: String"))
      // Add a file in a new folder, then remove the folder.
      try place.write("App/more/T.schema", Self.schema("Dat").replacing("schema S", with: "schema T"))
      #expect(lines.next() == "error: unknown type 'Dat' [TYP001 unknown-type]")
      try FileManager.default.removeItem(at: place.root.appendingPathComponent("App/more"))
      #expect(lines.next(containing: "finding") == "1 finding fixed, none remaining")
      process.interrupt()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      #expect(lines.next() == nil)
    }
  }

  @Test func missingPath() throws {
    try play { place in
      let process = Program.named("SchemaTool")
      process.arguments = ["watch", "nowhere"]
      process.currentDirectoryURL = place.root
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 2)
    }
  }
}
