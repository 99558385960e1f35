import Foundation
import SchemaDriver
import Testing

@Suite struct CheckTests {
  private static let schema = "schema Shop 1.0.0\n@Model class Item { var code: Code? }\n"

  @Test func commentsSilenceWarnings() throws {
    try play { place in
      try place.write("Shop.schema", Self.schema)
      #expect(place.run("check", "--format", "compact").text.components(separatedBy: ": warning: ").count == 2)
      let ignored = Self.schema.replacing("Code? }", with: "Code?  // schema:ignore TYP013 -- of a library\n}")
      try place.write("Shop.schema", ignored)
      #expect(place.run("check") == (.clean, ""))
    }
  }

  /// In this case, SwiftPM only reports that the module does not exist.
  @Test func targetsOmittedBySwiftPM() throws {
    try play { place in
      try place.write("Package.swift", "// swift-tools-version: 6.3\n")
      try place.write("Sources/Shop/Shop.schema", Self.schema.replacing("Code", with: "Int"))
      let (status, text) = place.run("check")
      #expect(status == .clean)
      #expect(
        text
          == "Sources/Shop: note: SwiftPM omits targets that contain no Swift file, so 'import' would fail; add an "
          + "empty Swift file\n")
      try place.write("Sources/Shop/Shop.swift", "")
      #expect(place.run("check") == (.clean, ""))
    }
  }
}
