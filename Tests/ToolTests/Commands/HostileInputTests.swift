import Foundation
import SchemaDriver
import TestSupport
import Testing

/// Schemas, released copies and lock files with random damage. Every verb exits with a status, and read-only verbs
/// write nothing.
struct HostileInputTests {

  private static let words = [
    "{", "}", "\"", "migration from 1.0.0 {", "schema S 1.0.0", "\r\n", "\\.", "<#", "#>", "fill A.x = ",
    "accept MIG011 A.y -- ",
    "dedupe A on [\\.x] keep newest", "/*", "class A: A", "@Attribute(", "originalName: \"x\"", "versions", "1.0.0",
    "99999999999999999999.0.0", "é", "\u{0}",
  ]

  private func damage(_ text: String, _ generator: inout SeededGenerator) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: Self.words.randomElement(using: &generator)?.utf8 ?? "".utf8, at: place)
      default: bytes.replaceSubrange(place..<end, with: bytes[..<min(bytes.count, 9)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func nothingTraps() throws {
    let seed = SeededGenerator.seed()
    var generator = SeededGenerator(seed: seed)
    try play { folder in
      try folder.write("S.schema", VerifyTests.first)
      folder.run("freeze")
      try folder.write("S.schema", VerifyTests.second)
      let files = try folder.contents().mapValues { String(decoding: $0, as: UTF8.self) }
      for round in 0..<Repetitions.scaled(40, upTo: 400) {
        for (path, text) in files { try folder.write(path, text) }
        let path = files.keys.sorted().randomElement(using: &generator) ?? ""
        try folder.write(path, damage(files[path] ?? "", &generator))
        let before = try folder.contents()
        let calls = [
          ["verify"], ["verify", "--format", "json"], ["diff", ".."], ["breaking", "--against", "1.0.0"],
          ["freeze", "--dry-run"],
          ["bump", "--dry-run"], ["bump", "major", "--dry-run"], ["rename", "--dry-run", "A", "B"],
          ["rename", "--dry-run", "A.x", "z"], ["accept", "MIG011", "A.y", "--reason", "r", "--dry-run"],
        ]
        for call in calls { #expect(folder.run(call).text.utf8.count < 100_000, "round \(round): \(call)") }
        #expect(try folder.contents() == before, "round \(round)")
        // After a verb that writes, the schema compiles as before, or nothing changed.
        let call = [["freeze"], ["bump"], ["rename", "A", "B"], ["verify", "--rebuild-lock"]][round % 4]
        let could = folder.run("check").status
        let (status, _) = folder.run(call)
        if status != .clean { #expect(try folder.contents() == before, "round \(round): \(call)") }
        if status == .clean, could != .unparsable {
          #expect(folder.run("check").status != .unparsable, "round \(round): \(call)")
        }
      }
    }
  }
}
