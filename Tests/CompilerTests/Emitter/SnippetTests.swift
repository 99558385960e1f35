import SchemaEmitter
import Testing

/// Tests of the Swift code that is generated from a few lines of schema.
struct SnippetTests {
  @Test func attributesAreTrackedBySlot() {
    let text = emitted("@Model class Trip { var a: Int\n var `class`: String? }")
    #expect(
      declaration("var `class`", in: text) == """
        var `class`: String? {
          get { if _$state.isTracking { _$track(1) }; return _$values.`class` }
          @inline(never) set { if _$willSet(1) { _$values.`class` = newValue; _$didSet(1) } }
        }
        """)
  }

  /// An unqualified name refers first to a member, a nested type or one of the target's own types.
  @Test func namesDeclaredByTheSchemaAreModuleQualified() {
    let text = emitted(
      """
      @Model class Trip { var at: Date; var text: String; var kind: Kind?; var all: [Root] = []
        enum Data { case a } }
      struct Schema: Codable { var x: Int }
      enum Kind: String, Codable { case Date }
      @Model class Root { var photo: Data; var trip: Trip? }
      """)
    #expect(text.contains("var at: Foundation::Date {") && text.contains("var text: String {"))
    #expect(text.contains("var photo: Foundation::Data {"))
    #expect(text.contains("[Trellis::Schema.PropertyMetadata]") && text.contains(": PersistentModel {"))
    #expect(text.contains("var kind: Kind? {") && text.contains("var all: [App::Root] {"))
    let other = emitted(
      "@Model class Trip { var key: UUID; var at: Date; var next: Trip? }", declares: ["UUID", "Trip"])
    #expect(other.contains("var key: Foundation::UUID {") && other.contains("var at: Date {"))
    #expect(other.contains("var next: App::Trip? {"))
  }

  /// If the target has a file `Date.swift`, that file probably declares a type `Date`. A file `Trip.swift` probably
  /// extends the model.
  @Test func importedTypesNamedLikeASwiftFileAreModuleQualified() {
    let text = emitted(
      "@Model class Trip { var key: UUID; var at: Date; var next: Trip? }", swiftFiles: ["Date", "Trip", "main"])
    #expect(text.contains("var at: Foundation::Date {") && text.contains("var key: UUID {"))
    #expect(text.contains("var next: Trip? {"))
  }

  /// For a model with ten attributes, the generated models and codecs have at most 200 lines in total.
  @Test func tenAttributesTakeAtMostTwoHundredLines() {
    let types = ["String", "Int", "Date", "Double", "Bool", "UUID", "String?", "[String]", "Data", "Decimal"]
    let names = ["title", "number", "createdAt", "weight", "isOpen", "token", "notes", "labels", "image", "price"]
    let schema = "@Model class Item { " + zip(names, types).map { "var \($0): \($1)" }.joined(separator: "; ") + " }"
    let lines = ["App+Models.swift", "App+Codecs.swift"].map { file in
      emitted(schema, access: .public, file: file).utf8.count { $0 == UInt8(ascii: "\n") }
    }
    #expect(lines.reduce(0, +) <= 200, "\(lines)")
  }

  /// Only the class itself can refer to a private relationship by name.
  @Test(arguments: [
    ("private", "private", ["A._$path_b", "B._$path_a"]), ("private", "", ["A._$path_b", "\\B.a"]),
    ("fileprivate", "private", ["\\A.b", "B._$path_a"]), ("", "", ["\\A.b", "\\B.a"]),
  ]) func everyInverseHasAName(_ a: String, _ b: String, _ inverses: [String]) {
    let text = emitted(
      "@Model class A { \(a) var b: B? }\n@Model class B { @Relationship(inverse: \\A.b) \(b) var a: A? }")
    for inverse in inverses { #expect(text.contains("inverse: \(inverse))"), "\(text)") }
    #expect(text.contains("static var _$path_b: AnyKeyPath {") == !a.isEmpty)
    #expect(text.contains("static var _$path_a: AnyKeyPath {") == !b.isEmpty)
  }

  @Test func toOneAndToManyRelationshipsAreNumberedSeparately() {
    let text = emitted(
      """
      @Model class Trip { var name: String; var stops: [Stop] = []; var last: Stop?; var all: [Guest]? }
      @Model class Stop { @Relationship(inverse: \\Trip.stops) var trip: Trip?
        @Relationship(inverse: \\Trip.last) var ended: [Trip] = [] }
      @Model class Guest { @Relationship(inverse: \\Trip.all) var trip: Trip }
      """)
    #expect(text.contains("get { _$toMany(0, \\Trip.stops) }"))
    #expect(text.contains("get { _$toOne(1, \\Trip.last) }"))
    #expect(text.contains("get { _$optionalToMany(1, \\Trip.all) }"))
    #expect(text.contains("get { _$requiredToOne(0, \\Guest.trip) }"))
  }

  @Test func bothSidesOfAManyToManyRelationshipNameEachOther() {
    let text = emitted(
      """
      @Model class A { @Relationship(deleteRule: .cascade, inverse: \\B.a) var b: [B] = [] }
      @Model class B { var a: A? }
      """)
    #expect(text.contains("Relationship(deleteRule: .cascade, inverse: \\B.a)"))
    #expect(text.contains("Relationship(inverse: \\A.b)"))
  }

  @Test func uniqueMacrosWithAPolicyBecomeConstraints() {
    let text = emitted(
      "@Model class A { @Attribute(.unique) var x: Int\n @Attribute(.unique, onConflict: .fail) var y: Int }")
    #expect(!text.contains("Unique<A>([\\.x]"))
    #expect(text.contains("PropertyMetadata(constraint: Schema.Unique<A>([\\.y], onConflict: .fail)),"))
  }

  @Test func aCarriedInitialiserReplacesTheMemberwiseOne() {
    let text = emitted(
      "@Model class A {\n  var x: Int\n  var y = 2\n  init(x: Int) { self.x = x }\n}", access: .public)
    #expect(
      declaration("#sourceLocation(file: \"App.schema\", line: 5)", in: text)
        == "#sourceLocation(file: \"App.schema\", line: 5)")
    #expect(
      declaration("public init(x: Int)", in: text)
        == "public init(x: Int) { _$values = A._$initialValues(); self.x = x }")
    #expect(
      declaration("private static func _$initialValues", in: text) == """
        private static func _$initialValues() -> A.Snapshot {
          var values = A.Snapshot(placeholder: A._$definition.temporaryIdentifier())
          values.y = 2
          return values
        }
        """)
  }

  @Test func publicStructsGetAMemberwiseInitialiser() {
    let schema = "struct S: Codable {\n  var a: Int\n  private func f() {}\n}\n@Model class M { var s: S }"
    #expect(!emitted(schema).contains("init(a:"))
    let open = emitted("struct S: Codable {\n  var a: Int\n}\n@Model class M { var s: S }", access: .public)
    #expect(
      declaration("public init(a:", in: open) == """
        public init(a: Int) {
          self.a = a
        }
        """ || open.contains("public init(a: Int) { self.a = a }"))
  }

  @Test func subclassesStoreTheirOwnValues() {
    let schema = "@Model class A { var x: Int }\n@Model class B: A { var y: String }"
    let models = emitted(schema)
    #expect(models.contains("nonisolated final class B: A {"))
    #expect(models.contains("if _$willSet(1) {"))
    #expect(
      declaration("init(x: Int, y", in: models) == """
        init(x: Int, y: String) {
          _$own_B = B.Snapshot.OwnValues(y: y)
          super.init(_$values: A.Snapshot(persistentIdentifier: B._$definition.temporaryIdentifier(), x: x))
        }
        """)
    let codecs = emitted(schema, file: "App+Codecs.swift")
    #expect(codecs.contains("var base: A.Snapshot"))
    #expect(codecs.contains("var own: B.Snapshot.OwnValues"))
  }

  @Test func opaqueTypesAreCheckedAtTheirSourceLine() {
    let text = emitted("@Model class A {\n  var x: Int\n  @Attribute(.codable) var w: Weather = Weather()\n}")
    #expect(
      text.contains(
        """
          #sourceLocation(file: "App.schema", line: 4)
          private static func _$check_w() {
            GeneratedCode1.unisolated { GeneratedCode1.requireCodable(Weather.self, Weather.self) }
          }
          #sourceLocation()
        """))
    #expect(
      emitted("@Model class A {\n  @Attribute(.codable) var w: Weather = Weather()\n}", file: "App+Codecs.swift")
        .contains("w: try GeneratedCode1.read(&row) { row in try row.codable(0) }"))
  }

  @Test func computedDefaultValuesBecomeFunctionsAtTheirSourceLine() {
    let text = emitted(
      "@Model class A {\n  var x: Int = f(\n    1)\n  var y = Date.now\n  var z: Int = -1\n}",
      access: .public)
    #expect(
      text.contains(
        """
          #sourceLocation(file: "App.schema", line: 3)
          public static func _$default_x() -> Int { f(
            1) }
          #sourceLocation()
        """))
    #expect(text.contains("x: Int = A._$default_x(), y: Date = Date.now,"))
    #expect(text.contains("keypath: \\A.x, defaultValue: A._$default_x())"))
    #expect(text.contains("keypath: \\A.z, defaultValue: (-1 as Int))"))
  }

  @Test func subclassesUsePrivateMetadataOfTheSuperclass() {
    let text = emitted(
      "@Model class A { private var x: Int = 1 }\n@Model class B: A { var y: Int }")
    #expect(
      declaration("static func _$metadata_x", in: text) == """
        static func _$metadata_x<_$Model: A>(_ type: _$Model.Type) -> Schema.PropertyMetadata {
          Schema.PropertyMetadata(name: "x", keypath: \\_$Model.x, defaultValue: (1 as Int))
        }
        """)
    #expect(text.contains("A._$metadata_x(B.self),"))
  }

  @Test func subclassAssignmentsBeforeSuperInitAreDeferred() {
    let text = emitted(
      """
      @Model class A { var a: Int; init(a: Int) { self.a = a } }
      @Model class B: A {
        var level: Int = 1; var text = ""; var list: [C]; var one: C?
        init(list: [C]) { self.list = list; self.level = 2; super.init(a: 1) }
        init() { super.init(a: 1) }
      }
      @Model class C { @Relationship(inverse: \\B.list) var b: B?
        @Relationship(inverse: \\B.one) var many: [B] }
      """)
    #expect(
      text.contains(
        "{ _$own_B = B._$initialValues(); self.list = list; self.level = 2; super.init(a: 1); _$linkPending() }"
      ))
    #expect(
      text.contains(
        "init() { _$own_B = B._$initialValues(); _$token_level = GeneratedCode1.Token(); _$pending_list = nil; super.init(a: 1); _$linkPending() }"
      ))
    #expect(text.contains("private var _$pending_list: [C]?"))
    #expect(!text.contains("_$pending_one"))
    #expect(!text.contains("_$token_text"))
  }

  @Test func deinitialisersAreMergedWithTheGeneratedOne() {
    let text = emitted("@Model class A { var x: Int\n deinit { print(1) }\n }")
    #expect(text.contains("deinit { defer { _$state.close(_$values._$identifier) }; print(1) }"))
    #expect(text.split(separator: "deinit").count == 2)
  }

  @Test func importsAreCopiedVerbatim() {
    let text = emitted("public import Contacts\n@preconcurrency import Photos\n@Model class A { var x: Int }")
    #expect(text.contains("  public import Contacts\n"))
    #expect(text.contains("  @preconcurrency import Photos\n"))
  }

  @Test func codedFormsAndFieldsAreEmittedIfPresent() {
    let text = emitted(
      #"""
      struct Money: Codable { var amount: Int; enum CodingKeys: String, CodingKey { case amount = "a\"" } }
      struct Plain: Codable { var money: Money?; var text: String }
      @Model class A { var text: String; var plain: Plain; @Attribute(.codable) var money: Money }
      """#)
    #expect(text.contains("keypath: \\A.text)"))
    #expect(
      text.contains(
        #"keypath: \A.plain, metadata: Schema.Attribute()._$coded("Money(amount=a\")")._$fields("Plain;"#))
    #expect(
      text.contains(
        #"\A.money, metadata: Schema.Attribute(.codable)._$coded("Money(amount=a\")")._$fields("Money;Money(a\"=Int)"))"#
      ))
    let plain = emitted("struct P: Codable { var x: Int }\n@Model class A { var p: P }")
    #expect(plain.contains(#"metadata: Schema.Attribute()._$fields("P;P(x=Int)"))"#) && !plain.contains("_$coded"))
  }

  @Test func outputIsDeterministic() {
    let schema = "@Model class A { var x: Int; var d: [String: Int] = [:] }"
    #expect(emitted(schema) == emitted(schema))
  }
}
