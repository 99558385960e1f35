import Foundation
import SchemaDriver
import SchemaLint

/// Finds the tests of the package that contains a schema.
enum PackageTests {
  /// Returns the words in migration tests, or nil if the package or test folder is missing.
  static func words(for folder: String) throws -> Set<String>? {
    var place = URL(fileURLWithPath: folder.isEmpty ? "." : folder).standardizedFileURL
    while SchemaPaths.kind(of: place.appendingPathComponent("Package.swift").path) == nil {
      guard place.pathComponents.count > 1 else { return nil }
      place.deleteLastPathComponent()
    }
    let tests = place.appendingPathComponent("Tests").path
    guard SchemaPaths.kind(of: tests) == .folder else { return nil }
    var words: Set<String> = []
    for path in try SchemaPaths.files(below: tests) where path.hasSuffix(".swift") {
      // Skip unreadable files.
      guard let file = try? SchemaReader.read([path]).get().first else { continue }
      words.formUnion(MigrationTests.words(in: file))
    }
    return words
  }
}
