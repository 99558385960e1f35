import Foundation
import SchemaDiagnostics
import SchemaDiff
import SchemaDriver
import SchemaModel
import TestSupport
import Testing

/// Tests of `trellis rename`, which changes all references and nothing else.
struct RenameTests {
  static let schema = """
    schema S 1.0.0
    import Foundation

    /// A Trip with a name.
    @Model class Trip {
        #Unique<Trip>([\\.name, \\.start])
        #Index<Trip>([\\.name], [\\.start, \\.name])
        var name: String = "name of a Trip"
        var start: Date
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip)
        var stops: [Stop] = []
        @Transient var other: Int = 0
        var title: String { name + "Trip" }
        func copy() -> Trip { self }
    }
    @Model class LongTrip: Trip {
        #Index<LongTrip>([\\.name])
        var days: Int = 0
    }

    """
  static let stops = "schema S 1.0.0\n@Model class Stop { var trip: Trip?; var name: String = \"\" }\n"

  private func rename(
    _ old: String, _ new: String, isReleased: Bool = true, _ body: (Playground, String) throws -> Void
  ) throws {
    try play { folder in
      try folder.write("M/S.schema", Self.schema)
      try folder.write("M/Stops.schema", Self.stops)
      if isReleased { #expect(folder.run("freeze").status == .clean) }
      let (status, output) = folder.run("rename", old, new)
      #expect(status == .clean, "\(output)")
      try body(folder, output)
    }
  }

  @Test func renamedModel() throws {
    try rename("Trip", "Journey") { (folder: Playground, output: String) throws in
      let expected = Self.schema
        .replacing("@Model class Trip", with: "@Model(originalName: \"Trip\") class Journey")
        .replacing("<Trip>", with: "<Journey>").replacing("LongTrip: Trip", with: "LongTrip: Journey")
      #expect(try folder.read("M/S.schema") == expected)
      #expect(try folder.read("M/Stops.schema") == Self.stops.replacing("trip: Trip?", with: "trip: Journey?"))
      #expect(
        output == """
          renamed Trip to Journey in 2 files
            version 1.0.0 uses the name 'Trip', recorded as 'originalName'
            version 1.0.0 is released: set the next version with 'trellis bump'
            Swift: class 'Trip' is now 'Journey', with 'Trip.Snapshot' and key paths '\\Trip.…'
          M/S.schema:14:20: note: 'Trip' in copied Swift code was not changed

          """)
      let (status, found) = folder.run("diff", "..")
      #expect(status == .clean)
      #expect(found.contains("model 'Trip' renamed to 'Journey'"))
      #expect(found.contains("1 change: 1 automatic"))
    }
  }

  @Test func renamedProperty() throws {
    try rename("Trip.name", "label") { (folder: Playground, output: String) throws in
      let expected = Self.schema
        .replacing("\\.name", with: "\\.label").replacing(
          "var name", with: "@Attribute(originalName: \"name\") var label")
      #expect(try folder.read("M/S.schema") == expected)
      #expect(try folder.read("M/Stops.schema") == Self.stops)
      #expect(
        output == """
          renamed Trip.name to Trip.label in 1 file
            version 1.0.0 uses the name 'name', recorded as 'originalName'
            version 1.0.0 is released: set the next version with 'trellis bump'
            Swift: property 'Trip.name' is now 'Trip.label', key path '\\Trip.name' is now '\\Trip.label'
            Swift: argument 'name:' of 'Trip.init' is now 'label:'
            Swift: the same in 'LongTrip'
          M/S.schema:13:25: note: 'name' in copied Swift code was not changed

          """)
    }
  }

  @Test func bothEndsOfARelationship() throws {
    try rename("Stop.trip", "Stop.journey") { (folder: Playground, _: String) throws in
      #expect(try folder.read("M/S.schema") == Self.schema.replacing("\\Stop.trip", with: "\\Stop.journey"))
      #expect(
        try folder.read("M/Stops.schema")
          == Self.stops.replacing("var trip", with: "@Relationship(originalName: \"trip\") var journey"))
    }
    try rename("Trip.stops", "halts") { (folder: Playground, _: String) throws in
      #expect(
        try folder.read("M/S.schema")
          == Self.schema.replacing("cascade, inverse", with: "cascade, originalName: \"stops\", inverse")
          .replacing("var stops", with: "var halts"))
    }
  }

  /// Stores from development builds use the name with which the app was last compiled.
  @Test func theOldNameIsRecordedEvenBeforeTheFirstRelease() throws {
    try rename("Trip.name", "label", isReleased: false) { (folder: Playground, output: String) throws in
      #expect(try folder.read("M/S.schema").contains("    @Attribute(originalName: \"name\") var label: String"))
      #expect(output.contains("\n  'originalName' records the name 'name' for stores of development builds\n"))
      #expect(!output.contains("version"))
      #expect(folder.run("rename", "Trip.label", "heading").status == .clean)
      #expect(try folder.read("M/S.schema").contains("    @Attribute(originalName: \"label\") var heading: String"))
      #expect(folder.run("freeze").status == .clean)
      #expect(folder.run("verify").status == .clean)
      #expect(folder.run("rename", "Trip.heading", "name").status == .clean)
      #expect(folder.run("bump").text.hasPrefix("S 1.0.0 → 1.1.0 (1 change)\n"))
      #expect(folder.run("verify").status == .clean)
    }
    try rename("Trip.other", "rest", isReleased: false) { (folder: Playground, output: String) throws in
      #expect(try folder.read("M/S.schema") == Self.schema.replacing("var other", with: "var rest"))
      #expect(!output.contains("originalName"))
    }
  }

  @Test func successiveAndRevertedRenames() throws {
    try rename("Trip", "Journey") { (folder: Playground, _: String) throws in
      #expect(folder.run("rename", "Journey", "Voyage").status == .clean)
      #expect(try folder.read("M/S.schema").contains("@Model(originalName: \"Trip\") class Voyage"))
      #expect(folder.run("rename", "Voyage.start", "begin").status == .clean)
      #expect(folder.run("rename", "Voyage.begin", "start").status == .clean)
      #expect(folder.run("rename", "Voyage", "Trip").text.contains("the same name as in version 1.0.0"))
      #expect(try folder.read("M/S.schema") == Self.schema)
      #expect(try folder.read("M/Stops.schema") == Self.stops)
    }
  }

  @Test func headMigration() throws {
    try play { folder in
      try folder.write("S.schema", "schema S 1.0.0\n@Model class A { var x: Int = 0; var gone: Int = 0 }\n")
      folder.run("freeze")
      let second = """
        schema S 2.0.0
        @Model class A { #Unique<A>([\\.x]); var x: Int = 0; @Attribute var y: String }
        migration from 1.0.0 {
            fill A.y = "\\(old.x) A.y" // A.y
            dedupe A on [\\.x] keep newest
            accept MIG011 A.gone -- "A.gone"
        }

        """
      try folder.write("S.schema", second)
      #expect(folder.run("verify").status == .clean)
      #expect(folder.run("rename", "A.y", "z").text.contains("no released version has the declaration"))
      #expect(folder.run("rename", "A.x", "n").status == .clean)
      #expect(folder.run("rename", "A", "B").status == .clean)
      #expect(
        try folder.read("S.schema") == """
          schema S 2.0.0
          @Model(originalName: "A") class B { #Unique<B>([\\.n]); @Attribute(originalName: "x") var n: Int = 0; @Attribute var z: String }
          migration from 1.0.0 {
              fill B.z = "\\(old.x) A.y" // A.y
              dedupe B on [\\.n] keep newest
              accept MIG011 B.gone -- "A.gone"
          }

          """)
      #expect(folder.run("verify").status == .clean)
    }
  }

  static let refusals: [(old: String, new: String, message: String)] = [
    ("Tripp", "X", "error: there is no model 'Tripp'; did you mean 'Trip'?\n"),
    ("Trip.nam", "x", "error: model 'Trip' has no stored property 'nam'; did you mean 'name'?\n"),
    ("LongTrip.name", "x", "error: 'LongTrip' inherits 'name': rename 'Trip.name'\n"),
    (
      "Trip.name", "na me",
      "error: 'na me' is not a valid name: use letters, digits and '_', and do not start with a digit\n"
    ),
    ("Trip", "Trip", "error: 'Trip' already has this name\n"),
    ("a.b.c", "d", "error: 'a.b.c' is not a model ('Trip') or property ('Trip.name')\n"),
  ]

  @Test(arguments: refusals) func invalidRenamesAreRejected(old: String, new: String, message: String) throws {
    try play { folder in
      try folder.write("M/S.schema", Self.schema)
      try folder.write("M/Stops.schema", Self.stops)
      let before = try folder.contents()
      let (status, output) = folder.run("rename", old, new)
      #expect(status == .usage)
      #expect(output == message)
      #expect(try folder.contents() == before)
    }
  }

  @Test func existingName() throws {
    try play { folder in
      try folder.write("M/S.schema", Self.schema)
      try folder.write("M/Stops.schema", Self.stops)
      let before = try folder.contents()
      let (status, output) = folder.run("rename", "Trip.name", "start")
      #expect(status == .findings)
      #expect(output.contains("'start' is declared twice"), "\(output)")
      #expect(output.hasSuffix("nothing was renamed\n"))
      #expect(folder.run("rename", "Trip", "Stop").status == .findings)
      #expect(try folder.contents() == before)
    }
  }

  /// Renames every model and property of the package's schemas. The result must compile, contain only the rename, and
  /// return to the original bytes when renamed back.
  @Test(arguments: [
    "SampleTrips", "Relationships", "Inheritance", "Initializers", "Values", "Several", "Access", "Landmine",
  ])
  func everythingCanBeRenamed(_ name: String) throws {
    let source = Repository.root.appending(path: "Schemas/\(name)")
    try play { folder in
      for file in try FileManager.default.contentsOfDirectory(at: source, includingPropertiesForKeys: nil)
      where file.pathExtension == "schema" {
        try folder.write(file.lastPathComponent, try String(contentsOf: file, encoding: .utf8))
      }
      // Remove existing versions, which contain other names.
      for path in try folder.files where path.hasSuffix(".schema") {
        let text = try folder.read(path)
        if let start = text.firstRange(of: "\nmigration from") {
          try folder.write(path, String(text[..<start.lowerBound]) + "\n")
        }
      }
      #expect(folder.run("freeze").status == .clean)
      let before = try folder.contents()
      let files = try folder.files.filter { $0.hasSuffix(".schema") && !$0.contains("/") }
        .map { SourceFile(path: $0, bytes: before[$0] ?? []) }
      var count = 0
      let schemas = SchemaCompiler.compile(files).schemas
      // Limit the number of renames in large schemas. In a short run, the small schemas cover all kinds of renames.
      let most = Repetitions.isThorough ? 20 : 4
      let total = schemas.flatMap(\.entities).reduce(0) { $0 + 1 + $1.properties.count }
      var position = 0
      for schema in schemas {
        for entity in schema.entities {
          let titles = [entity.name] + entity.properties.map { "\(entity.name).\($0.name)" }
          for title in titles {
            position += 1
            guard position % max(1, total / most) == 0 else { continue }
            let new = title == entity.name ? "Renamed" : "renamed"
            let (status, output) = folder.run("rename", title, new)
            if status == .usage, output.contains("shares a 'var' with other properties") { continue }
            #expect(status == .clean, "\(title): \(output)")
            let kinds = Set(SchemaDiff.changes(from: schema, to: try head(folder, schema.name)).map(\.kind))
            let expected: Set = ["entity-renamed", "attribute-renamed", "relationship-renamed"]
            // Values that are not stored need no original name.
            let isKept = kinds.isSubset(of: expected) || kinds == ["attribute-added", "attribute-removed"]
            #expect(isKept && !kinds.isEmpty, "\(title): \(kinds)")
            let back =
              title == entity.name
              ? ("Renamed", entity.name) : ("\(entity.name).renamed", String(title.dropFirst(entity.name.count + 1)))
            #expect(folder.run("rename", back.0, back.1).status == .clean, "\(title)")
            let after = try folder.contents()
            #expect(after == before, "\(title)")
            if after != before {
              for (path, bytes) in before { try folder.write(path, String(decoding: bytes, as: UTF8.self)) }
            }
            count += 1
          }
        }
      }
      #expect(count > (Repetitions.isThorough ? 4 : 0))
    }
  }

  private func head(_ folder: Playground, _ name: String) throws -> ResolvedSchema {
    let files = try folder.files.filter { $0.hasSuffix(".schema") && !$0.contains("/") }
    let compilation = SchemaCompiler.compile(try files.map { SourceFile(path: $0, text: try folder.read($0)) })
    return try #require(compilation.schemas.first { $0.name == name })
  }

  @Test func readOnlyFilesAreKept() throws {
    try play { folder in
      try folder.write("M/S.schema", Self.schema)
      try folder.write("M/Stops.schema", Self.stops)
      let file = folder.root.appendingPathComponent("M/Stops.schema").path
      #expect(chmod(file, 0o444) == 0)
      let before = try folder.contents()
      let (status, output) = folder.run("rename", "Trip", "Journey")
      #expect(status == .usage)
      #expect(
        output
          == "M/Stops.schema: error: read-only file, so nothing was changed; 'chmod u+w' makes it writable\n")
      #expect(try folder.contents() == before)
      #expect(folder.run("rename", "--dry-run", "Trip", "Journey").status == .clean)
    }
  }

  @Test func reservedWordsAreEscaped() throws {
    try rename("Trip.other", "default") { (folder: Playground, _: String) throws in
      #expect(try folder.read("M/S.schema") == Self.schema.replacing("var other", with: "var `default`"))
    }
  }

  @Test func lineBreaksAndTheLastLineAreKept() throws {
    try play { folder in
      let text = "schema S 1.0.0\r\n@Model class A {\r\n\tvar x: Int = 0\r\n}"
      try folder.write("S.schema", text)
      #expect(folder.run("freeze").status == .clean)
      #expect(folder.run("rename", "A.x", "y").status == .clean)
      #expect(try folder.read("S.schema") == text.replacing("var x:", with: "@Attribute(originalName: \"x\") var y:"))
      #expect(
        folder.run("rename", "--dry-run", "A", "B").text == """
          --- S.schema
          +++ S.schema
          @@ -1,4 +1,4 @@
           schema S 1.0.0\r
          -@Model class A {\r
          +@Model(originalName: "A") class B {\r
           \t@Attribute(originalName: "x") var y: Int = 0\r
           }
          \\ No newline at end of file
          renamed A to B in 1 file
            version 1.0.0 uses the name 'A', recorded as 'originalName'
            version 1.0.0 is released: set the next version with 'trellis bump'
            Swift: class 'A' is now 'B', with 'A.Snapshot' and key paths '\\A.…'

          """)
    }
  }
}
