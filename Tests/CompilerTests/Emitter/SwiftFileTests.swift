import Foundation
import SchemaDriver
import Testing

@testable import SchemaEmitter

/// Runs the generator on Swift files that declare models.
struct SwiftFileTests {
  /// Runs the generator on a Swift file `A.swift` and other files. Paths in the messages are relative to their folder.
  ///
  /// - Parameter isPlanned: False if SwiftPM planned the build before the file contained a model.
  func run(
    _ text: String, schema: String? = nil, others: [String] = [], isPlanned: Bool = true
  ) throws -> (messages: String, files: [String: String]) {
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
    var generation = Generation(
      heads: (isPlanned ? [file.path] : []) + (schema == nil ? [] : [beside.path]), outputFolder: output.path,
      module: "M", target: "M", access: nil, root: folder.path)
    if !isPlanned { generation.swiftFiles = [file.path] }
    for (index, other) in others.enumerated() {
      let path = folder.appendingPathComponent("B\(index).swift")
      try Data(other.utf8).write(to: path)
      generation.swiftFiles.append(path.path)
    }
    let (_, messages) = generation.run()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: output.path)) ?? []
    let files = try names.map { ($0, try String(contentsOf: output.appendingPathComponent($0), encoding: .utf8)) }
    return (messages.replacing(folder.path + "/", with: ""), Dictionary(uniqueKeysWithValues: files))
  }

  /// Mistakes are reported as in schema files, at their locations in the Swift file. The code around the models is
  /// plain Swift.
  @Test(arguments: [
    ("@Attribute(.unqiue) var name: String", "3:14: error: unknown option '.unqiue' of '@Attribute' [SYN002"),
    ("lazy var sum = 3", "3:3: error: a stored property of a model cannot be 'lazy'"),
    ("#if DEBUG\n  var sum = 1\n  #endif", "3:3: error: '#if' cannot surround a model's stored properties"),
    (
      "#if DEBUG\n  func f() {}\n  #else\n  #Index<Trip>([\\.title])\n  #endif",
      "3:3: error: '#if' cannot surround a model's stored properties"
    ),
    ("private var kind: Kind = .a; private enum Kind: String, Codable { case a }", "private type 'Trip.Kind'"),
    ("var a: [Snapshot] = []", "3:11: error: 'Snapshot' is nested in every model"),
    ("}\n@Model class Root {", "4:14: error: a model in a Swift file cannot be called 'Root'"),
    ("@Transient var cache: Int", "3:18: error: "),
    ("@Relationship(inverse: \\Trip.nope) var next: Trip?", "'nope'"),
    ("var x: Int = 1 { didSet {} }", "warning: as in SwiftData, observers of 'x' are not called"),
  ]) func mistakes(_ member: String, _ message: String) throws {
    let text =
      "import Foundation; func helper<T>(_ x: T) -> [T] { [x] }\n@Model class Trip { var title: String = \"é\"\n  \(member)\n}"
    let messages = try run(text).messages
    #expect(messages.contains("A.swift:" + message) || messages.contains(message), "\(messages)")
  }

  @Test(arguments: [
    "#if DEBUG\n-\n#endif", "private -", "fileprivate -", "private enum V1 { - }",
    "enum A { fileprivate enum B { - } }", "enum V1 {}; private extension V1 { - }",
    "#if DEBUG\nenum V1 { - }\n#endif",
  ]) func placesOfModels(_ outer: String) throws {
    let model =
      outer.hasSuffix("private -") ? "class Trip { var name = \"\" }" : "@Model class Trip { var name = \"\" }"
    let text = (outer.hasSuffix("private -") ? "@Model " : "") + outer.replacing("-", with: model)
    let messages = try run(text).messages
    #expect(messages.contains("error: "), "\(messages)")
  }

  /// Conditions that do not depend on the build are evaluated. Any other condition is an error if it surrounds a model.
  @Test(arguments: [
    ("#if canImport(SwiftData)\n-\n#endif", true), ("#if false\n-\n#endif", false),
    ("#if swift(>=6.2)\n-\n#endif", true), ("#if compiler(<6)\n#else\n-\n#endif", true),
    ("#if os(iOS) || (canImport(UIKit) && DEBUG)\nimport UIKit\n#elseif !DEBUG || true\n-\n#else\n-\n#endif", true),
    ("#if true\n#if os(Linux)\n-\n#endif\n#else\n-\n#endif", true), ("#if DEBUG && false\n-\n#endif", false),
    ("let text = \"#if DEBUG\"\n-", true), ("#if DEBUG\n#elseif os(iOS)\n-\n#endif", false),
    ("#if compiler(>=99)\n-\n#endif", nil), ("#if DEBUG\n-\n#endif", nil), ("#if !DEBUG\n#else\n-\n#endif", nil),
    ("#if canImport(Unheard)\n-\n#endif", nil), ("#if (os(macOS) ||\n  os(Linux)) && true\n-\n#endif", true),
    ("#if !(\n  canImport(FoundationEssentials)\n)\n#elseif (DEBUG\n|| true)\n-\n#endif", true),
    ("#if os(Linux) ||\n-\n#endif", nil), ("#if\n-\n#endif", nil),
    ("#if canImport(FoundationModels) || canImport(UIKit.UIView)\n-\n#endif", false),
    ("#if canImport(CoreML, _version: 3)\n#else\n-\n#endif", true), ("#if swift(>=99)\n-\n#endif", nil),
    ("#if swift(<6)\n-\n#endif", false), ("#if swift(>=5.9) && compiler(>=6.2.1)\n-\n#endif", true),
  ]) func conditions(around: String, isCompiled: Bool?) throws {
    let model = "@Model class Trip { var name = \"\"; init() {} }"
    let (messages, files) = try run(around.replacing("-", with: model))
    #expect(messages.contains("error: a model cannot be inside '#if'") == (isCompiled == nil), "\(messages)")
    #expect(files["A+Models.swift"]?.contains("extension Trip") == isCompiled)
  }

  @Test func conditionsInsideAModel() throws {
    let members = "#if os(iOS)\nvar image = 1\n#elseif true\nvar number = 2\n#endif\n#if DEBUG\nfunc f() {}\n#endif"
    let (messages, files) = try run("@Model class Trip {\n\(members)\ninit() {} }")
    #expect(messages.isEmpty)
    #expect(files["A+Codecs.swift"]?.contains("number: row.integer(0)") == true)
    #expect(files["A+Codecs.swift"]?.contains("image") == false)
  }

  /// The generator does not know the language mode. If a condition on it surrounds a model, the generator assumes Swift
  /// 6, and the generated code checks this assumption.
  @Test(arguments: [
    ("swift(>=6.2)", "", "checked"), ("!(swift(<6)) && os(Linux)", "", "checked"), ("swift(>=5.10)", "", "plain"),
    ("swift(>=6.2)", "func f() {}", "plain"), ("(swift(>=6.2) ||\n  DEBUG)", "func f() {}", "plain"),
    ("swift(>=5.10)", "var y = 2", "plain"), ("swift(>=5.10.1)", "var y = 2", "refused"),
    ("swift(>=6.2)", "@Attribute(.unique) var y = 2", "refused"),
    ("swift(>=6)", "var y: Other.Model? { nil }", "plain"),
  ]) func languageModes(condition: String, member: String, result: String) throws {
    func conditional(_ text: String) -> String { "#if \(condition)\n\(text)\n#endif" }
    let inner = member.isEmpty ? "" : conditional(member)
    let model = "@SwiftData.Model class Trip {\nvar x = 1\n\(inner)\ninit() {} }"
    let (messages, files) = try run(member.isEmpty ? conditional(model) : model)
    #expect(messages.contains("error: '#if' cannot surround a model's stored") == (result == "refused"))
    #expect(messages.isEmpty == (result != "refused"), "\(messages)")
    let check = "#if !swift(>=6)\n  #error(\"'#if swift' around a model"
    #expect(files["A+Models.swift"]?.contains(check) == (result == "refused" ? nil : result == "checked"))
  }

  /// Class attributes are not copied onto extensions.
  @Test func attributesOfAClass() throws {
    let model = "@dynamicMemberLookup @available(*, deprecated) @Noted @Model class Trip { var x = 1; init() {} }"
    let (messages, files) = try run(model)
    #expect(messages.isEmpty)
    for name in ["A+Models.swift", "A+Codecs.swift"] {
      let text = try #require(files[name])
      #expect(!text.contains("@dynamicMemberLookup") && !text.contains("@Noted") && !text.contains("Sendable"))
    }
    #expect(files["A+Models.swift"]?.contains("@available(*, deprecated)\nextension Trip {") == true)
  }

  /// A model in a private extension is an error, but other members are allowed there.
  @Test func privateExtensionsOfAVersion() throws {
    let version = "enum V1 { @Model class Trip { var name = \"\"; init() {} } }"
    let helpers = "private extension V1 { static let sample = 5 }\nfileprivate extension V1.Trip { func f() {} }"
    let found = try run("\(version)\n\(helpers)", others: [helpers])
    #expect(found.messages.isEmpty, "\(found.messages)")
    let messages = try run(
      "\(version)\nprivate extension V1 { @Model class Stop { var name = \"\"; init() {} } }"
    ).messages
    #expect(messages.hasPrefix("A.swift:2:37: error: generated files cannot refer to a private model"), "\(messages)")
    #expect(messages.components(separatedBy: "error: ").count == 2, "\(messages)")
  }

  /// `@Model` in a comment or a string declares no model. The generated files are written nevertheless, because the
  /// build expects them.
  @Test func noModel() throws {
    let (messages, files) = try run("// @Model in a comment\nlet text = \"@Model class X {}\"\n@ModelActor actor B {}")
    #expect(messages.isEmpty)
    #expect(
      files.keys.sorted() == [
        "A+Codecs.swift", "A+Models.swift", "M+Macros.swift", "M+Stages.swift", "M+Versions.swift",
      ])
    #expect(files["A+Models.swift"]?.contains("extension") == false)
  }

  /// Models in schema files and in Swift files form one schema and may be related.
  @Test(arguments: ["M", "Travel"]) func besideASchemaFile(_ name: String) throws {
    let (messages, files) = try run(
      "@Model class Stop { var title = \"\"; var trip: Trip? }",
      schema: "schema \(name) 2.1.0\n@Model class Trip { var name: String; var stops: [Stop] = [] }")
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["M+Stages.swift"]?.contains("Stop.self") == true)
    #expect(files["M+Models.swift"]?.contains("class Trip") == true)
    #expect(files["A+Models.swift"]?.contains("version: \(name)Schema.V2_1_0.self") == true)
  }

  /// Models nested in a type are qualified with its name, and have its version if it is a versioned schema.
  @Test(arguments: [
    ("enum V1: VersionedSchema { static let versionIdentifier = Schema.Version(1, 2, 3); - }", "V1", "V1.self"),
    ("enum V1: VersionedSchema {}", "V1", "V1.self"), ("enum V1 { - }", "V1", nil),
    ("struct Old { enum V1: VersionedSchema { - } }", "Old.V1", "Old.V1.self"),
  ]) func modelsInATypes(_ outer: String, _ path: String, _ version: String?) throws {
    let model =
      "@Model class Trip { var kind: Kind; @Relationship(inverse: nil) var next: Trip?; enum Kind: String, Codable { case a } }"
    let text =
      outer.contains("-") ? outer.replacing("-", with: model) : "\(outer)\nextension \(path) { \(model) }"
    let (messages, files) = try run(text)
    #expect(messages.isEmpty, "\(messages)")
    let models = try #require(files["A+Models.swift"])
    #expect(models.contains("nonisolated extension \(path).Trip {"), "\(models)")
    #expect(models.contains("nonisolated extension \(path).Trip.Kind: ColumnValue"))
    #expect(models.contains("version: \(version ?? "-")") == (version != nil), "\(models)")
    #expect(files["M+Stages.swift"]?.contains("enum ") == false)
  }

  /// Top-level models have the version number of the versioned schema that lists them. No migration plan is generated,
  /// so the app can use its name.
  @Test func versionOfTopLevelModels() throws {
    let versions = """
      enum V1: VersionedSchema { static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model class Trip { var name = "" } }
      enum V2: VersionedSchema { static let versionIdentifier = Schema.Version(2, 1, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] } }
      """
    let (messages, files) = try run("@Model class Trip { var name = \"\" }", others: [versions])
    #expect(messages.isEmpty)
    #expect(files["A+Models.swift"]?.contains("version: M::_$MSchema.V2_1_0.self") == true)
    #expect(files["M+Macros.swift"]?.contains("extension V1.Trip") == true, "V1 was not planned")
    #expect(files["M+Stages.swift"]?.contains("MigrationPlan") == false)
  }

  /// A type is stored in the same form regardless of which file declares it and which name a model uses for it.
  @Test(arguments: [
    ("", "enum Kind: String, Codable { case a, b }", "Kind", "Kind"),
    ("", "public enum Kind: Int, Codable { case a = 3, b }", "Kind", "Kind"),
    ("", "enum Outer { enum Kind: Swift.String, Codable { case a } }", "Outer.Kind", "Outer.Kind"),
    ("", "extension Trip { enum Kind: UInt8, Codable { case a } }", "Kind", "Trip.Kind"),
    (
      "enum Kind: String, Codable { case x }", "extension Trip { enum Kind: Int, Codable { case a } }", "Kind",
      "Trip.Kind"
    ),
    ("", "enum Kind: String, Codable { case a }\ntypealias Sort = Kind", "Sort", "Kind"),
    ("", "enum Kind: String, Codable { case a }\ntypealias Module = M.Kind", "Module", "Kind"),
    ("", "enum O { typealias P = Q }\nenum Q { enum Kind: String, Codable { case a } }", "O.P.Kind", "Q.Kind"),
  ]) func enumsOfTheTarget(_ beside: String, _ other: String, _ type: String, _ path: String) throws {
    let text = "\(beside)\n@Model class Trip { var kind: \(type); var list: [\(type)] = []; var maybe: \(type)? }"
    for isBeside in [false, true] {
      let (messages, files) = try run(isBeside ? "\(other)\n\(text)" : text, others: isBeside ? [] : [other])
      #expect(messages.isEmpty, "\(messages)")
      let models = try #require(files["A+Models.swift"])
      #expect(models.contains("extension \(path): ColumnValue, RawValuePathProviding"), "\(models)")
      #expect(files["A+Codecs.swift"]?.contains("codable") == false)
    }
  }

  /// Transient properties and conditionally compiled members are not stored: the class itself declares them.
  @Test(arguments: [
    "@Transient lazy var sum: Int = 3", "@Transient weak var owner: Trip?", "@Transient let limit = 3",
    "#if DEBUG\n  static func sample() -> Trip { Trip() }\n  var both: Int { 1 }\n  #if os(Linux)\n  init() {}\n  #endif\n  #else\n  enum Kind { case a }\n  #endif",
    "#if DEBUG\n  @Transient var sum = 3\n  static let all = 3\n  #endif",
  ]) func membersThatAreNotStored(_ member: String) throws {
    let (messages, files) = try run("@Model class Trip { var title: String = \"\"\n  \(member)\n}")
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["A+Codecs.swift"]?.contains("row.text(0)") == true)
  }

  /// If a property states no type, its type is inferred from its default value.
  @Test(arguments: [
    ("60 * 60", "Int"), ("(1.5 + 2) / -3", "Double"), (#"["a": 1]"#, "[String: Int]"),
    (#"[1: ["a"]]"#, "[Int: [String]]"),
    ("7 % 2", "Int"),
  ]) func typesOfDefaultValues(_ value: String, _ type: String) throws {
    let (messages, files) = try run("@Model class Trip { var x = \(value) }")
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["A+Codecs.swift"]?.contains("var x: \(type) = ") == true)
  }

  @Test func importsOnOneLine() throws {
    let (messages, files) = try run("import Foundation; import Other; @Model class Trip { var x = 1 }")
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["A+Models.swift"]?.contains("import Other\n") == true)
  }

  /// Private types in other files are ignored.
  @Test func typesNamedLikeAPrivateType() throws {
    let (messages, _) = try run(
      "@Model class Trip { var kind: Kind = Kind.a }",
      others: ["private enum Kind { case b }", "enum Kind: String, Codable { case a }", "fileprivate struct Kind {}"])
    #expect(messages.isEmpty, "\(messages)")
  }

  /// The Swift compiler decides how values of other types are stored.
  @Test(arguments: [
    "struct Kind: Codable {}", "enum Kind: Codable { case a(Int) }",
    "import Elsewhere",

    "typealias Kind = Kind",
    "struct Kind: RawRepresentable, Codable { var rawValue: Int }", "enum Other: String, Codable { case a }",
  ]) func otherTypesOfTheTarget(_ other: String) throws {
    let (_, files) = try run("@Model class Trip { var kind: Kind = Kind.a }", others: [other])
    let codecs = try #require(files["A+Codecs.swift"])
    #expect(codecs.contains("row.automatic(0, .of((Kind?).self))"))
    #expect(codecs.contains("row.automatic(0, value, .of((Kind?).self))"))
    #expect(files["A+Models.swift"]?.contains("ColumnValue") == false)
  }

  /// The Swift compiler decides how these enums are stored, because the generator does not know which cases are
  /// compiled.
  @Test(arguments: [
    "enum Kind: String, Codable {\n#if DEBUG\ncase a\n#endif\ncase b }",
    "#if DEBUG\nenum Kind: String, Codable { case a }\n#else\nenum Kind: String, Codable { case b }\n#endif",
    "import struct Foundation.Date\n#if DEBUG\nenum Kind: String, Codable { case a }\n#endif",
  ]) func enumsWithConditions(_ other: String) throws {
    let (messages, files) = try run("@Model class Trip { var kind: Kind? }", others: [other])
    #expect(messages.isEmpty, "\(messages)")
    let codecs = try #require(files["A+Codecs.swift"])
    #expect(codecs.contains("row.automatic(") && !codecs.contains("codable"), "\(codecs)")
  }

  /// `import struct Foundation.Date` does not declare a type.
  @Test func importsOfSingleTypes() throws {
    let (messages, files) = try run(
      "import class Foundation.NSObject\nimport struct Foundation.Date\n@Model class Trip { var kind: Kind? }",
      others: ["import struct Foundation.Date\nenum Kind: String, Codable { case a }"])
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["A+Models.swift"]?.contains("extension Kind: ColumnValue") == true)
  }

  /// Objects in the default value of a list would be lost.
  @Test(arguments: ["[Stop()]", "makeStops()", "Stop.defaults", "[Stop](repeating: Stop(), count: 2)"])
  func defaultValuesOfLists(_ value: String) throws {
    let model = "@Model class Stop { var trip: Trip? }\n@Model class Trip { var stops: [Stop] = "
    let message = "error: relationship 'stops' cannot have objects as its default value [REL024"
    #expect(try run("\(model)\(value) }").messages.contains(message))
    for empty in ["[]", "[Stop]()", "Array<Stop>()"] {
      #expect(!(try run("\(model)\(empty) }").messages.contains("error")))
    }
  }

  /// A property that is not stored may have any type.
  @Test func typesOfTransientProperties() throws {
    let (messages, files) = try run(
      "enum Kind: String { case a }\n@Model class Trip { @Transient var kind: Kind = .a\n@Transient var b = Kind.a }")
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["A+Models.swift"]?.contains("ColumnValue") == false)
  }

  /// A superclass may be named in any way that Swift allows.
  @Test(arguments: ["Base", "M.Base", "Alias", "M.Alias"]) func superclasses(_ name: String) throws {
    let (messages, files) = try run(
      "@Model class Base { var a = 1 }\n@Model class Sub: \(name), Identifiable { var b = 2 }",
      others: ["typealias Alias = M.Base"])
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["A+Models.swift"]?.contains("superentity: \"Base\"") == true)
    let other = try run("enum V { @Model class Base {} }\n@Model class Sub: V.Base {}").messages
    #expect(other.contains("A.swift:2:19: error: 'V.Base' belongs to a different schema"), "\(other)")
    let nested = try run(
      "enum V { @Model class Base { var a = 1 }\n@Model class Sub: \(name == "Base" ? name : "V.Base") { var b = 2 } }")
    #expect(nested.files["A+Models.swift"]?.contains("superentity: \"Base\"") == true, "\(nested.messages)")
  }

  @Test func aliasesOfTypes() throws {
    let (messages, files) = try run(
      "@Model class Trip { var price: Money = 1; var all: All?; @Relationship(inverse: nil) var next: Journey?; init() {} }",
      others: ["typealias Money = Decimal", "typealias All = [Date]\ntypealias Journey = Trip"])
    #expect(messages.isEmpty, "\(messages)")
    let models = try #require(files["A+Models.swift"])
    #expect(models.contains("price: Decimal") && models.contains("_$property_all: [Date]?"), "\(models)")
    #expect(models.contains("_$property_next: Trip?") && !models.contains("_$check_"))
  }

  @Test(arguments: ["typealias Kind = () -> Void", "typealias Kind = (Int, Int)"])
  func aliasesOfUnstorableTypes(_ alias: String) throws {
    let messages = try run("@Model class Trip { var kind: Kind }", others: [alias]).messages
    #expect(messages.contains("A.swift:1:31: error: a value of type "), "\(messages)")
  }

  /// The Swift compiler does not report properties that an initializer leaves unassigned.
  @Test(arguments: [
    ("init() {}", "'name', 'owner'"), ("init(name: String = { \"owner\" }()) { self.name = name }", "'owner'"),
    ("init(name: String, owner: Trip) { self.name = name; self.owner = owner }", nil),
    ("required init?(x: Int) where Int == Int { if x > 0 { `name` = \"\" } else { return nil }; owner = Trip() }", nil),
    ("convenience init(x: Int) { self.init() }", nil),
  ]) func initializersThatOmitProperties(_ initializer: String, _ missing: String?) throws {
    let model =
      "@Model class Trip { var name: String; var note: String?; var days = 1; @Relationship(inverse: nil) var owner: Trip\n  \(initializer) }"
    let messages = try run(model).messages
    #expect(
      messages.contains("A.swift:2:3: error: this initializer assigns no value to \(missing ?? "")") == (missing != nil)
    )
    let inherited = try run(
      "@Model class Base {}\n" + model.replacing("class Trip", with: "class Trip: Base, Hashable"))
    #expect(inherited.messages.contains("[SYN019") == (missing != nil), "\(inherited.messages)")
  }

  @Test func modelsOfOtherVersions() throws {
    let version =
      "enum V1: VersionedSchema { static let versionIdentifier = Schema.Version(1, 0, 0); "
      + "static var models: [any PersistentModel.Type] { [Stop.self] }; @Model class Stop { var name = \"\" } }"
    let messages = try run(version + "\n@Model class Trip { var stop: V1.Stop? }").messages
    #expect(messages.contains("A.swift:2:31: error: 'V1.Stop' belongs to a different schema"), "\(messages)")
  }

  /// Swift rejects imports of the same module with and without an access level, unless that level is `public`.
  @Test(arguments: [
    ("import Foundation", "import Foundation\nimport Trellis\n"),
    ("internal import Foundation", "internal import Foundation\nimport Trellis\n"),
    ("private import Foundation; fileprivate import Trellis", "internal import Foundation\ninternal import Trellis\n"),
  ]) func importsHaveTheAccessOfTheSwiftFile(_ imports: String, _ generated: String) throws {
    let (messages, files) = try run("\(imports)\n@Model class Trip { var day: Date? }")
    #expect(messages.isEmpty, "\(messages)")
    #expect(files.count == 5)
    for (name, text) in files { #expect(text.contains("\n" + generated), "\(name)") }
  }

  @Test func publicImports() throws {
    let text = "package import Foundation\n@Model class Trip { var day: Date? }"
    let files = try run(text).files
    #expect(files["A+Models.swift"]?.contains("\npublic import Foundation\npublic import Trellis\n") == true)
    #expect(files["M+Versions.swift"]?.contains("\ninternal import Foundation\nimport Trellis\n") == true)
  }

  /// If SwiftPM planned the build before the first model was added to a Swift file, it expects only the macros file.
  @Test func modelsAddedAfterBuildPlanning() throws {
    let text =
      "import Foundation\nimport Other\n@Model class Trip { var name = \"\"; @Relationship(inverse: nil) var stops: [Stop] = [] }\n@Model class Stop { var x = 1 }"
    let (messages, files) = try run(text, isPlanned: false)
    #expect(messages.isEmpty)
    #expect(files.keys.sorted() == ["M+Macros.swift"])
    for part in ["macro Predicate", "extension Trip {", "struct Snapshot", "enum _$MSchema", "import Other"] {
      #expect(files["M+Macros.swift"]?.contains(part) == true, "\(part)")
    }
    #expect(try run("let x = 1 // Model", isPlanned: false).files.keys.sorted() == ["M+Macros.swift"])
  }

  @Test(arguments: [
    ("@Model class A {}", true), ("@Model\nclass A {}", true), ("@SwiftData.Model class A {}", true),
    ("@Model(originalName: \"B\") class A {}", true), ("@ModelActor actor A {}", false), ("@Models class A {}", false),
    ("let x = 1", false), ("@Model", false),
  ]) func whatThePluginReads(_ text: String, _ isRead: Bool) {
    #expect(OutputNaming.mayDeclareModels(text) == isRead)
  }

  /// The class itself is not generated. Its extension contains the members that the macro calls, even if the superclass
  /// is not a model.
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
      @Model class Stop: Base {
        var title: String
        var trip: Trip?
        init(_ title: String) { self.title = title; super.init() }
      }
      """)
    #expect(messages.isEmpty, "\(messages)")
    let text = try #require(files["A+Models.swift"])
    #expect(!text.contains("class Trip") && !text.contains("enum Kind"))
    for part in [
      "var _$property_name: String {", "var _$property_secret: Int? {", "Trip.Snapshot(\n",
      "_$identifier: definition.temporaryIdentifier()", "kind: .a", "stops: []",
      "static var _$metadata_Trip: [Schema.PropertyMetadata] {", "keypath: Trip._$path_secret",
      "static func _$initialize_title(", "static let _$blankValues_Stop: Stop.Snapshot = ",
      "if value != nil || !pending.isEmpty { pending.append { $0._$property_trip = value } }",
    ] { #expect(text.contains(part), "\(part) is not in\n\(text)") }
  }
}
