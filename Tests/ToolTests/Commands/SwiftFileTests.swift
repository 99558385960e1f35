import Foundation
import SchemaDriver
import Testing

/// Tests of the tool with models in Swift files.
struct SwiftFileTests {
  private static let models = """
    import Foundation
    import Trellis

    /// A trip.
    @Model
    final class Trip {
      var name: String
      var kind: Kind = Kind.personal
      var price: Money = 5
      var meta: Meta?
      @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
      init(name: String) { self.name = name }
    }
    func between() {}
    @Model final class Stop { var city: String = ""; var trip: Journey?; init() {} }

    """

  private static let types = """
    import Foundation
    extension Trip {
      enum Kind: String, Codable { case personal, business }
      struct Meta: Codable { var note = "" }
    }
    typealias Money = Decimal
    typealias Journey = Trip
    let text = "@Model class Phantom {}"

    """

  private static func version(_ number: String) -> String {
    """
    import Trellis
    enum Current: VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number))
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
    }
    """
  }

  private func play(_ body: (Playground) throws -> Void) throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write("Sources/Trips/Models/Models.swift", Self.models)
      try folder.write("Sources/Trips/Types.swift", Self.types)
      try body(folder)
    }
  }

  @Test func checkLintAndGraph() throws {
    try play { (folder: Playground) throws in
      for paths in [[], ["Sources"], ["Sources/Trips/Models/Models.swift"]] {
        #expect(folder.run(["check"] + paths).status == .clean)
        let graph = folder.run(["graph", "--format", "mermaid"] + paths).text
        #expect(graph.contains("kind: Trip.Kind") && graph.contains("price: Decimal"), "\(graph)")
      }
      try folder.write("Sources/Trips/Models/Models.swift", Self.models.replacing("var name", with: "lazy var name"))
      let (status, output) = folder.run("lint")
      #expect(status == .unparsable)
      #expect(output.contains("Sources/Trips/Models/Models.swift:7:3: error: a stored property of a model cannot be"))
      #expect(folder.run("check", "Sources/Trips/Types.swift").text.contains("the file declares no model"))
    }
  }

  /// A released version is a schema file, in which each type has its own name.
  @Test func freeze() throws {
    try play { (folder: Playground) throws in
      #expect(folder.run("freeze").text.hasPrefix("Trips 1.0.0: released as Schemas/Trips/versions/Trips-1.0.0"))
      let copy = "Schemas/Trips/versions/Trips-1.0.0/Trips.schema"
      #expect(
        try folder.read(copy) == """
          schema Trips 1.0.0

          import Foundation

          /// A trip.
          @Model
          final class Trip {
            var name: String
            var kind: Trip.Kind = Kind.personal
            var price: Decimal = 5
            var meta: Trip.Meta?
            @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
            init(name: String) { self.name = name }

            enum Kind: String, Codable { case personal, business }
          }

          @Model final class Stop { var city: String = ""; var trip: Trip?; init() {} }

          """)
      #expect(folder.run("freeze").text == "Trips 1.0.0: nothing to do, already released and unchanged\n")
      #expect(folder.run("lint", "--quiet").status == .clean)

      let changed = Self.models.replacing("var name: String", with: "var name: String\n  var days: Int = 1")
      try folder.write("Sources/Trips/Models/Models.swift", changed)
      let (status, output) = folder.run("lint", "--quiet")
      #expect(status == .findings)
      #expect(output.contains("[MIG001 version-not-bumped]") && output.contains("trellis bump"), "\(output)")
      try folder.write("Sources/Trips/Version.swift", Self.version("1, 1, 0"))
      #expect(folder.run("diff", "1.0.0..head").text.contains("attribute 'Trip.days' added with type 'Int'"))
      #expect(folder.run("freeze").status == .clean)
      #expect(folder.run("verify").text == "Trips 1.0.0 → 1.1.0: 1 migration step checked, no findings\n")
      try folder.write("Sources/Trips/Models/Models.swift", Self.models)
      #expect(folder.run("lint", "--quiet").text.contains("such as Schema.Version(2, 0, 0)"))
      #expect(folder.run("bump").text == "Trips 1.1.0: nothing to do, the version is set in Swift files\n")
    }
  }

  /// The version and the migrations are in a schema file, which `bump` and `accept` write.
  @Test(arguments: ["Schemas", "Sources"]) func secondRelease(_ home: String) throws {
    try play { (folder: Playground) throws in
      try folder.write("Package.swift", "")
      let manifest = folder.root.appendingPathComponent("Package.swift").path
      func isPlannedAgain() throws -> Bool {
        let date = try FileManager.default.attributesOfItem(atPath: manifest)[.modificationDate] as? Date
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: manifest)
        return try #require(date) > Date(timeIntervalSince1970: 1)
      }
      _ = try isPlannedAgain()
      folder.run("freeze")
      #expect(try isPlannedAgain())
      let changed = Self.models.replacing("var price: Money = 5", with: "var days: Int")
        .replacing("self.name = name", with: "(self.name, days) = (name, 1)")
      try folder.write("Sources/Trips/Models/Models.swift", changed)
      let written = "Schemas/Trips/Version.schema"
      #expect(folder.run("bump", "--dry-run").text.contains("--- \(written)\n+++ \(written)\n@@ -0,0 +1,"))
      #expect(
        folder.run("bump").text.hasPrefix("Trips 1.0.0 → 2.0.0 (2 changes), 'migration from 1.0.0' in \(written)"))
      #expect(try isPlannedAgain())
      let text = """
        schema Trips 2.0.0

        migration from 1.0.0 {
            fill Trip.days = <#value#>
            // accept MIG011 Trip.price -- "why"
        }

        """
      #expect(try folder.read(written) == text)
      let file = "\(home)/Trips/Version.schema"
      if home == "Sources" { try FileManager.default.removeItem(at: folder.root.appendingPathComponent(written)) }
      try folder.write(file, text.replacing("<#value#>", with: "1"))
      #expect(folder.run("verify").text.contains("error: attribute 'Trip.price' removed"))
      let accepted = folder.run("accept", "MIG011", "Trip.price", "--reason", "free").text
      #expect(accepted == "\(file): accept MIG011 Trip.price -- \"free\"\n")
      #expect(
        folder.run("verify").text == "Trips 1.0.0 → 2.0.0 (not released): 1 migration step checked, no findings\n")
      #expect(folder.run("bump").text.contains("nothing to do"))
      #expect(folder.run("freeze").text.hasPrefix("Trips 2.0.0: released as Schemas/Trips/versions/Trips-2.0.0"))
      #expect(folder.run("bump", "patch").text == "Trips 2.0.0 → 2.0.1 (no changes yet)\n")
      #expect(try folder.read(file) == "schema Trips 2.0.1\n")
    }
  }

  /// The files generated from `Version.schema` and from a model's `Version.swift` would have the same name.
  @Test func modelNamedVersion() throws {
    try play { (folder: Playground) throws in
      try folder.write("Sources/Trips/version.swift", "import Trellis\n@Model class Version { var x = 1; init() {} }")
      folder.run("freeze")
      #expect(folder.run("bump", "major").text == "Trips 1.0.0 → 2.0.0 (no changes yet)\n")
      #expect(try folder.read("Schemas/Trips/SchemaVersion.schema") == "schema Trips 2.0.0\n")
    }
  }

  @Test func renameInASwiftFile() throws {
    try play { (folder: Playground) throws in
      let place = "Sources/Trips/Models/Models.swift:"
      for (name, expected) in [
        ("Trip", place + "6:13: error: 'Trip' is declared in a Swift file: rename it there and write '@Model("),
        (
          "Trip.name",
          place + "7:7: error: 'Trip.name' is declared in a Swift file: rename it there and write '@Attribute("
        ),
        (
          "Stop.trip",
          place + "15:54: error: 'Stop.trip' is declared in a Swift file: rename it there and write '@Relationship("
        ),
      ] {
        let (status, output) = folder.run("rename", name, "Other")
        #expect(status == .usage && output.contains(expected + "originalName: "), "\(output)")
      }
    }
  }

  /// The types that a model uses are also read from the revision.
  @Test func revisions() throws {
    try play { (folder: Playground) throws in
      try folder.git("init", "-q", "-b", "main")
      try folder.git("add", ".")
      try folder.git("commit", "-q", "-m", "one")
      try folder.write(
        "Sources/Trips/Types.swift", Self.types.replacing("case personal", with: "case personal, urgent"))
      let models = Self.models.replacing("var name: String", with: "var title: String = \"\"\n  var name: String")
      try folder.write("Sources/Trips/Models/Models.swift", models)
      for path in [".", "Sources", "Sources/Trips", "Sources/Trips/Models", "Sources/Trips/Models/Models.swift"] {
        let output = folder.run("diff", "git:HEAD..head", path).text
        #expect(output.contains("attribute 'Trip.title' added with type 'String'"), "\(path): \(output)")
        #expect(output.contains("urgent") && !output.contains("removed"), "\(path): \(output)")
      }
    }
  }

  /// Findings that exist in the revision are not new, even if their lines moved.
  @Test func lintSinceARevision() throws {
    try play { (folder: Playground) throws in
      let warned = Self.models.replacing("var name: String\n", with: "var name: String\n  var first: Stop?\n")
      try folder.write("Sources/Trips/Models/Models.swift", warned)
      try folder.git("init", "-q", "-b", "main")
      try folder.git("add", ".")
      try folder.git("commit", "-q", "-m", "one")
      #expect(folder.run("lint", "Sources").text.contains("relationship 'Trip.first' has no inverse"))
      for isReleased in [false, true] {
        if isReleased { folder.run("freeze") }
        #expect(folder.run("lint", "--quiet", "--since", "HEAD", "Sources") == (.clean, ""))
        let changed = "// Moved.\n" + warned.replacing("var first", with: "var second: Stop?\n  var first")
        try folder.write("Sources/Trips/Models/Models.swift", changed)
        let output = folder.run("lint", "--quiet", "--since", "HEAD", "Sources/Trips").text
        #expect(output.contains("Models.swift:9:7: warning: relationship 'Trip.second' has no inverse"), "\(output)")
        #expect(!output.contains("Trip.first"), "\(output)")
        try folder.write("Sources/Trips/Models/Models.swift", warned)
      }
    }
  }

  /// As in schema files, a removal requires a migration.
  @Test func removals() throws {
    try play { (folder: Playground) throws in
      folder.run("freeze")
      try folder.write("Sources/Trips/Version.swift", Self.version("2, 0, 0"))
      try folder.write(
        "Sources/Trips/Models/Models.swift", Self.models.replacing("var price: Money = 5\n", with: "\n"))
      let (status, output) = folder.run("lint", "--quiet")
      #expect(status != .clean)
      #expect(output.contains("Trip.price"), "\(output)")
    }
  }

  /// Handwritten versions already are copies, so nothing is released.
  @Test func handwrittenVersions() throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write(
        "Sources/Trips/V1.swift",
        "enum V1: VersionedSchema { static let versionIdentifier = Schema.Version(1, 2, 0)\n@Model class A { var x = 1; init() {} } }"
      )
      #expect(folder.run("check").status == .clean)
      #expect(folder.run("freeze").text == "V1 1.2.0: nothing to do, the version is set in Swift files\n")
    }
  }

  /// No command writes a Swift file.
  @Test func editingCommandsRejectSwiftFiles() throws {
    try play { (folder: Playground) throws in
      let file = "Sources/Trips/Models/Models.swift"
      for command in [
        ["rename", "Trip.name", "title", file], ["bump", file], ["format", file], ["lint", "--fix"],
        ["accept", "MIG011", "Trip.name", file],
      ] {
        folder.run(command)
        #expect(try folder.read(file) == Self.models, "\(command)")
      }
      #expect(folder.run("format", file).text.contains("this command edits schema files only, not Swift files"))
    }
  }

  /// The schema files and Swift files of a target form one schema.
  @Test func besideASchemaFile() throws {
    try play { (folder: Playground) throws in
      try folder.write(
        "Schemas/Trips/Trips.schema", "schema Trips 3.0.0\n@Model class Guide { var trips: [Trip] = [] }\n")
      let models = Self.models.replacing("var meta", with: "var guide: Guide?\n  var meta")
      try folder.write("Sources/Trips/Models/Models.swift", models)
      for path in ["Schemas", "Sources", "."] {
        let (status, output) = folder.run("lint", "--quiet", path)
        #expect(!output.contains("error"), "\(path): \(status) \(output)")
      }
      #expect(folder.run("freeze", "Sources").text.hasPrefix("Trips 3.0.0: released as Schemas/Trips/versions"))
      #expect(try folder.read("Schemas/Trips/versions/Trips-3.0.0/Trips+Swift.schema").contains("class Stop"))
    }
  }

  /// The released copy states the inferred inverses, because a schema file must state them.
  @Test func releasedCopiesContainTheInferredInverses() throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write(
        "Sources/Blog/Models.swift",
        """
        import Trellis
        @Model final class Post {
          var author: User?
          var second: User?
          @Relationship var third: User?
          @Relationship() var fourth: User?
          init() {}
        }
        @Model final class User {
          var posts: [Post] = []
          @Relationship(deleteRule: .cascade) var liked: [Post] = []
          @Relationship(inverse: \\Note.user) var notes: [Note] = []
          @Relationship(inverse: \\Note.user) var old: [Note] = []
          init() {}
        }
        @Model final class Note {
          var user: User?
          init() {}
        }

        """)
      #expect(folder.run("check", "Sources/Blog").text.contains("so none is used [REL002"))
      let (status, output) = folder.run("freeze", "Sources/Blog")
      #expect(status == .clean, "\(output)")
      let copy = try folder.read("Schemas/Blog/versions/Blog-1.0.0/Blog.schema")
      for line in [
        "  @Relationship(inverse: nil) var author: User?", "  @Relationship(inverse: nil) var third: User?",
        "  @Relationship(inverse: nil) var fourth: User?", "  @Relationship(inverse: nil) var posts: [Post] = []",
        "  @Relationship(deleteRule: .cascade, inverse: nil) var liked: [Post] = []",
        "  @Relationship(inverse: \\Note.user) var notes: [Note] = []",
        "  @Relationship(inverse: nil) var old: [Note] = []",
      ] { #expect(copy.contains(line + "\n"), "\(copy)") }
      // Stating a different inverse after the release changes the version.
      let text = try folder.read("Sources/Blog/Models.swift")
      try folder.write(
        "Sources/Blog/Models.swift",
        text.replacing("  var posts", with: "  @Relationship(inverse: \\Post.author) var posts"))
      #expect(folder.run("verify", "Sources/Blog").text.contains("MIG001"))
    }
  }

  /// Models that are nested in other models, or in types that are not versions, belong to one schema if they are
  /// related.
  @Test func relatedModelsInDifferentTypesFormOneSchema() throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write(
        "Sources/Shop/Shops.swift",
        """
        import Trellis
        typealias Customer = People.Customer
        enum Shops {
          @Model final class Order {
            var buyer: Customer?
            @Relationship(inverse: \\Store.orders) var store: Store?
            init() {}
          }
        }
        @Model final class Store {
          var orders: [Shops.Order] = []
          @Relationship(inverse: \\Shelf.store) var shelves: [Shelf] = []
          init() {}
          @Model final class Shelf {
            var store: Store?
            init() {}
          }
        }

        """)
      try folder.write(
        "Sources/Shop/People.swift",
        """
        import Trellis
        enum People {
          @Model final class Customer {
            @Relationship(inverse: \\Shops.Order.buyer) var orders: [Shops.Order] = []
            init() {}
          }
        }

        """)
      let (status, output) = folder.run("check", "Sources/Shop")
      #expect(status == .clean && output.isEmpty, "\(output)")
      let graph = folder.run("graph", "--format", "mermaid", "Sources/Shop").text
      for name in ["Order", "Customer", "Store", "Shelf"] { #expect(graph.contains(name), "\(graph)") }
    }
  }

  @Test func modelsOfVersionsAreRejectedWhereTheyAreReferenced() throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write(
        "Sources/Shop/Versions.swift",
        """
        import Trellis
        enum V1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Old.self] }
          @Model final class Old { init() {} }
        }
        typealias Former = V1.Old

        """)
      try folder.write(
        "Sources/Shop/Models.swift",
        """
        import Trellis
        @Model final class New {
          var old: Former?
          init() {}
        }

        """)
      let output = folder.run("check", "Sources/Shop").text
      #expect(output.hasPrefix("error: 'V1.Old' belongs to a different schema"), "\(output)")
      #expect(output.contains(" --> Sources/Shop/Models.swift:3:12\n"), "\(output)")
    }
  }
}
