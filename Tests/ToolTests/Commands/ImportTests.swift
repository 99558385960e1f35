import Foundation
import SchemaDriver
import Testing

/// Tests of `trellis import` with folders: found, written and rejected files.
struct ImportTests {
  static func model(_ attributes: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Note" representedClassName="Note" syncable="YES">
    \(attributes)
        </entity>
    </model>
    """
  }

  static let first = model(#"<attribute name="text" attributeType="String"/>"#)
  static let second = model(#"<attribute name="body" attributeType="String" elementID="text"/>"#)
  static let third = model(
    #"""
    <attribute name="body" attributeType="String"/>
    <attribute name="stars" attributeType="Integer 16" defaultValueString="3" usesScalarValueType="YES"/>
    """#)

  private func write(_ folder: Playground, current: String = "Notes 3") throws {
    let bundle = "App/Notes.xcdatamodeld/"
    try folder.write(bundle + "Notes.xcdatamodel/contents", Self.first)
    try folder.write(bundle + "Notes 2.xcdatamodel/contents", Self.second)
    try folder.write(bundle + "Notes 3.xcdatamodel/contents", Self.third)
    try folder.write(
      bundle + ".xccurrentversion",
      """
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string></dict></plist>
      """)
  }

  /// Three versions become a head and two released versions that `verify`, `check`, `format` and the generator accept.
  @Test(arguments: ["App", "App/Notes.xcdatamodeld", "App/Notes.xcdatamodeld/"])
  func versionedModelsBecomeASchemaWithReleases(_ path: String) throws {
    try play { folder in
      try write(folder)
      let (status, text) = folder.run("import", "--from", "coredata", "--output", "Out", path)
      #expect(status == .clean)
      #expect(text == "1 models of version 1.0.0, 2.0.0, 3.0.0 in 4 files, 0 notes\n")
      #expect(
        try folder.files.filter { $0.hasPrefix("Out") } == [
          "Out/Notes.schema", "Out/versions/Notes-1.0.0/Notes.schema", "Out/versions/Notes-2.0.0/Notes.schema",
          "Out/versions/Notes.lock",
        ])
      #expect(
        try folder.read("Out/Notes.schema")
          == "schema Notes 3.0.0\n\n@Model\nclass Note {\n    var body: String\n    var stars: Int16 = 3\n}\n")
      #expect(
        try folder.read("Out/versions/Notes-2.0.0/Notes.schema").contains(
          #"@Attribute(originalName: "text") var body: String"#))
      #expect(folder.run("verify", "Out").status == .clean)
      #expect(folder.run("check", "Out").status == .clean)
      #expect(folder.run("format", "--check", "Out").status == .clean)
      let files = try folder.files.filter { $0.hasPrefix("Out") }.map { folder.root.path + "/" + $0 }
      #expect(folder.run(["generate", "--out", "Code"] + files).status == .clean)
      #expect(folder.run("diff", "1.0.0..head", "Out").text.contains("attribute 'Note.text' renamed to 'body'"))
    }
  }

  @Test func versionsAfterTheCurrentOneAreSkipped() throws {
    try play { folder in
      try write(folder, current: "Notes 2")
      let (status, text) = folder.run("import", "--from", "coredata", "App")
      #expect(status == .findings)
      #expect(text.contains("Notes 3.xcdatamodel/contents:1: not-carried: 'Notes 3' is newer than the current version"))
      #expect(try folder.read("Notes.schema").hasPrefix("schema Notes 2.0.0\n"))
    }
  }

  @Test func aSingleVersionOrFileBecomesASchema() throws {
    try play { folder in
      try write(folder)
      for path in ["App/Notes.xcdatamodeld/Notes.xcdatamodel", "App/Notes.xcdatamodeld/Notes.xcdatamodel/contents"] {
        let (status, text) = folder.run("import", "--from", "coredata", "--dry-run", path)
        #expect(status == .clean)
        #expect(text.hasPrefix("// Notes.schema\nschema Notes 1.0.0\n"))
      }
      let json = folder.run("import", "--from", "coredata", "--name", "Other", "--format", "json", "App")
      #expect(json.text == "[\n\n]\n")
      #expect(try folder.read("Other.schema").hasPrefix("schema Other 3.0.0\n"))
      let again = folder.run("import", "--from", "coredata", "--name", "Other", "App")
      #expect(again.status == .usage && again.text.contains("'--force' replaces it"))
      #expect(folder.run("import", "--from", "coredata", "--name", "Other", "--force", "App").status == .clean)
    }
  }

  @Test func theReportIsGroupedByTopic() throws {
    try play { folder in
      try folder.write(
        "M.xcdatamodel/contents",
        Self.model(
          #"<attribute name="loud" attributeType="String" derived="YES" derivationExpression="uppercase:(text)"/>"#))
      let (status, text) = folder.run("import", "--from", "coredata", "--format", "json", "M.xcdatamodel")
      #expect(status == .findings)
      #expect(text.contains("\"kind\" : \"not-carried\"") && text.contains("\"topic\" : \"derived\""))
      #expect(text.contains("\"line\" : 4"))
    }
  }

  @Test func unreadableInputIsReportedAndNothingIsWritten() throws {
    try play { folder in
      try folder.write("A.xcdatamodel/contents", "<model>\n  <entity name='A'>\n</model>")
      try folder.write("a/M.xcdatamodeld/M.xcdatamodel/contents", Self.first)
      try folder.write("b/M.xcdatamodeld/M.xcdatamodel/contents", Self.first)
      try folder.write("c/M.xcdatamodeld/M.xcdatamodel/contents", Self.first)
      try folder.write("c/M.xcdatamodeld/.xccurrentversion", "bplist00")
      try folder.write("Old.xcdatamodel/elements", "")
      try folder.write("none/a.swift", "")
      let before = try folder.contents()
      let broken = folder.run("import", "--from", "coredata", "A.xcdatamodel")
      #expect(broken.status == .unparsable)
      #expect(
        broken.text
          == "A.xcdatamodel/contents:3:1: error: '</model>' does not close '<entity>' in line 2\n")
      #expect(folder.run("import", "--from", "coredata", "c").status == .unparsable)
      for (path, message) in [
        ("a b", "no such file"), ("none", "no Core Data model"), ("Old.xcdatamodel", "the file is missing"),
      ] {
        let (status, text) = folder.run("import", "--from", "coredata", path)
        #expect(status == .usage && text.contains(message), "\(text)")
      }
      let twice = folder.run("import", "--from", "coredata", "a", "b")
      #expect(twice.status == .usage && twice.text.contains("2 models would become the schema 'M'"))
      for arguments in [["--from", "coredata"], ["--from", "core", "a"], ["a"], ["--from", "swiftdata"]] {
        #expect(folder.run(["import"] + arguments).status == .usage)
      }
      #expect(try folder.contents() == before)
    }
  }

  // SwiftData

  static let swift = """
    import SwiftData
    enum SchemaV1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip {
            var name: String = ""
            var kind: Kind = Kind.short
            var nickname: String?
            init() {}
            enum Kind: String, Codable { case short, long, other }
        }
    }
    enum SchemaV2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip {
            var name: String = ""
            var kind: Kind = Kind.short
            var cents: Int
            lazy var shown: String = name
            init(cents: Int) { self.cents = cents; shown = "" }
            enum Kind: String, Codable { case short, long }
        }
    }
    enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] {
            [.custom(fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: { try $0.save() })]
        }
    }
    """

  /// The report contains the numbers of models and properties, then lost information, differences and copied code.
  @Test func theSwiftDataReportIsOrdered() throws {
    try play { folder in
      try folder.write("App/Models.swift", Self.swift)
      let (status, text) = folder.run("import", "--from", "swiftdata", "--output", "Out", "App")
      #expect(status == .findings)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(
        lines.first
          == "found 2 models with 7 properties, wrote 2 models with 6 properties: version 1.0.0, 2.0.0 in 4 files")
      let places = ["lost: 2", "changed: 2", "copied code: 2"].map { lines.firstIndex(of: $0) ?? -1 }
      #expect(places == [1, 4, 7], "\(text)")
      #expect(lines[2].hasPrefix("App/Models.swift:20: not-carried: a stored property of a model cannot be 'lazy'"))
      #expect(lines[3].hasPrefix("App/Models.swift:21: not-carried: 'init' of 'Trip' assigns 'Trip.shown'"))
      #expect(lines.dropFirst(8).allSatisfy { $0.contains(": copied: ") })
      // The acceptance contains the qualified name of the nested enum's case.
      #expect(try folder.read("Out/App.schema").contains("    accept MIG013 Trip.Kind.other -- "))
      #expect(folder.run("check", "Out").status == .clean)
      #expect(folder.run("verify", "Out").status == .clean)
      let files = try folder.files.filter { $0.hasPrefix("Out") && !$0.hasSuffix(".swift") }.map {
        folder.root.path + "/" + $0
      }
      #expect(folder.run(["generate", "--out", "Code"] + files).status == .clean)
    }
  }

  /// Renaming the model changes the acceptance for its nested enum.
  @Test func renamesApplyToAcceptedEnumCases() throws {
    try play { folder in
      try folder.write("App/Models.swift", Self.swift)
      folder.run("import", "--from", "swiftdata", "--output", "Out", "App")
      let (status, text) = folder.run("rename", "Trip", "Journey", "Out/App.schema")
      #expect(status == .clean, "\(text)")
      #expect(try folder.read("Out/App.schema").contains("    accept MIG013 Journey.Kind.other -- "))
    }
  }

  /// The code of a custom stage is not overwritten.
  @Test func forceKeepsMigrationCode() throws {
    try play { folder in
      try folder.write("App/Models.swift", Self.swift)
      #expect(folder.run("import", "--from", "swiftdata", "--output", "Out", "App").status == .findings)
      #expect(try folder.read("Out/AppMigrations.swift").contains("throw AppMigrationCodeIsMissing"))
      try folder.write("Out/AppMigrations.swift", "// written by hand\n")
      try folder.write("Out/App.schema", "// to be replaced\n")
      let (_, text) = folder.run("import", "--from", "swiftdata", "--output", "Out", "--force", "App")
      #expect(text.contains("Out/AppMigrations.swift: note: not replaced"))
      #expect(try folder.read("Out/AppMigrations.swift") == "// written by hand\n")
      #expect(try folder.read("Out/App.schema").hasPrefix("schema App 2.0.0\n"))
    }
  }

  /// Two families become two schemas, and a duplicate number is reported with both names.
  @Test func versionFamiliesAndDuplicateNumbersAreWritten() throws {
    func version(_ name: String, _ model: String, _ property: String) -> String {
      """
      enum \(name): VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [\(model).self] }
          @Model final class \(model) { var \(property): Int = 0; init() {} }
      }

      """
    }
    try play { folder in
      try folder.write(
        "App/Schemas.swift",
        version("NotesSchemaV1", "Note", "a") + version("NotesSchemaV2", "Note", "b")
          + version("UsersSchemaV1", "User", "c"))
      let (status, text) = folder.run("import", "--from", "swiftdata", "--output", "Out", "App")
      #expect(status == .clean, "\(text)")
      #expect(text.hasPrefix("found 3 models with 3 properties, wrote 3 models with 3 properties: "))
      #expect(
        text.contains("'NotesSchemaV1' and 'NotesSchemaV2' both have version 1.0.0; 'NotesSchemaV2' becomes 1.0.1"))
      #expect(
        try folder.files.filter { $0.hasPrefix("Out") } == [
          "Out/Notes.schema", "Out/Users.schema", "Out/versions/Notes-1.0.0/Notes.schema", "Out/versions/Notes.lock",
        ])
      #expect(folder.run("check", "Out").status == .clean)
      #expect(folder.run("verify", "Out").status == .clean)
    }
  }
}
