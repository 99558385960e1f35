import Foundation
import SchemaCommands
import SchemaDriver
import Testing

/// What the schemas of this package are found to have, they are meant to have, and say so.
@Suite struct OwnSchemasTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: ["Schemas", "Benchmarks/Schemas", "Sources"]) func leaveNothingToSay(_ folder: String) {
    let path = Self.root.appending(path: folder).path(percentEncoded: false)
    let outcome = CommandLineTool.run(
      ["lint", "--no-config", "--preset", "recommended", "--format", "compact", "--quiet", path])
    #expect(outcome.status == .clean, "\(outcome.findings)\(outcome.progress)")
  }
}
