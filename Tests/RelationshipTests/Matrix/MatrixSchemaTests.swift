import Foundation
import Testing

@Suite struct MatrixSchemaTests {
  /// The files are checked in for readers. `RECORD_GOLDENS=1` writes them again.
  @Test func theSchemaFilesMatchTheOutputOfMatrixSchema() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    for (name, text) in MatrixSchema.files {
      let url = folder.appendingPathComponent(name)
      if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
        try text.write(to: url, atomically: true, encoding: .utf8)
      }
      #expect(try String(contentsOf: url, encoding: .utf8) == text)
    }
  }
}
