import Foundation
import SchemaCommands
import SchemaDriver
import Testing

/// Tests of `trellis lint` with unusual input.
@Suite struct LintEdgeTests {
  private static let bad = "schema S 1.0.0\n@Model class trip { var name: String }\n"

  @Test(arguments: [
    (
      #"{"preset": "strict", "preset": "minimal"}"#,
      "1:22: error: the configuration is not JSON: duplicate key 'preset'"
    ),
    (
      #"{"rules": {"NAM001": "off", "entity-upper-camel": "error"}}"#,
      "1:29: error: duplicate entry 'entity-upper-camel': NAM001 and entity-upper-camel are the same rule"
    ),
    (#"{"requireSuppressionReason": 1}"#, "1:2: error: 'requireSuppressionReason' must be true or false"),
    (
      #"{"promoted": {"history": "1.0.0"}}"#,
      "1:2: error: 'promoted' does not apply to 'history', only to 'cloudkit'"
    ),
    (
      #"{"rules": {"TYP021": ["warning", {"limit": true}]}}"#,
      "1:35: error: 'limit' of 'TYP021' must be an integer, a list of strings or an object of strings"
    ),
    (
      #"{"rules": {"TYP021": ["warning", {"limit": 1.5}]}}"#,
      "1:35: error: 'limit' of 'TYP021' must be an integer, a list of strings or an object of strings"
    ),
    (
      #"{"rules": {"NAM001": "off"}, "paths": {"*": {"rules": {"NAM001": "of"}}}}"#,
      "1:56: error: 'NAM001' must be off, info, warning or error, not 'of'"
    ),
    (#"{"preset": "strict",}"#, "1:21: error: the configuration is not JSON: expected a key in quotes"),
    (#"{"preset": "strict"} {}"#, "1:22: error: the configuration is not JSON: expected the end of the file"),
    (
      "{\"preset\": \"str\n",
      "1:16: error: the configuration is not JSON: unterminated string; write '\\n' for a line break"
    ),
    (#"{"preset": "\ud800"}"#, "1:13: error: the configuration is not JSON: unpaired surrogate"),
    (#"{"preset": 01}"#, "1:12: error: the configuration is not JSON: '01' is not a number"),
    ("", "1:1: error: the configuration is not JSON: expected a value, found the end of the file"),
    ("\u{0}", "1:1: error: the configuration is not UTF-8 text"),
    (String(repeating: "[", count: 100), "1:65: error: the configuration is not JSON: values are nested too deeply"),
  ]) func invalidConfigurations(_ text: String, _ message: String) throws {
    try play { place in
      try place.write("S.schema", Self.bad)
      try place.write("schema.config.json", text)
      let (status, said) = place.run("lint")
      #expect(status == .usage)
      #expect(said == "schema.config.json:\(message)\n")
    }
  }

  @Test(arguments: [0, 1, 60]) func numericConfigurationOptions(_ limit: Int) throws {
    try play { place in
      try place.write("S.schema", "\u{FEFF}schema S 1.0.0\n@Model class Trip { var a: Int; var b: Int }\n")
      try place.write("schema.config.json", "\u{FEFF}{\"rules\": {\"TYP021\": [\"warning\", {\"limit\": \(limit)}]}}")
      #expect(place.run("lint", "--quiet").status == (limit < 2 ? .findings : .clean))
    }
  }

  @Test func twoReportsInOneFileAreRejected() throws {
    try play { place in
      try place.write("S.schema", Self.bad)
      let (status, text) = place.run("lint", "--output", "json:out", "--output", "sarif:./out")
      #expect(
        status == .usage
          && text == "error: './out' accepts a single format; write the other formats to separate files\n")
      #expect(try place.files == ["S.schema"])
    }
  }

  /// A device such as `/dev/null` must not be replaced by a file.
  @Test func specialFilesAreWrittenAndNotReplaced() throws {
    try play { place in
      try place.write("S.schema", Self.bad)
      let path = place.root.appendingPathComponent("pipe").path
      #expect(mkfifo(path, 0o600) == 0)
      // Open both ends, so that neither blocks.
      let descriptor = open(path, O_RDWR | O_NONBLOCK)
      defer { close(descriptor) }
      #expect(place.run("lint", "--quiet", "--output", "compact:pipe").status == .findings)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).contains("[NAM001 entity-upper-camel]"))
      let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      #expect(type != .typeRegular)
      #expect(place.run("graph", "--output", "pipe").status == .clean)
      let drawn = read(descriptor, &bytes, bytes.count)
      #expect(String(decoding: bytes.prefix(max(drawn, 0)), as: UTF8.self).contains("classDiagram"))
    }
  }

  @Test func foldersWithEquallyNamedSchemasShareABaseline() throws {
    try play { place in
      try place.write("A/S.schema", Self.bad)
      try place.write("B/S.schema", Self.bad)
      #expect(place.run("lint", "--write-baseline", "--quiet").text == ".schema-baseline.json: 2 findings listed\n")
      let arguments = ["lint", "--quiet", "--baseline", ".schema-baseline.json"]
      #expect(place.run(arguments) == (.clean, ""))
      // Entries of a folder that was not linted are kept.
      #expect(place.run(arguments + ["--prune-baseline", "A"]) == (.clean, ""))
      #expect(place.run(arguments) == (.clean, ""))
      try place.write("B/S.schema", Self.bad.replacing("trip", with: "Trip"))
      #expect(place.run(arguments).text == ".schema-baseline.json: 1 finding obsolete; '--prune-baseline' removes it\n")
    }
  }

  @Test(arguments: [#"{"version": 2, "findings": []}"#, "{}", "[]", "", #"{"version": 1, "findings": [{}]}"#])
  func baselinesEditedByHand(_ text: String) throws {
    try play { place in
      try place.write("S.schema", Self.bad)
      try place.write("b.json", text)
      let (status, said) = place.run("lint", "--baseline", "b.json")
      #expect(
        status == .usage && said.hasPrefix("b.json:1:1: error: ")
          && said.hasSuffix("; '--write-baseline' creates it again\n"))
    }
  }

  @Test(arguments: [("9.9.9", true), ("1.0.0", false)])
  func missingDeployedVersionsAreReported(_ version: String, _ isSaid: Bool) throws {
    try play { place in
      try place.write("A/S.schema", "schema S 1.0.0\n@Model class Trip { var name: String? }\n")
      try place.write("B/T.schema", "schema T 2.0.0\n@Model class Trip { var name: String? }\n")
      try place.write(
        "schema.config.json", "{\"profiles\": [\"cloudkit\"], \"promoted\": {\"cloudkit\": \"\(version)\"}}")
      let note =
        "note: no schema has version \(version) ('promoted'), so there is no comparison with the deployed version\n"
      #expect(place.run("lint", "--quiet") == (.clean, isSaid ? note : ""))
    }
  }

  @Test func eachFolderUsesItsOwnConfiguration() throws {
    try play { place in
      try place.write("Tolerant/S.schema", Self.bad)
      try place.write("Tolerant/schema.config.json", #"{"failOn": "error"}"#)
      try place.write("Strict/S.schema", Self.bad)
      #expect(place.run("lint", "Tolerant").status == .clean)
      #expect(place.run("lint", "Strict").status == .findings)
      #expect(place.run("lint").status == .findings)
      #expect(place.run("lint", "--fail-on", "error").status == .clean)
    }
  }

  /// A file that is not text does not prevent reports about other files, in all formats.
  @Test(arguments: ["json", "sarif", "junit", "gitlab", "github", "compact", "text"])
  func binaryFilesAreFindings(_ format: String) throws {
    try play { place in
      try place.write("A/S.schema", Self.bad)
      try place.write("B/S.schema", "schema S 1.0.0\n\u{1B}[31m\u{0}")
      try Data([0x73, 0xFF, 0x0A]).write(to: place.root.appendingPathComponent("B/T.schema"))
      let (status, text) = place.run("lint", "--quiet", "--format", format)
      #expect(status == .unparsable)
      #expect(text.contains("NAM001"))
      #expect(text.contains("the file contains binary data, not Swift text"))
      #expect(text.contains("this byte is not valid UTF-8; save the file as UTF-8"))
      #expect(!text.contains("\u{1B}") && !text.contains("\u{0}"))
      if ["json", "sarif", "gitlab"].contains(format) {
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
      }
    }
  }

  /// A full disk and a closed output are reported without traps.
  @Test func outputThatCannotBeWritten() throws {
    #expect(StandardStream.write("text", to: -1) == EBADF)
    let full = open("/dev/full", O_WRONLY)
    guard full >= 0 else { return }
    defer { close(full) }
    #expect(StandardStream.write("text", to: full) == ENOSPC)
    #expect(StandardStream.write("", to: full) == nil)
  }
}
