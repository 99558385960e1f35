import SchemaDiagnostics
import SchemaImport
import SchemaModel
import Testing

/// Tests of schemas imported from Swift source, and their notes.
@Suite struct SwiftImportTests {
  private func run(_ texts: String...) -> ImportResult {
    SwiftImporter.run(
      texts.enumerated().map { SourceFile(path: "File\($0).swift", text: $1) }, name: "App")
  }

  private func compiles(_ result: ImportResult) -> Bool {
    result.files.filter { $0.path.hasSuffix(".schema") }.allSatisfy { file in
      !SchemaCompiler.compile([SourceFile(path: file.path, text: file.text)]).hasErrors
    }
  }

  @Test func modelsAreImportedVerbatim() {
    let result = run(
      """
      import SwiftData
      import SwiftUI

      struct Row: View { var body: some View { Text("@Model class No {}") } }

      /// A journey.
      @Model
      public final class Trip: Identifiable {
          @Attribute(.unique)
          var id: String = UUID().uuidString
          var name = ""
          @Relationship(
              deleteRule: .cascade,
              inverse: \\Stop.trip
          )
          var stops: [Stop] = []
          var title: String { name.uppercased() }

          init(name: String) { self.name = name }
      }

        @Model
        class Stop {
            var trip: Trip?
            var kind: Kind = .short
        }

      enum Kind: String, Codable { case short, long }
      enum Unused: String, Codable { case a }
      """)
    #expect(
      result.files == [
        .init(
          path: "App.schema",
          text: """
            schema App 1.0.0

            import SwiftUI

            /// A journey.
            @Model
            public final class Trip: Identifiable {
                @Attribute(.unique)
                var id: String = UUID().uuidString
                var name = ""
                @Relationship(
                    deleteRule: .cascade,
                    inverse: \\Stop.trip
                )
                var stops: [Stop] = []
                var title: String { name.uppercased() }

                init(name: String) { self.name = name }
            }

            @Model
            class Stop {
                var trip: Trip?
                var kind: Kind = .short
            }

            enum Kind: String, Codable { case short, long }

            """)
      ])
    #expect(compiles(result) && result.notes.isEmpty, "\(result.notes)")
    #expect(result.models == 2)
  }

  @Test func versionsBecomeReleasedVersions() {
    let result = run(
      """
      enum SchemaV1: VersionedSchema {
          static var versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self, SchemaV1.Stop.self] }
          @Model class Trip { var name: String = ""
              @Relationship(inverse: \\SchemaV1.Stop.trip) var stops: [SchemaV1.Stop] = [] }
          @Model class Stop { var trip: SchemaV1.Trip? }
      }
      enum SchemaV2: VersionedSchema {
          static let versionIdentifier: Schema.Version = .init(2, 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
      }
      typealias Trip = SchemaV2.Trip
      """,
      """
      extension SchemaV2 {
          @Model class Trip { var name: String = ""; var note: String?
              @Relationship(inverse: \\Stop.trip) var stops: [Stop] = [] }
      }
      extension SchemaV2 { @Model class Stop { var trip: Trip? } }
      enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
          static var stages: [MigrationStage] { [move] }
          static let move = MigrationStage.custom(
              fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: { _ in })
      }
      """)
    #expect(
      result.files.map(\.path) == [
        "App.schema", "versions/App-1.0.0/App.schema", "versions/App.lock", "AppMigrations.swift",
      ])
    #expect(result.versions == ["1.0.0", "2.0.0"])
    #expect(compiles(result))
    let head = result.files[0].text
    #expect(head.hasPrefix("schema App 2.0.0\n") && head.contains("var note: String?"))
    #expect(head.contains("migration from 1.0.0 {\n    custom migrateSchemaV1ToSchemaV2\n}"))
    #expect(!result.files[1].text.contains("SchemaV1"))
    #expect(result.files[2].text.contains("\n1.0.0 "))
    #expect(result.copied.contains { $0.kind == .copied && $0.file == "File1.swift" && $0.line == 9 })
    #expect(
      result.files[3].text.contains(
        "  public static func migrateSchemaV1ToSchemaV2(_ migration: MigrationRows) throws {"))
    #expect(result.files[3].text.contains("    // fromVersion: SchemaV1.self, toVersion: SchemaV2.self"))
  }

  @Test func typesInExtensionsMoveIntoTheirModel() {
    let result = run(
      """
      @Model class Trip { var kind: Kind = Kind.a; var place: Place? }
      extension Trip {
          enum Kind: Int, Codable { case a, b }
          func fly() {}
      }
      struct Place: Codable, Hashable { var name: String; var inner: Inner }
      struct Inner { var x: Double }
      extension Inner: Codable {}
      """)
    #expect(compiles(result))
    #expect(
      result.files[0].text.hasPrefix(
        """
        schema App 1.0.0

        @Model class Trip { var kind: Kind = Kind.a; var place: Place?

            enum Kind: Int, Codable { case a, b }
        }

        struct Place
        """), "\(result.files[0].text)")
    #expect(result.files[0].text.contains("struct Inner"))
    #expect(!result.files[0].text.contains("fly"))
  }

  @Test func unsupportedCodeBecomesAComment() {
    let result = run(
      """
      @Model
      final class Trip {
          var name: String = ""
          lazy var cache: [String: Any] = [:]
          var status: Status { get { Status(rawValue: statusRaw) ?? .open } set { statusRaw = newValue.rawValue } }
          var statusRaw: String = "open"
      }
      enum Status: String, Codable { case open }
      """)
    #expect(compiles(result), "\(result.files)")
    #expect(result.files[0].text.contains("    // lazy var cache: [String: Any] = [:]"), "\(result.files[0].text)")
    #expect(result.notes.contains { $0.kind == .notCarried && $0.line == 4 })
    #expect(result.notes.contains { $0.kind == .hint && $0.line == 6 && $0.message.contains("'status'") })
  }

  @Test func sourcesWithoutModelsCreateNoSchema() {
    #expect(run("struct A {}", "").files.isEmpty)
    // Text that resembles Swift but is invalid.
    for text in [
      "@Model class", "@Model class A", "@Model class A {", "enum V: VersionedSchema { @Model class A {} }",
      "}}}@Model class A { }",
    ] {
      _ = run(text)
    }
  }

  @Test func unreadableModelsAreNamed() {
    let result = run(
      "@Model class Trip { var name: String }",
      "import SwiftData\n@Model final class Item {\n  var text: String\n",
      "func make() {\n  @Model class Local { var a: Int }\n}")
    #expect(compiles(result) && result.models == 1)
    #expect(result.notes.filter { $0.kind == .notCarried }.map(\.line) == [2, 2])
    #expect(result.notes.filter { $0.kind == .notCarried }.map(\.file) == ["File1.swift", "File2.swift"])
    #expect(run("@Model class A {").notes.count == 1)
  }
}
