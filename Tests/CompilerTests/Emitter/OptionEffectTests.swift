import Foundation
import SchemaDiagnostics
import SchemaEmitter
import SchemaLint
import SchemaModel
import TestSupport
import Testing

/// Every option must have an effect, or a finding must report that it has none.
@Suite struct OptionEffectTests {
  enum Effect {
    /// The generated code changes, apart from the metadata that repeats the option.
    case code
    /// The generated metadata changes, and the named test checks its effect at run time.
    case metadata(String, String)
    /// A compiler diagnostic disappears.
    case silences(String)
    case finding(String)
  }

  struct Case {
    /// A property of model `A`, or a constraint in the model.
    var with: String
    var without: String
    var effect: Effect

    init(_ with: String, _ without: String, _ effect: Effect) {
      self.with = with
      self.without = without
      self.effect = effect
    }
  }

  private static let upserts = "Tests/RelationshipTests/Uniqueness/UniquenessMatrixTests.swift"
  private static let meeting = "S008_S010_S014_newModelsConflictWithExistingOnes"
  private static let counts = "Tests/RelationshipTests/Rules/CountTests.swift"
  private static let denials = "Tests/RelationshipTests/Rules/DenialTests.swift"
  private static let renaming = "Tests/StoreTests/Storage/RenamingTests.swift"

  static let cases: [String: Case] = [
    "@Attribute(.unique)": Case("@Attribute(.unique) var x: Int", "var x: Int", .metadata(upserts, meeting)),
    "@Attribute(.externalStorage)": Case("@Attribute(.externalStorage) var x: Data", "var x: Data", .code),
    "@Attribute(.preserveValueOnDeletion)": Case(
      "@Attribute(.preserveValueOnDeletion) var x: Int", "var x: Int",
      .metadata("Tests/HistoryTests/TombstoneTests.swift", "S113_preservedValues_byKeyPathAndByIteration")),
    "@Attribute(.ephemeral)": Case(
      "@Attribute(.ephemeral) var x: Int = 0", "var x: Int = 0",
      .metadata("Tests/StoreTests/Storage/AttributeTests.swift", "S019_ephemeralPropertiesAreChangesButNotStored")),
    "@Attribute(.allowsCloudEncryption)": Case(
      "@Attribute(.allowsCloudEncryption) var x: Int", "var x: Int", .finding("TYP024")),
    "@Attribute(.spotlight)": Case("@Attribute(.spotlight) var x: Int", "var x: Int", .finding("TYP024")),
    "@Attribute(.codable)": Case("@Attribute(.codable) var x: Colour?", "var x: Colour?", .silences("TYP013")),
    "@Attribute(.fullText)": Case("@Attribute(.fullText) var x: String", "var x: String", .finding("SYN018")),
    "@Attribute(.json)": Case("@Attribute(.json) var x: P", "@Attribute(.flattened) var x: P", .code),
    "@Attribute(.flattened)": Case("@Attribute(.flattened) var x: P", "var x: P", .code),
    "@Attribute(.raw)": Case("@Attribute(.raw) var x: Colour?", "@Attribute(.codable) var x: Colour?", .code),
    "@Attribute(.unknown(.fail))": Case(
      "@Attribute(.unknown(.fail)) var x: E = .a", "@Attribute(.unknown(.default)) var x: E = .a",
      .metadata("Tests/StoreTests/Storage/EnumTests.swift", "unknownCasesAreErrorsThatNameThem")),
    "@Attribute(.unknown(.default))": Case(
      "@Attribute(.unknown(.default)) var x: E = .a", "var x: E = .a",
      .metadata("Tests/StoreTests/Storage/EnumTests.swift", "unknownCasesCanReadAsTheDefaultAndAreKept")),
    "@Attribute(.transformable)": Case(
      "@Attribute(.transformable(by: Palette.self)) var x: Colour?", "@Attribute(.codable) var x: Colour?", .code),
    "@Attribute(originalName:)": Case(
      "@Attribute(originalName: \"y\") var x: Int", "var x: Int", .metadata(renaming, "S015_originalNamesKeepTheData")),
    "@Attribute(hashModifier:)": Case(
      "@Attribute(hashModifier: \"y\") var x: Int", "var x: Int",
      .metadata(renaming, "S017_hashModifiersDistinguishSchemas")),
    "@Attribute(onConflict: .fail)": Case(
      "@Attribute(.unique, onConflict: .fail) var x: Int", "@Attribute(.unique) var x: Int", .metadata(upserts, meeting)
    ),
    "@Attribute(onConflict: .replace)": Case(
      "@Attribute(.unique, onConflict: .replace) var x: Int", "@Attribute(.unique, onConflict: .fail) var x: Int",
      .metadata(upserts, meeting)),
    "@Attribute(onConflict: .keep)": Case(
      "@Attribute(.unique, onConflict: .keep) var x: Int", "@Attribute(.unique) var x: Int", .metadata(upserts, meeting)
    ),
    "@Relationship(.ordered)": Case(
      "@Relationship(.ordered) var x: [B]", "var x: [B]",
      .metadata("Tests/RelationshipTests/Kinds/ListOrderTests.swift", "orderedListsKeepEveryPermutation")),
    "@Relationship(.unique)": Case(
      "@Relationship(.unique, inverse: nil) var x: B?", "@Relationship(inverse: nil) var x: B?",
      .metadata(upserts, meeting)),
    "@Relationship(deleteRule: .nullify)": Case(
      "@Relationship(deleteRule: .nullify) var x: [B]", "@Relationship(deleteRule: .cascade) var x: [B]",
      .metadata(denials, "S027_danglingReferencesReadAsNil")),
    "@Relationship(deleteRule: .cascade)": Case(
      "@Relationship(deleteRule: .cascade) var x: [B]", "var x: [B]",
      .metadata("Tests/RelationshipTests/Rules/CascadeTests.swift", "S025_cascadesReachTheWholeTree")),
    "@Relationship(deleteRule: .deny)": Case(
      "@Relationship(deleteRule: .deny) var x: [B]", "var x: [B]",
      .metadata(denials, "S026_denialsNameEveryBlockerAndEndWhenTheyAreGone")),
    "@Relationship(denyMessage:)": Case(
      "@Relationship(deleteRule: .deny, denyMessage: \"y\") var x: [B]", "@Relationship(deleteRule: .deny) var x: [B]",
      .metadata(denials, "S026_denialsNameEveryBlockerAndEndWhenTheyAreGone")),
    "@Relationship(deleteRule: .noAction)": Case(
      "@Relationship(deleteRule: .noAction) var x: [B]", "var x: [B]",
      .metadata(denials, "S027_danglingReferencesReadAsNil")),
    "@Relationship(minimumModelCount:)": Case(
      "@Relationship(minimumModelCount: 1) var x: [B]", "var x: [B]", .metadata(counts, "S030_countsAreEnforced")),
    "@Relationship(maximumModelCount:)": Case(
      "@Relationship(maximumModelCount: 2) var x: [B]", "var x: [B]", .metadata(counts, "S030_countsAreEnforced")),
    "@Relationship(originalName:)": Case(
      "@Relationship(originalName: \"y\") var x: [B]", "var x: [B]",
      .metadata(renaming, "S015_originalNamesKeepTheData")),
    "@Relationship(inverse:)": Case(
      "@Relationship(inverse: nil) var x: B?", "@Relationship(inverse: \\B.a) var x: B?",
      .metadata("Tests/ContextTests/Context/RelationshipTests.swift", "S025_cascadeDeletesWhatTheOwnerOwns")),
    "@Relationship(hashModifier:)": Case(
      "@Relationship(hashModifier: \"y\") var x: [B]", "var x: [B]",
      .metadata(renaming, "S017_hashModifiersDistinguishSchemas")),
    "#Unique(onConflict: .fail)": Case(
      "#Unique<A>([\\.x], onConflict: .fail); var x: Int", "#Unique<A>([\\.x]); var x: Int", .metadata(upserts, meeting)
    ),
    "#Unique(onConflict: .replace)": Case(
      "#Unique<A>([\\.x], onConflict: .replace); var x: Int", "#Unique<A>([\\.x], onConflict: .fail); var x: Int",
      .metadata(upserts, meeting)),
    "#Unique(onConflict: .keep)": Case(
      "#Unique<A>([\\.x], onConflict: .keep); var x: Int", "#Unique<A>([\\.x]); var x: Int", .metadata(upserts, meeting)
    ),
    "#Index(.binary)": Case(
      "#Index<A>(.binary([\\.x])); var x: Int", "var x: Int",
      .metadata("Tests/StoreTests/Storage/AttributeTests.swift", "S021_indexesDoNotChangeResults")),
    "#Index(.rtree)": Case("#Index<A>(.rtree([\\.x])); var x: Double", "var x: Double", .finding("IDX008")),
    "@Transient": Case("@Transient var x: Int = 0", "var x: Int = 0", .code),
  ]

  @Test func everyOptionIsClassified() {
    #expect(Set(LanguageOptions.all) == Set(Self.cases.keys))
    #expect(LanguageOptions.all.count == Self.cases.count)
  }

  @Test(arguments: cases.keys.sorted()) func anOptionHasAnEffectOrAFinding(_ option: String) throws {
    let item = try #require(Self.cases[option])
    let (with, without) = (Self.compile(item.with), Self.compile(item.without))
    switch item.effect {
    case .code:
      #expect(Self.code(item.with).members != Self.code(item.without).members)
    case .metadata(let file, let test):
      #expect(Self.code(item.with).metadata != Self.code(item.without).metadata)
      try Self.expect(test, in: file)
    case .silences(let code):
      #expect(!with.diagnostics.contains { $0.id.code == code })
      #expect(without.diagnostics.contains { $0.id.code == code })
    case .finding(let code):
      #expect(Self.findings(with).contains(code))
      #expect(!Self.findings(without).contains(code))
      return
    }
    #expect(!Self.findings(with).contains("TYP024") && !with.hasErrors)
  }

  private static func compile(_ member: String) -> SchemaCompilation {
    SchemaCompiler.compile([file(member)])
  }

  private static func file(_ member: String) -> SourceFile {
    SourceFile(
      path: "/p/App.schema",
      text: """
        schema App 1.0.0
        struct P: Codable { var a: Int }
        enum E: String, Codable { case a, b }
        @Model class B { var a: A? }
        @Model class A {
          \(member)
        }
        """)
  }

  private static func findings(_ compilation: SchemaCompilation) -> Set<String> {
    Set(
      SchemaLinter.lint(LintInput(compilation), LintSettings())
        .findings.map { $0.diagnostic.id.code })
  }

  /// Returns the lines of the generated metadata, and all other lines except the schema source.
  private static func code(_ member: String) -> (metadata: String, members: String) {
    let file = file(member)
    let compilation = SchemaCompiler.compile([file])
    let files = SchemaEmitter.emit(
      EmissionInput(
        schemas: compilation.schemas, files: [file], module: "App", target: "App",
        access: .internal, root: "/p"))
    let lines = files.filter { $0.name.hasPrefix("App+Models") || $0.name.hasPrefix("App+Codecs") }
      .flatMap { $0.text.split(separator: "\n").map(String.init) }
    let isMetadata = { (line: String) in line.contains("PropertyMetadata(") }
    return (
      lines.filter(isMetadata).joined(separator: "\n"), lines.filter { !isMetadata($0) }.joined(separator: "\n")
    )
  }

  private static func expect(_ test: String, in file: String) throws {
    let root = Repository.root
    let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    #expect(text.contains("func \(test)("), "\(file) has no \(test)")
  }
}
