import Foundation
import SchemaCommands
import SchemaDriver
import TestSupport
import Testing

/// All findings in the schemas of this package must be suppressed with a reason. A short run omits none of them.
@Suite struct OwnSchemasTests {
  private static let root = Repository.root

  @Test(arguments: ["Schemas", "Benchmarks/Schemas", "Sources"]) func ownSchemasHaveNoFindings(_ folder: String) {
    let path = Self.root.appending(path: folder).path(percentEncoded: false)
    let outcome = CommandLineTool.run(
      ["lint", "--no-config", "--preset", "recommended", "--format", "compact", "--quiet", path])
    #expect(outcome.status == .clean, "\(outcome.findings)\(outcome.progress)")
  }
}
