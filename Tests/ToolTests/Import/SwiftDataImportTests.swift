import SchemaDiagnostics
import SchemaImport
import SchemaModel
import Testing

/// Typical SwiftData source: incomplete model lists, plans, shared inverses and rejected names.
@Suite struct SwiftDataImportTests {
  private func run(_ text: String) -> ImportResult {
    SwiftImporter.run([SourceFile(path: "App.swift", text: text)], name: "App")
  }

  private func version(_ name: String, _ number: String, _ models: String, _ body: String) -> String {
    """
    enum \(name): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number))
        static var models: [any PersistentModel.Type] { [\(models)] }
        \(body)
    }

    """
  }

  private func schema(_ result: ImportResult, _ path: String = "App.schema") throws -> ResolvedSchema {
    let file = try #require(result.files.first { $0.path == path })
    let compilation = SchemaCompiler.compile([SourceFile(path: path, text: file.text)])
    #expect(!compilation.hasErrors, "\(compilation.diagnostics)")
    return try #require(compilation.schemas.first)
  }

  @Test func modelsNamedOnlyByRelationshipsOrContainersAreImported() throws {
    let text =
      version(
        "V1", "1, 0, 0", "Trip.self",
        "@Model final class Trip { @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = [] }")
        + """
        @Model final class Stop { var trip: V1.Trip?; var place: Place? }
        @Model final class Place: Spot { var name: String = "" }
        @Model class Spot { var x: Double = 0 }
        @Model final class Setting { var key: String = "" }
        let container = try ModelContainer(for: V1.Trip.self, Setting.self)
        """
    let result = run(text)
    #expect(try schema(result).entities.map(\.name).sorted() == ["Place", "Setting", "Spot", "Stop", "Trip"])
    #expect(result.notes.filter { $0.kind == .notCarried }.isEmpty, "\(result.notes)")
    #expect(result.found == .init(models: 5, properties: 6) && result.written == .init(models: 5, properties: 6))
  }

  @Test func thePlanDeterminesTheOrderOfVersions() throws {
    let model = "@Model final class Trip { var a: Int = 0"
    let text =
      version("V1", "1, 0, 0", "Trip.self", model + "; var gone: Int? }")
      + version("V2", "2, 0, 0", "Trip.self", model + "; var beta: Int? }")
      + version("V3", "3, 0, 0", "Trip.self", model + " }")
        + """
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V3.self] }
            static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V3.self)] }
        }
        """
    let result = run(text)
    #expect(result.versions == ["1.0.0", "3.0.0"])
    let migration = try #require(try schema(result).migrations.first)
    #expect(migration.from == SchemaVersion(1, 0, 0))
    guard case .accept(let acceptance)? = migration.steps.first else {
      Issue.record("nothing is accepted")
      return
    }
    #expect(acceptance.subject == "Trip.gone" && acceptance.reason.contains("the lightweight stage from V1 to V3"))
    #expect(
      result.notes.contains { $0.kind == .check && $0.message.contains("'V2' is not listed in 'Plan.schemas'") })
  }

  @Test func versionFamiliesBecomeSchemas() throws {
    let text =
      version("NotesV1", "1, 0, 0", "Note.self", "@Model final class Note { var a: Int = 0 }")
      + version("UsersV1", "1, 0, 0", "User.self", "@Model final class User { var b: Int = 0 }")
    let result = run(text)
    #expect(result.files.map(\.path) == ["Notes.schema", "Users.schema"])
    #expect(try schema(result, "Users.schema").entities.map(\.name) == ["User"])
    #expect(result.written.models == 2)
  }

  @Test func duplicateVersionNumbersAreReportedWithBothNames() throws {
    let text =
      version("V1", "1, 0, 0", "Trip.self", "@Model final class Trip { var a: Int = 0 }")
      + version("V2", "1, 0, 0", "Trip.self", "@Model final class Trip { var a: Int = 0; var b: Int? }")
    let result = run(text)
    #expect(result.versions == ["1.0.0", "1.0.1"])
    #expect(result.notes.map(\.message) == ["'V1' and 'V2' both have version 1.0.0; 'V2' becomes 1.0.1"])
  }

  @Test func sharedInversesBecomeNil() throws {
    let result = run(
      """
      @Model final class Match {
          @Relationship(inverse: \\Team.matches) var home: Team?
          @Relationship(inverse: \\Team.matches) var guest: Team?
          init(guest: Team) { self.guest = guest }
      }
      @Model final class Team { var matches: [Match] = [] }
      """)
    #expect(result.files[0].text.contains("    @Relationship(inverse: nil) var guest: Team?\n"))
    #expect(result.files[0].text.contains("    init(guest: Team) { self.guest = guest }\n"))
    #expect(result.notes.map(\.kind) == [.check] && result.notes[0].line == 3)
    #expect(try schema(result).entities[0].properties.map(\.name) == ["home", "guest"])
  }

  @Test func moduleQualifiedTypesAreRecognised() throws {
    let result = run(
      """
      @Model final class Trip { var at: Foundation.Date = Foundation.Date.now; var place: Kit.Place?; var stops: [Kit.Stop] = [] }
      @Model final class Stop { var trip: Kit.Trip?; func far() -> Kit.Trip? { trip } }
      struct Place: Codable { var name: Swift.String }
      """)
    let trip = try #require(try schema(result).entities.first { $0.name == "Trip" })
    guard case .attribute(let at) = trip.properties[0], case .attribute(let place) = trip.properties[1],
      case .relationship(let stops) = trip.properties[2]
    else {
      Issue.record("\(result.files[0].text)")
      return
    }
    #expect(at.type == .scalar(.date) && place.type == .optional(.structure("Place")) && stops.destination == "Stop")
    #expect(!result.files[0].text.contains("Kit."))
  }

  @Test func reservedNamesAreRenamedEverywhere() throws {
    let result = run(
      """
      @Model final class Trip {
          #Index<Trip>([\\.hashValue])
          var hashValue: Int = 0
          init(hashValue: Int) { self.hashValue = hashValue }
          var label: String { "\\(hashValue)" }
      }
      @Model final class Stop { var trip: Trip?; var isOpen: Bool { !((trip?.hashValue ?? 1) > 0) } }
      """)
    let text = result.files[0].text
    #expect(text.contains("#Index<Trip>([\\.storedHashValue])"))
    #expect(text.contains("@Attribute(originalName: \"hashValue\") var storedHashValue: Int = 0"))
    #expect(text.contains("init(hashValue: Int) { self.storedHashValue = hashValue }"))
    #expect(text.contains("\"\\(storedHashValue)\"") && text.contains("!((trip?.storedHashValue ?? 1) > 0)"))
    #expect(result.notes.contains { $0.kind == .check && $0.line == 3 && $0.message.contains("'storedHashValue'") })
    #expect(try schema(result).entities[0].properties.map(\.name) == ["storedHashValue"])
  }

  @Test func privateIsRemovedFromTypesOnly() {
    let result = run(
      """
      @Model final class Trip { private var kind: Kind = Kind.a }
      // A private enum Kind.
      @available(iOS 17, *) private enum Kind: String, Codable {
          case a
          private static let all: [Kind] = [Kind.a]
      }
      """)
    #expect(result.files[0].text.contains("@available(iOS 17, *) enum Kind: String, Codable {\n"))
    #expect(result.files[0].text.contains("    private static let all: [Kind] = [Kind.a]\n"))
    #expect(result.files[0].text.contains("{ private var kind: Kind"))
  }

  @Test func defaultsFromStaticMembersOfExtensionsAreKept() throws {
    let result = run(
      """
      @Model final class Trip { var kind: Kind = Kind.usual }
      enum Kind: String, Codable { case a }
      extension Kind { static let usual = Kind.a }
      """)
    #expect(result.files[0].text.contains("var kind: Kind = Kind.usual"))
    #expect(try schema(result).entities[0].properties.map(\.name) == ["kind"])
    #expect(result.copied.map(\.line) == [3])
  }

  @Test func initialisersThatAssignRejectedPropertiesAreReported() throws {
    let result = run(
      """
      @Model final class Trip {
          var name: String = ""
          var done: (() -> Void)?
          init(name: String) {
              self.name = name
              self.done = { print(name) }
          }
          func finish() { done?() }
      }
      """)
    #expect(result.notes.map(\.line) == [3, 6, 8] && result.notes.allSatisfy { $0.kind == .notCarried })
    #expect(result.notes[1].message.hasPrefix("'init' of 'Trip' assigns 'Trip.done'"))
    #expect(result.files[0].text.contains("        // self.done = { print(name) }\n"))
    #expect(try schema(result).entities[0].carriedInitializers.count == 1)
  }
}
