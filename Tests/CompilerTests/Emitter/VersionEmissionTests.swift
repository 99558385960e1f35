import Foundation
import SchemaDiagnostics
import SchemaEmitter
import SchemaModel
import SchemaVersions
import Testing

/// Tests of released versions and the migrations between them.
struct VersionEmissionTests {
  /// Generates versions 1.0.0, 2.0.0 and so on of a schema `App`. The last one is the head.
  private func emitted(_ texts: [String], file: String) throws -> String {
    var files: [SourceFile] = []
    var schemas: [ResolvedSchema] = []
    for (index, text) in texts.enumerated() {
      let isHead = index == texts.count - 1
      let folder = isHead ? "" : "versions/App-\(index + 1).0.0/"
      let source = SourceFile(
        path: "/package/\(folder)App.schema", text: "schema App \(index + 1).0.0\n" + text)
      let compilation = SchemaCompiler.compile([source], firstIndex: index)
      files.append(source)
      schemas.append(try #require(compilation.schemas.first))
    }
    let head = try #require(schemas.last)
    let released = Array(schemas.dropLast())
    let lock = SchemaHistory(head: head, frozen: released).rebuiltLock
    let history = SchemaHistory(head: head, frozen: released, lock: lock)
    #expect(CompilerRenderer(files: files).render(history.check()) == "")
    let outputs = SchemaEmitter.emit(
      EmissionInput(
        histories: [history], files: files, module: "App", target: "App", access: .internal,
        root: "/package"))
    let text = outputs.first { $0.name == file }?.text ?? ""
    // Remove the schema source, which contains all declarations.
    return file.contains("Versions") ? text.components(separatedBy: "static var _$source")[0] : text
  }

  static let old = """
    /// What it costs.
    enum Size: String, Codable { case small, large }
    struct Part: Codable { var size: Size }
    enum Mood: Int, Codable { case good, bad }
    struct Diary: Codable { var mood: Mood }

    /// A thing.
    @Model class Thing: CustomStringConvertible {
      var name: String = defaultName()
      var size: Size = .small
      var part: Part?
      var mood: Mood = .good
      var diary: Diary?
      @Transient var cached: Cache = Cache()
      var owner: Owner?
      var description: String { name }
      init(name: String) { self.name = name }
    }
    @Model class Owner { var things: [Thing] = [] }
    """

  /// A released version is declared in its schema's enum and has the enum's access level.
  @Test func publicModelsAreAsVisibleAsTheirReleasedVersion() throws {
    let old = "@Model public final class Thing { public var name: String = \"\" }"
    let text = try emitted([old, old + "\n@Model class More { var x: Int = 0 }\n"], file: "App+Versions.swift")
    #expect(text.contains("class Thing"))
    #expect(!text.contains("public "), "\(text)")
  }

  @Test func staticMembersUsedByDefaultsRemainInTheirVersion() throws {
    let old = """
      @Model class Thing {
        static let first = "a"
        static var untitled: String { first + "b" }
        static let other = 1
        var name: String = Thing.untitled
      }
      """
    let text = try emitted([old, old + "\n@Model class More { var x: Int = 0 }\n"], file: "App+Versions.swift")
    #expect(text.contains("static let first = \"a\"") && text.contains("static var untitled: String { first + \"b\" }"))
    #expect(!text.contains("static let other"))
  }

  @Test func membersThatAreNotStoredAreOmitted() throws {
    let text = try emitted(
      [Self.old, Self.old + "\n@Model class More { var x: Int = 0 }\n"], file: "App+Versions.swift")
    #expect(
      text.contains("nonisolated extension AppSchema.V1_0_0 {\n  nonisolated final class Thing: PersistentModel {"))
    #expect(!text.contains("CustomStringConvertible"))
    #expect(!text.contains("var description"))
    #expect(!text.contains("Cache"))
    #expect(text.contains("var owner: AppSchema.V1_0_0.Owner?"))
    // The initialiser is not copied, so a memberwise initialiser is generated.
    #expect(text.contains("name: String = AppSchema.V1_0_0.Thing._$default_name(),"))
    // Unchanged types are shared with the head.
    #expect(text.contains("var size: App::Size {"))
    #expect(text.contains("var diary: App::Diary? {"))
    #expect(!text.contains("enum Size"))
  }

  @Test func nestedReleasedTypesKeepTheirCodingKeys() throws {
    let old = """
      @Model class A { struct V: Codable { var p: Int; enum CodingKeys: String, CodingKey { case p = "x" } }
        var v: V; var w: W }
      struct W: Codable { var q: Int; func encode(to encoder: any Encoder) throws { } }
      """
    let new =
      old.replacing("\"x\"", with: "\"y\"").replacing("throws { }", with: "throws { print(q) }")
      + "\nmigration from 1.0.0 { fill A.v = A.V(p: old.v.p)\n fill A.w = W(q: old.w.q) }\n"
    let text = try emitted([old, new], file: "App+Versions.swift")
    #expect(
      text.contains(
        "extension AppSchema.V1_0_0.A {\n  nonisolated struct V: Codable { var p: Int; nonisolated enum CodingKeys: String, CodingKey { case p = \"x\" } }"
      ))
    #expect(
      text.contains(
        "extension AppSchema.V1_0_0 {\n  nonisolated struct W: Codable { var q: Int; func encode(to encoder: any Encoder) throws { } }"
      ))
    #expect(text.contains("var v: AppSchema.V1_0_0.A.V {"))
    // Unchanged types are shared with the head.
    let same = try emitted([old, old + "\n@Model class More { var x: Int = 0 }"], file: "App+Versions.swift")
    #expect(same.contains("var v: App::A.V {") && !same.contains("CodingKeys"))
  }

  @Test func changedValueTypesAndTheirContainersAreNested() throws {
    let new = Self.old.replacing("case small, large", with: "case small, medium, large")
    let text = try emitted([Self.old, new], file: "App+Versions.swift")
    #expect(text.contains("var size: AppSchema.V1_0_0.Size {"))
    #expect(text.contains("var part: AppSchema.V1_0_0.Part? {"))
    #expect(text.contains("nonisolated enum Size: String, Codable { case small, large }"))
    #expect(text.contains("extension AppSchema.V1_0_0.Part: ColumnValue"))
    #expect(text.contains("var mood: App::Mood {"))
    #expect(text.contains("var diary: App::Diary? {"))
  }

  /// `fill A.size = old.size ?? .small` compiled when 2.0.0 was the head, and must still compile.
  @Test func adjacentVersionsShareTypesThatTheHeadChanged() throws {
    let kind = "enum Size: String, Codable { case small, large }\n"
    let texts = [
      kind + "@Model class A { var size: Size? }\n",
      kind + "@Model class A { var size: Size }\nmigration from 1.0.0 { fill A.size = old.size ?? Size.small }\n",
      "enum Size: String, Codable { case small, medium, large }\n@Model class A { var size: Size }\n",
    ]
    let text = try emitted(texts, file: "App+Versions.swift")
    #expect(text.contains("typealias Size = AppSchema.V2_0_0.Size\n"))
    #expect(text.contains("var size: AppSchema.V2_0_0.Size? {"))
    #expect(!text.contains("enum Size"))
  }

  /// Stores use the default value of the version that added the field, even to decode older values.
  @Test func structsWithDifferentDefaultsAreNotShared() throws {
    let model = "@Model class A { @Attribute(.flattened) var f: S }\n"
    let texts = [
      "struct S: Codable { var a: Int; var c: Int = 7 }\n",
      "struct S: Codable { var a: Int; var c: Int }\n@Model class More { var x: Int = 0 }\n",
    ].map { $0 + model }
    let text = try emitted(texts, file: "App+Versions.swift")
    #expect(text.contains("var f: AppSchema.V1_0_0.S {"))
    #expect(text.contains("default: (7 as Int)"))
  }

  @Test func acceptedLossOfInversesIsEmittedByName() throws {
    let text = try emitted(
      [
        "@Model class A { @Relationship(inverse: nil) var l: [B] = [] }\n@Model class B { var x: Int = 0 }\n",
        "@Model class A { @Relationship(inverse: \\B.a) var l: [B] = [] }\n"
          + "@Model class B { var x: Int = 0; var a: A? }\n"
          + "migration from 1.0.0 { accept MIG062 A.l -- \"the first one stays\" }\n",
      ], file: "App+Stages.swift")
    #expect(text.contains(".accept([\"A.l\", \"B.a\"])"))
  }

  /// The head stores JSON; the released version has a column for each property.
  @Test func sharedStructsKeepTheColumnsOfOlderVersions() throws {
    let part =
      "struct Part: Codable { var a: Int; var b: Int = 2\nenum CodingKeys: String, CodingKey { case a = \"x\", b } }\n"
    let text = try emitted(
      [
        part + "@Model class A { @Attribute(.flattened) var part: Part }\n",
        part + "@Model class A { @Attribute(.json) var part: Part }\nmigration from 1.0.0 { fill A.part = old.part }\n",
      ], file: "App+Models.swift")
    #expect(text.contains("extension Part: FlattenedValue"))
    // A property with a custom key uses its default value if older JSON does not contain the key.
    #expect(text.contains("Int.self, forKey: .b) ?? 2"))
  }

  @Test func editingTheHeadDoesNotChangeReleasedVersions() throws {
    let first = try emitted(
      [Self.old, Self.old + "\n@Model class More { var x: Int = 0 }\n"], file: "App+Versions.swift")
    let second = try emitted(
      [Self.old, Self.old.replacing("var owner: Owner?", with: "var owner: Owner?\nvar note: String?")],
      file: "App+Versions.swift")
    #expect(first == second)
  }

  @Test func stagesContainAllStepsOfTheMigration() throws {
    let old = "@Model class A { var x: Double = 0 }\n@Model class B: A { var y: Int = 0 }\n"
    let new = """
      @Model class A { #Unique<A>([\\.cents])
      var cents: Int; @Attribute(.externalStorage) var photo: Data; var makeModel2: Int = 0; @Attribute(originalName: "x") var z: Double = 0 }
      @Model class B: A { var y: Int = 0 }
      migration from 1.0.0 {
        fill A.cents = Int(old.x * 100)
        fill A.photo = Data()
        dedupe A on [\\.cents] keep oldest
        custom finish
      }
      """
    let text = try emitted([old, new], file: "App+Stages.swift")
    #expect(
      text.contains(
        ".fill(AppSchema.V1_0_0.A.Snapshot.self, A.Snapshot.self, [\"cents\", \"photo\"], AppSchema.V2_0_0._$fill_A),"))
    #expect(
      text.contains(
        ".fill(AppSchema.V1_0_0.B.Snapshot.self, B.Snapshot.self, [\"cents\", \"photo\"], AppSchema.V2_0_0._$fill_B),"))
    #expect(text.contains(".dedupe(A.self, on: [\"cents\"], keep: .oldest),"))
    #expect(text.contains(".custom(\"finish\", AppSchema.V2_0_0._$custom_finish),"))
    #expect(
      declaration("fileprivate static func _$fill_A", in: text) == """
        fileprivate static func _$fill_A(
          _ old: AppSchema.V1_0_0.A.Snapshot,
          _ new: inout A.Snapshot
        ) throws {
          #sourceLocation(file: "App.schema", line: 6)
          new.cents = Int(old.x * 100)
          #sourceLocation()
          #sourceLocation(file: "App.schema", line: 7)
          new.photo = ExternalData(Data())
          #sourceLocation()
        }
        """)
    // If the app does not declare the function, the error is on the line of the migration step.
    #expect(
      declaration("fileprivate static func _$custom_finish", in: text) == """
        fileprivate static func _$custom_finish(_ migration: MigrationRows) throws {
          #sourceLocation(file: "App.schema", line: 9)
          try AppMigrationPlan.finish(migration)
          #sourceLocation()
        }
        """)
  }

  @Test func olderStagesUseTheTypesOfTheirVersion() throws {
    let first = "enum E: String, Codable { case a, b }\n@Model class A { var x: Int = 0 }\n"
    let second = """
      enum E: String, Codable { case a, b }
      @Model class A { var x: Int = 0; var e: E }
      migration from 1.0.0 { fill A.e = old.x > 0 ? E.a : .b }
      """
    let third = """
      enum E: String, Codable { case a, b, c }
      @Model class A { var x: Int = 0; var e: E }
      """
    let text = try emitted([first, second, third], file: "App+Stages.swift")
    #expect(text.contains("nonisolated extension AppSchema.V2_0_0 {\n  fileprivate static func _$fill_A("))
    #expect(text.contains(".lightweight(fromVersion: AppSchema.V2_0_0.self, toVersion: AppSchema.V3_0_0.self),"))
  }

  @Test func acceptedRemovalsArePassedToTheStore() throws {
    let text = try emitted(
      [
        "@Model class A { @Relationship(inverse: nil) var bs: [B] = []; var x: Int?; var y: Int? }\n"
          + "@Model class B { var n: Int = 0 }\n",
        "@Model class A { @Relationship(originalName: \"bs\", inverse: nil) var b: B?; var x: String? }\n"
          + "@Model class B { var n: Int = 0 }\n"
          + "migration from 1.0.0 { accept MIG061 A.b -- \"one is enough\"\n"
          + "accept MIG030 A.x -- \"starts anew\"\naccept MIG011 A.y -- \"nobody needs it\" }\n",
      ], file: "App+Stages.swift")
    // Removed properties are accepted; properties with a changed meaning are not.
    #expect(text.contains(".accept([\"A.x\", \"A.b\"])") || text.contains(".accept([\"A.b\", \"A.x\"])"))
    #expect(!text.contains("\"A.y\""))
  }
}
