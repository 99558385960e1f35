import SchemaEmitter
import Testing

/// A few lines of schema beside the Swift they become.
struct SnippetTests {
  @Test func anAttributeIsTrackedAndRemembersItsSlot() {
    let text = emitted("@Model class Trip { var a: Int\n var `class`: String? }")
    #expect(
      declaration("var `class`", in: text) == """
        var `class`: Swift::String? {
          get {
            if _$state.isTracking { _$track(\\App::Trip.`class`) }
            return _$values.`class`
          }
          set {
            guard _$willSet(1, \\App::Trip.`class`) else { return }
            _$values.`class` = newValue
            _$didSet(\\App::Trip.`class`)
          }
        }
        """)
  }

  @Test func relationshipsHaveTwoNumberSpaces() {
    let text = emitted(
      """
      @Model class Trip { var name: String; var stops: [Stop] = []; var last: Stop?; var all: [Guest]? }
      @Model class Stop { @Relationship(inverse: \\Trip.stops) var trip: Trip?
        @Relationship(inverse: \\Trip.last) var ended: [Trip] = [] }
      @Model class Guest { @Relationship(inverse: \\Trip.all) var trip: Trip }
      """)
    #expect(text.contains("get { _$toMany(0, \\App::Trip.stops) }"))
    #expect(text.contains("get { _$toOne(1, \\App::Trip.last) }"))
    #expect(text.contains("get { _$optionalToMany(1, \\App::Trip.all) }"))
    #expect(text.contains("get { _$requiredToOne(0, \\App::Guest.trip) }"))
  }

  @Test func bothSidesOfAPairNameTheOther() {
    let text = emitted(
      """
      @Model class A { @Relationship(deleteRule: .cascade, inverse: \\B.a) var b: [B] = [] }
      @Model class B { var a: A? }
      """)
    #expect(text.contains("Relationship(deleteRule: .cascade, inverse: \\App::B.a)"))
    #expect(text.contains("Relationship(inverse: \\App::A.b)"))
  }

  @Test func uniquesWithAPolicyAreConstraints() {
    let text = emitted(
      "@Model class A { @Attribute(.unique) var x: Int\n @Attribute(.unique, onConflict: .fail) var y: Int }")
    #expect(!text.contains("Unique<App::A>([\\.x]"))
    #expect(text.contains("PropertyMetadata(constraint: Trellis::Schema.Unique<App::A>([\\.y], onConflict: .fail)),"))
  }

  @Test func aCarriedInitialiserReplacesTheMemberwiseOne() {
    let text = emitted(
      "@Model class A {\n  var x: Int\n  var y = 2\n  init(x: Int) { self.x = x }\n}", access: .public)
    #expect(
      declaration("#sourceLocation(file: \"App.schema\", line: 5)", in: text)
        == "#sourceLocation(file: \"App.schema\", line: 5)")
    #expect(
      declaration("public init(x: Int)", in: text)
        == "public init(x: Int) { _$values = App::A._$initialValues(); self.x = x }")
    #expect(
      declaration("private static func _$initialValues", in: text) == """
        private static func _$initialValues() -> App::A.Snapshot {
          var values = App::A.Snapshot(placeholder: App::A._$definition.temporaryIdentifier())
          values.y = 2
          return values
        }
        """)
  }

  @Test func aStructGetsAMemberwiseInitialiserWhenItIsPublic() {
    let schema = "struct S: Codable {\n  var a: Int\n  private func f() {}\n}\n@Model class M { var s: S }"
    #expect(!emitted(schema).contains("init(a:"))
    let open = emitted("struct S: Codable {\n  var a: Int\n}\n@Model class M { var s: S }", access: .public)
    #expect(
      declaration("public init(a:", in: open) == """
        public init(a: Swift::Int) {
          self.a = a
        }
        """ || open.contains("public init(a: Swift::Int) { self.a = a }"))
  }

  @Test func aSubclassKeepsItsOwnValues() {
    let schema = "@Model class A { var x: Int }\n@Model class B: A { var y: String }"
    let models = emitted(schema)
    #expect(models.contains("nonisolated final class B: App::A {"))
    #expect(models.contains("guard _$willSet(1, \\App::B.y) else { return }"))
    #expect(
      declaration("init(x: Swift::Int, y", in: models) == """
        init(x: Swift::Int, y: Swift::String) {
          _$own_B = App::B.Snapshot.OwnValues(y: y)
          super.init(_$values: App::A.Snapshot(
            persistentIdentifier: App::B._$definition.temporaryIdentifier(),
            x: x
          ))
        }
        """)
    let codecs = emitted(schema, file: "App+Codecs.swift")
    #expect(codecs.contains("var base: App::A.Snapshot"))
    #expect(codecs.contains("var own: App::B.Snapshot.OwnValues"))
  }

  @Test func opaqueTypesAreCheckedAtTheirLine() {
    let text = emitted("@Model class A {\n  var x: Int\n  @Attribute(.codable) var w: Weather\n}")
    #expect(
      text.contains(
        """
          #sourceLocation(file: "App.schema", line: 4)
          private static func _$check_w() { Trellis::requireCodable(Weather.self) }
          #sourceLocation()
        """))
    #expect(emitted("@Model class A {\n  @Attribute(.codable) var w: Weather\n}", file: "App+Codecs.swift")
      .contains("self.w = try row.codable(0)"))
  }

  @Test func outputIsTheSameEveryTime() {
    let schema = "@Model class A { var x: Int; var d: [String: Int] = [:] }"
    #expect(emitted(schema) == emitted(schema))
  }
}
