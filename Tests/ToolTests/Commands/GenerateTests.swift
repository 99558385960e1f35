import Foundation
import SchemaDriver
import Testing

/// Tests of `trellis generate`: found files, comparison and protected files.
@Suite struct GenerateTests {
  private static let one = "schema S 1.0.0\n@Model class A { var x: Int = 0 }\n"
  private static let two = "schema S 2.0.0\n@Model class A { var x: Int = 0; var y: Int = 0 }\n"

  @Test func releasedVersionsAndTheLockAreFound() throws {
    try play { (folder: Playground) throws in
      try folder.write("Models/S.schema", Self.one)
      #expect(folder.run("freeze").status == .clean)
      try folder.write("Models/S.schema", Self.two + "migration from 1.0.0 { fill A.y = old.x }\n")
      let (status, text) = folder.run("generate", "--out", "Code", "Models/S.schema")
      #expect(status == .clean)
      #expect(text == "")
      #expect(try folder.read("Code/Code+Versions.swift").contains("1.0.0"))
      // The result is the same for a folder and for a list of all its files.
      for paths in [["Models"], [], ["Models/S.schema", "Models/versions/S-1.0.0/S.schema", "Models/versions/S.lock"]] {
        #expect(folder.run(["generate", "--out", "Code", "--check"] + paths) == (.clean, ""))
      }
    }
  }

  @Test func theNearestConfigurationStatesAccessAndDeclaredTypes() throws {
    try play { (folder: Playground) throws in
      try folder.write("Models/S.schema", "schema S 1.0.0\n@Model class A { var at: Date }\n")
      try folder.write("schema.config.json", #"{ "access": "package", "declares": ["Date"] }"#)
      #expect(folder.run("generate", "--out", "Code", "Models").status == .clean)
      #expect(try folder.read("Code/S+Models.swift").contains("package var at: Foundation::Date {"))
      try folder.write("other.json", "{}")
      #expect(folder.run("generate", "--out", "Other", "--config", "other.json", "Models").status == .clean)
      #expect(try folder.read("Other/S+Models.swift").contains("  var at: Date {"))
      #expect(folder.run("generate", "--out", "Public", "--access", "public", "Models").status == .clean)
      #expect(try folder.read("Public/S+Models.swift").contains("public var at: Foundation::Date {"))
    }
  }

  @Test func unreleasedHeadsAreNotAdvisedToFreeze() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.two + "migration from 1.0.0 { fill A.y = old.x }\n")
      let (status, text) = folder.run("generate", "--out", "Code", "S.schema")
      #expect(status == .unparsable)
      #expect(text.contains("restore 'versions/S-1.0.0' and its line in the lock"))
      #expect(!text.contains("freeze"))
    }
  }

  @Test func checkReportsStaleFiles() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.one)
      let (missing, all) = folder.run("generate", "--out", "Code", "--check", "S.schema")
      #expect(missing == .findings)
      #expect(all.contains("+public") || all.contains("+nonisolated final class A"))
      #expect(try folder.files == ["S.schema"])
      folder.run("generate", "--out", "Code", "S.schema")
      #expect(folder.run("generate", "--out", "Code", "--check", "S.schema") == (.clean, ""))
      let before = try folder.contents()
      try folder.write("S.schema", Self.one.replacing("var x: Int = 0", with: "var z: Int = 0"))
      let (stale, diff) = folder.run("generate", "--out", "Code", "--check", "S.schema")
      #expect(stale == .findings)
      #expect(diff.contains("--- a/Code/S+Models.swift") && diff.contains("-  public var x") || diff.contains("var z"))
      var after = try folder.contents()
      after["S.schema"] = before["S.schema"]
      #expect(after == before)
    }
  }

  @Test func handwrittenFilesAreKept() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.one)
      try folder.write("Code/S+Models.swift", "extension A {}\n")
      let before = try folder.contents()
      let (status, text) = folder.run("generate", "--out", "Code", "S.schema")
      #expect(status == .usage)
      #expect(text.contains("Code/S+Models.swift: error: this file was not generated and is not replaced"))
      #expect(try folder.contents() == before)
    }
  }

  @Test func targetNamesCannotLeaveTheFolder() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.one)
      let (status, text) = folder.run("generate", "--out", "Code", "--target", "../Other", "S.schema")
      #expect(status == .usage)
      #expect(text.contains("'../Other+Versions.swift' is not a valid file name"))
      #expect(try folder.files.filter { $0.hasSuffix(".swift") } == [])
    }
  }
}
