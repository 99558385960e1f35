import Foundation
import SchemaDriver
import Testing

@testable import SchemaEmitter

/// The generator with Swift files that declare models.
struct SwiftFileTests {
  /// Runs the generator on one Swift file. The paths in messages begin with its name.
  private func run(_ text: String, schema: String? = nil) throws -> (messages: String, files: [String: String]) {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("trellis swift \(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("A.swift")
    try Data(text.utf8).write(to: file)
    let beside = folder.appendingPathComponent("Schemas/M.schema")
    if let schema {
      try FileManager.default.createDirectory(
        at: beside.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(schema.utf8).write(to: beside)
    }
    let output = folder.appendingPathComponent("out")
    let (_, messages) = Generation(
      heads: [file.path] + (schema == nil ? [] : [beside.path]), outputFolder: output.path, module: "M", target: "M",
      access: nil, root: folder.path
    ).run()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: output.path)) ?? []
    let files = try names.map { ($0, try String(contentsOf: output.appendingPathComponent($0), encoding: .utf8)) }
    return (messages.replacing(folder.path + "/", with: ""), Dictionary(uniqueKeysWithValues: files))
  }

  /// Mistakes are those of schema files, at their places in the Swift file. Everything around the models is Swift.
  @Test(arguments: [
    ("@Attribute(.unqiue) var name: String", "3:14: error: unknown option '.unqiue' of '@Attribute' [SYN002"),
    ("lazy var sum = 3", "3:3: error: a stored property of a model cannot be 'lazy'"),
    ("@Wrapped var sum: Int = 3", "3:4: error: '@Wrapped' cannot be applied to a stored property of a model"),
    ("#if DEBUG\n  var sum = 1\n  #endif", "3:3: error: '#if' cannot stand in a type"),
    ("let id = UUID()", "3:7: error: a stored property of a model in a Swift file cannot be a 'let'"),
    ("@Transient var cache: Int", "3:18: error: "),
    ("@Relationship(inverse: \\Trip.nope) var next: Trip?", "'nope'"),
    ("var x: Int = 1 { didSet {} }", "warning: observers of 'x' are not called, as in SwiftData"),
  ]) func mistakes(_ member: String, _ message: String) throws {
    let text =
      "import Foundation; func helper<T>(_ x: T) -> [T] { [x] }\n@Model class Trip { var title: String = \"é\"\n  \(member)\n}"
    let messages = try run(text).messages
    #expect(messages.contains("A.swift:" + message) || messages.contains(message), "\(messages)")
  }

  @Test(arguments: [
    "enum V1: VersionedSchema {\n-}", "extension V1 {\n-}", "#if DEBUG\n-\n#endif", "private -", "fileprivate -",
  ]) func placesOfModels(_ outer: String) throws {
    let model =
      outer.hasSuffix("private -") ? "class Trip { var name = \"\" }" : "@Model class Trip { var name = \"\" }"
    let text = (outer.hasSuffix("private -") ? "@Model " : "") + outer.replacing("-", with: model)
    let messages = try run(text).messages
    #expect(messages.contains("error: "), "\(messages)")
  }

  /// A comment or a text is no model. The build expects the files all the same.
  @Test func noModel() throws {
    let (messages, files) = try run("// @Model in a comment\nlet text = \"@Model class X {}\"\n@ModelActor actor B {}")
    #expect(messages.isEmpty)
    #expect(
      files.keys.sorted() == [
        "A+Codecs.swift", "A+Models.swift", "M+Macros.swift", "M+Stages.swift", "M+Versions.swift",
      ])
    #expect(files["A+Models.swift"]?.contains("extension") == false)
  }

  /// Models of both kinds are one schema and may be related.
  @Test(arguments: ["M", "Travel"]) func besideASchemaFile(_ name: String) throws {
    let (messages, files) = try run(
      "@Model class Stop { var title = \"\"; var trip: Trip? }",
      schema: "schema \(name) 2.1.0\n@Model class Trip { var name: String; var stops: [Stop] = [] }")
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["M+Stages.swift"]?.contains("Stop.self") == true)
    #expect(files["M+Models.swift"]?.contains("class Trip") == true)
    #expect(files["A+Models.swift"]?.contains("version: \(name)Schema.V2_1_0.self") == true)
  }

  @Test(arguments: [
    ("@Model class A {}", true), ("@Model\nclass A {}", true), ("@SwiftData.Model class A {}", true),
    ("@Model(originalName: \"B\") class A {}", true), ("@ModelActor actor A {}", false), ("@Models class A {}", false),
    ("let x = 1", false), ("@Model", false),
  ]) func whatThePluginReads(_ text: String, _ isRead: Bool) {
    #expect(OutputNaming.mayDeclareModels(text) == isRead)
  }

  /// The class is not generated, and its extension has what the macro calls.
  @Test func extensionOfAClass() throws {
    let (messages, files) = try run(
      """
      import Foundation
      @Model final class Trip {
        enum Kind: String, Codable { case a }
        var name: String
        var days = 3
        var kind: Kind = .a
        private var secret: Int?
        var stops: [Stop] = []
        init(name: String) { self.name = name }
      }
      @Model class Stop: Identifiable { var title: String; var trip: Trip?; init(_ title: String) { self.title = title } }
      """)
    #expect(messages.isEmpty, "\(messages)")
    let text = try #require(files["A+Models.swift"])
    #expect(!text.contains("class Trip") && !text.contains("enum Kind"))
    for part in [
      "var _$property_name: String {", "var _$property_secret: Int? {", "Trip.Snapshot(\n",
      "_$identifier: definition.temporaryIdentifier()", "kind: Trip._$default_kind()", "stops: []",
      "static var _$metadata_Trip: [Schema.PropertyMetadata] {", "keypath: Trip._$path_secret",
      "static func _$initialize_title(", "static let _$blankValues_Stop: Stop.Snapshot = ",
      "if value != nil || !pending.isEmpty { pending.append { $0._$property_trip = value } }",
    ] { #expect(text.contains(part), "\(part) is not in\n\(text)") }
  }
}
