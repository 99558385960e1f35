import Foundation
import SchemaDiagnostics
import SchemaFormat
import SchemaImport
import SchemaSyntax
import TestSupport
import Testing

/// Compares the imports of Core Data models and Swift files byte for byte. `RECORD_GOLDENS=1` writes the results and
/// still fails.
@Suite struct ImportGoldenTests {
  @Test(arguments: ImportCase.all) func importsMatchTheGoldens(_ test: ImportCase) throws {
    let outputs = ImportCase.outputs(try test.run(try test.inputs))
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try? FileManager.default.removeItem(at: test.expected)
      for (path, bytes) in outputs {
        let url = test.expected.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
      }
      Issue.record("recorded; run again without RECORD_GOLDENS")
      return
    }
    let expected = try ImportCase.files(test.expected)
    #expect(outputs.keys.sorted() == expected.keys.sorted())
    for (path, bytes) in outputs {
      #expect(
        String(decoding: bytes, as: UTF8.self) == expected[path].map { String(decoding: $0, as: UTF8.self) }, "\(path)")
    }
  }

  /// Windows line breaks, tabs and a byte order mark do not change the result. A short run takes half of the cases.
  @Test(
    arguments: ImportCase.all.filter { $0.form == .swift }.enumerated()
      .filter { Repetitions.isThorough || $0.offset % 2 == 0 }.map(\.element))
  func lineBreaksAndIndentationAreIrrelevant(_ test: ImportCase) throws {
    let inputs = try test.inputs
    let expected = ImportCase.outputs(try test.run(inputs))
    let windows = inputs.map { file in
      let text = file.text(from: 0, to: file.bytes.count)
      return SourceFile(
        path: file.path,
        text: (text.hasPrefix("\u{FEFF}") ? "" : "\u{FEFF}")
          + text.split(
            separator: "\n", omittingEmptySubsequences: false
          ).joined(separator: "\r\n"))
    }
    #expect(ImportCase.outputs(try test.run(windows)) == expected)
  }

  @Test func casesExist() {
    #expect(ImportCase.all.count { $0.form == .models } >= 3)
    #expect(ImportCase.all.count { $0.form == .swift } >= 20)
  }

  /// Rejected code becomes a comment; the rest compiles.
  @Test(arguments: ImportCase.all) func everyFileCompiles(_ test: ImportCase) throws {
    let result = try test.run(try test.inputs)
    #expect(ImportCase.errors(result).isEmpty, "\(ImportCase.errors(result))")
  }

  /// The versions of a Core Data model and their migrations must be complete, without diagnostics.
  @Test(arguments: ImportCase.all.filter { $0.form == .models })
  func importedVersionsHaveCompleteMigrations(_ test: ImportCase) throws {
    let result = try test.run(try test.inputs)
    #expect(ImportCase.problems(result).isEmpty, "\(ImportCase.problems(result))")
    for file in result.files where file.path.hasSuffix(".schema") {
      let tree = Parser.parse(SourceFile(path: file.path, text: file.text), index: 0).0
      #expect(SchemaFormatter.format(tree) == Array(file.text.utf8), "\(file.path) is not laid out")
    }
  }

  /// Each topic must have an example that reports it.
  @Test func everyTopicIsReported() throws {
    let notes = try ImportCase.all.flatMap { try $0.run(try $0.inputs).notes }
    #expect(Set(notes.compactMap(\.topic)) == Set(CoreDataTopic.allCases.map(\.rawValue)))
    #expect(Set(notes.map(\.kind)) == [.notCarried, .check, .hint])
  }
}
