import TestSupport
import Testing

@testable import MacroExpansion

/// Tests of the expansion of `@Model` and the macros that it attaches.
@Suite struct ModelMacroTests {
  /// Returns the message that the compiler sends for one role of a macro.
  private static func request(
    _ declaration: String, _ role: String, inside header: String? = nil, conformances: String? = nil,
    attribute: String = "@Model", of model: String? = nil
  ) -> AttachedRequest {
    func syntax(_ text: String, line: Int? = nil) -> SourceSyntax {
      SourceSyntax(source: text, location: .init(fileName: "/a/Trip.swift", offset: 0, line: line))
    }
    return AttachedRequest(
      macro: MacroReference(moduleName: "TrellisMacros", typeName: "", name: ""), macroRole: role,
      attributeSyntax: syntax(attribute), declSyntax: syntax(declaration, line: 3),
      parentDeclSyntax: model.map { syntax($0) }, extendedTypeSyntax: syntax("Trip"),
      conformanceListSyntax: conformances.map { syntax("struct Placeholder: \($0) {}") },
      lexicalContext: header.map { [syntax($0)] })
  }

  @Test func rootWithoutSuperclass() throws {
    let expansion = try ModelMacro.expansion(
      Self.request(
        "@Model public class Trip { var name: String; init() {} }", "member", conformances: "PersistentModel"))
    #expect(
      expansion == """
        @exclusivity(unchecked) public nonisolated(unsafe) final var _$state = Trellis::ModelState()
        private typealias _$Plugin = _$AddThePluginGenerateModelsToTheTarget
        @exclusivity(unchecked) public nonisolated(unsafe) final var _$own_Trip: Trip.Snapshot
        final var _$pending_Trip: [(Trip) -> Swift::Void] = []
        public nonisolated final var _$values: Trip.Snapshot {
          get { _$own_Trip }
          _modify { yield &_$own_Trip }
        }
        public nonisolated init(_$values values: Trip.Snapshot) {
          _$own_Trip = values
        }
        public nonisolated required init(backingData: any Trellis::BackingData<Trip>) {
          _$own_Trip = Trip._$definition.values(of: backingData)
        }
        deinit { _$state.close(_$values._$identifier) }
        public nonisolated class var _$definition: Trellis::ModelDefinition { _$definition_Trip }
        public nonisolated class var schemaMetadata: [Trellis::Schema.PropertyMetadata] {
          Trellis::GeneratedCode1.unisolated { _$metadata_Trip }
        }
        """)
  }

  /// Swift cannot type-check a closure with a capture list if the closure is directly in an expanded body.
  @Test(arguments: [
    ("f = { [weak self] in self?.a = 1 }", "f = ({ { [weak self] in self?.a = 1 } })()"),
    ("g { [a] (x: Int) in a + x }", "({ () -> Void in g { [a] (x: Int) in a + x } })()"),
    ("n = try await g(x) { [a] in a }.b + 1; h()", "n = try await ({ try await g(x) { [a] in a }.b + 1 })(); h()"),
    ("n = try? g { [a] in a }", "n = ({ try? g { [a] in a } })()"),
    ("n += g(1, x: { [a] in a })[2]", "n += ({ g(1, x: { [a] in a })[2] })()"),
    ("if a, b.c({ [d] in d }) { e() }", "if a, ({ b.c({ [d] in d }) })() { e() }"),
    (
      "for x in b.c({ [d] in d }) { e { [x] in x } }",
      "for x in ({ b.c({ [d] in d }) })() { ({ () -> Void in e { [x] in x } })() }"
    ),
    ("for x in b.c({ [d] in d }) where e { }", "for x in ({ b.c({ [d] in d }) })() where e { }"),
    (
      "let x = if a { b { [c] in c } } else { d { [e] in e } }",
      "let x = if a { ({ b { [c] in c } })() } else { ({ d { [e] in e } })() }"
    ),
    (
      "let x = switch a { case 1: 1; default: b { [c] in c } }",
      "let x = switch a { case 1: 1; default: ({ b { [c] in c } })() }"
    ),
    ("if a { b = 1; c { [d] in d } }", "if a { b = 1; ({ () -> Void in c { [d] in d } })() }"),
    ("guard let x = b.c({ [d] in d }) else { return }", "guard let x = ({ b.c({ [d] in d }) })() else { return }"),
    ("a.catch { [b] c in c }.do { [d] in d }", "({ () -> Void in a.catch { [b] c in c }.do { [d] in d } })()"),
    ("a { b } in: { [c] in c } where: { d }", "({ () -> Void in a { b } in: { [c] in c } where: { d } })()"),
    ("a { [b]\n in b }", "({ () -> Void in a { [b]\n in b } })()"),
    (#"a = "{[\(b)]}""#, #"a = "{[\(b)]}""#),
    (##"a = #"\#(b { "\(c { [d] in d })" })"#"##, ##"a = ({ #"\#(b { "\(c { [d] in d })" })"# })()"##),
    ("let x = a ? b : c { [d] in d }", "let x = ({ a ? b : c { [d] in d } })()"),
    (#"a("b \(c { [d] in d })")"#, #"({ () -> Void in a("b \(c { [d] in d })") })()"#),
    ("a { b } c: { [d] in d }", "({ () -> Void in a { b } c: { [d] in d } })()"),
    (
      "switch a { case .b where c: d { [e] in e }; default: d { [f] in f } }",
      "switch a { case .b where c: ({ () -> Void in d { [e] in e } })(); default: ({ () -> Void in d { [f] in f } })() }"
    ),
    ("a { [b] in b } c: { [d] in d }", "({ () -> Void in a { [b] in b } c: { [d] in d } })()"),
    (
      "a\n  .b { [c] in c }\n  .d { [e] in e }\nf()",
      "({ () -> Void in a\n  .b { [c] in c }\n  .d { [e] in e } })()\nf()"
    ),
    (
      "super.init(a: 1, b: { [c] in c })",
      "super.init(a: 1, b: ({ { [c] in c } })()); for link in _$pending_Trip { link(self) }; _$pending_Trip = []"
    ),
    ("a { b in c { [b] in b } }", "a { b in c { [b] in b } }"),
    ("func a() { b { [c] in c } }", "func a() { b { [c] in c } }"),
    ("f = { [1, 2].count }", "f = { [1, 2].count }"), ("f = { [1][0] }", "f = { [1][0] }"),
    ("if a { [b, c].forEach { d($0) } }", "if a { [b, c].forEach { d($0) } }"), ("", ""),
  ])
  func captureLists(body: String, expected: String) throws {
    let expansion = try ModelBodyMacro.initializer(Self.request("init() { \(body) }", "body", inside: "class Trip"))
    #expect(expansion.contains("\n \(expected) \n#sourceLocation()"))
  }

  /// Missing or extra brackets in a body do not stop the macro.
  @Test func damagedCaptureLists() throws {
    let seed = SeededGenerator.seed(otherwise: 1)
    var random = SeededGenerator(seed: seed)
    let sample = Array(
      """
      f(a, b: { [c] in d }) { e }
      if let x = try g({ [h] in x }), i { j { [k] (l) in m } n: { o } }
      switch p { case .q where r: s { [t] in }; default: u = [v: { [w] in }] }; super.init(x: { [y] in z })
      """.utf8)
    for _ in 0..<Repetitions.scaled(1_500) {
      var body = sample
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<body.count, using: &random)
        if Bool.random(using: &random) {
          body.remove(at: place)
        } else {
          body.insert(Array("{}()[],:;=\n\"".utf8).shuffled(using: &random)[0], at: place)
        }
      }
      let text = String(decoding: body, as: UTF8.self)
      let expansion = try ModelBodyMacro.initializer(Self.request("init() {\(text)}", "body", inside: "class Trip: A"))
      #expect(expansion.isEmpty || expansion.hasPrefix("{"), "seed \(seed)")
    }
  }

  /// If a model states the conformance, the compiler does not request it. The macro generates the same members either
  /// way.
  @Test(arguments: ["PersistentModel", "Trellis.PersistentModel", "SwiftData::PersistentModel"])
  func statedConformance(_ name: String) throws {
    let declaration = "class Trip%: { var name: String; init() {} }"
    #expect(
      try ModelMacro.expansion(
        Self.request(declaration.replacing("%:", with: ": \(name)"), "member", conformances: nil))
        == ModelMacro.expansion(
          Self.request(declaration.replacing("%:", with: ""), "member", conformances: "PersistentModel")))
    let protocols = try ModelMacro.expansion(
      Self.request(declaration.replacing("%:", with: ": \(name), Named"), "member", conformances: nil))
    #expect(!protocols.contains("_$blankValues_Trip") && !protocols.contains("override"))
  }

  /// The names after the colon do not show whether one of them is a class, but the initializers do.
  @Test(arguments: [
    ("class A { var x = 1; init() {} }", false), ("class A: Named { var x = 1; init() {} }", false),
    ("class A: B { var x = 1 }", true), ("class A: B { convenience init(x: Int) { self.init() } }", true),
    ("class A: B { init(x: Int) { super.init(y: x) } }", true),
    ("class A: B { required init() { fatalError() }\n@Noted public override init?(x: Int) { super.init() } }", true),
    ("class A: Named { init() {}\nclass C: D { init() { super.init() } } }", false),
    ("class A: Named {\n#if os(iOS)\ninit() { super.init() }\n#else\ninit() {}\n#endif\n}", false),
  ]) func superclasses(_ model: String, _ hasSuperclass: Bool) throws {
    let arguments = hasSuperclass ? "(hasSuperclass: true)" : ""
    for (member, attribute) in [("var x = 1", "@_PersistedProperty"), ("init() {}", "@_ModelInitializer")] {
      let request = Self.request(member, "memberAttribute", of: "@Model " + model)
      #expect(try ModelMacro.expansion(request) == attribute + arguments)
    }
    let members = try ModelMacro.expansion(Self.request("@Model " + model, "member"))
    #expect(members.contains("_$blankValues_A") == hasSuperclass)
  }

  @Test func subclass() throws {
    let expansion = try ModelMacro.expansion(
      Self.request(
        """
        @Model final class Flight: Trip {
          var airline: String
          @Transient var cache = 1
          @Attribute(.unique)
          private var number: Int = 1; static var shared = 2
          var title: String { airline }
          #if os(iOS)
          var image: Data?
          #else
          var picture: Data?
          #endif
          deinit { print(airline) }
        }
        """, "member"))
    #expect(
      expansion == """
        private typealias _$Plugin = _$AddThePluginGenerateModelsToTheTarget
        @exclusivity(unchecked) nonisolated(unsafe) final var _$own_Flight: Flight.Snapshot.OwnValues = Flight._$blankValues_Flight
        final var _$pending_Flight: [(Flight) -> Swift::Void] = []
        nonisolated init(_$values values: Flight.Snapshot) {
          _$own_Flight = values.own
          _$assigned_airline = ()
          _$assigned_number = ()
          _$assigned_picture = ()
          super.init(_$values: values.base)
        }
        nonisolated required init(backingData: any Trellis::BackingData<Root>) {
          let values: Flight.Snapshot = Flight._$definition.values(of: backingData)
          _$own_Flight = values.own
          _$assigned_airline = ()
          _$assigned_number = ()
          _$assigned_picture = ()
          super.init(_$values: values.base)
        }
        nonisolated override class var _$definition: Trellis::ModelDefinition { _$definition_Flight }
        nonisolated override class var schemaMetadata: [Trellis::Schema.PropertyMetadata] {
          Trellis::GeneratedCode1.unisolated { _$metadata_Flight }
        }
        """)
  }

  @Test func conformance() throws {
    #expect(
      try ModelMacro.expansion(Self.request("class Trip {}", "extension", conformances: "PersistentModel"))
        == "nonisolated extension Trip: Trellis::PersistentModel {}")
    #expect(try ModelMacro.expansion(Self.request("class Flight: Trip {}", "extension")).isEmpty)
    #expect(
      try ModelMacro.expansion(Self.request("class Flight: Trip {}", "extension", conformances: "Sendable")).isEmpty)
    #expect(
      try ModelMacro.expansion(
        Self.request("@dynamicCallable class Trip {}", "extension", conformances: "PersistentModel, Sendable")) == """
          nonisolated extension Trip: Trellis::PersistentModel {}
          @available(*, unavailable, message: "models belong to their context: send persistentModelID or a snapshot instead")
          extension Trip: @unchecked Swift::Sendable {}
          """)
  }

  @Test(arguments: [
    ("var name: String", "@_PersistedProperty"), ("private(set) var name: String = \"\"", "@_PersistedProperty"),
    ("@Attribute(.unique) public var name: String", "@_PersistedProperty"),
    ("var name = \"\" { didSet { print(name) } }", "@_PersistedProperty"),
    ("var name: String { willSet {} }", "@_PersistedProperty"), ("var make: () -> Int = { 3 }", "@_PersistedProperty"),
    ("var list = [1, 2].map { $0 }", "@_PersistedProperty"), ("@SwiftData.Attribute var a: Int", "@_PersistedProperty"),
    ("@Transient var cache: Int = 1", ""), ("var title: String { name }", ""),
    ("var title: String { get { name } set { name = newValue } }", ""), ("static var shared = 1", ""),
    ("class var shared: Int { 1 }", ""), ("lazy var sum = 1", ""),
    ("let id = 1", "@_PersistedProperty"), ("private let id: Int", "@_PersistedProperty"), ("static let id = 1", ""),
    ("@Transient let id = 1", ""), ("func f() { var x = 1 }", ""),
    ("init(name: String) {}", "@_ModelInitializer"), ("public override init() { super.init() }", "@_ModelInitializer"),
    ("required init?(text: String) {}", "@_ModelInitializer"), ("convenience init() { self.init(name: \"\") }", ""),
    ("deinit { print(1) }", "@_ModelDeinitializer"), ("enum Kind { case a }", ""), ("#Unique<Trip>([\\.name])", ""),
  ]) func attributes(_ member: String, _ attribute: String) throws {
    #expect(try ModelMacro.expansion(Self.request(member, "memberAttribute")) == attribute)
  }

  @Test func accessors() throws {
    #expect(
      try ModelPropertyMacro.expansion(Self.request("var name: String", "accessor", inside: "@Model class Trip {}"))
        == """
        get { _$property_name }
        set { _$property_name = newValue }
        """)
    #expect(
      try ModelPropertyMacro.expansion(
        Self.request(
          "var name: String", "accessor", inside: "@Model class Flight: Trip {}",
          attribute: "@_PersistedProperty(hasSuperclass: true)")) == """
          @storageRestrictions(initializes: _$assigned_name, accesses: _$own_Flight, _$pending_Flight)
          init {
            Flight._$initialize_name(&_$own_Flight, &_$pending_Flight, newValue)
            _$assigned_name = ()
          }
          get { _$property_name }
          set { _$property_name = newValue }
          """)
  }

  private static func defaultValue(_ name: String, _ type: String, _ value: String) -> String {
    """
    nonisolated static func _$default_\(name)() -> \(type) {
      Trellis::GeneratedCode1.unisolated { \(value) }
    }
    """
  }

  @Test(arguments: [
    ("var name: String", ""), ("var days: Int = 3", defaultValue("days", "Int", "3")),
    (
      "var id = UUID()",
      "nonisolated static let _$default_id = Trellis::GeneratedCode1.unisolatedFunction {\n  UUID()\n}"
    ),
    ("var a: [String: Int] = [:] { didSet { x() } }", defaultValue("a", "[String: Int]", "[:]")),
    ("var make: () -> Int = { 3 }", defaultValue("make", "() -> Int", "{ 3 }")),
    ("private var days: Int", "static var _$path_days: Swift::KeyPath<Trip, Int> { \\Trip.days }"),
    ("let `in`: Int = 1", defaultValue("in", "Int", "1")),
  ]) func peers(_ property: String, _ peers: String) throws {
    #expect(
      try ModelPropertyMacro.expansion(Self.request(property, "peer", inside: "@Model class Trip {}")) == peers)
  }

  /// The default value of a public property of a public class is public.
  @Test(arguments: [
    ("public class Trip {}", "public var days: Int = 3", "public "), ("public class Trip {}", "var days: Int = 3", ""),
    ("open class Trip {}", "public private(set) var days: Int = 3", "public "),
    ("class Trip {}", "public var days: Int = 3", ""),
    ("package class Trip {}", "public var days: Int = 3", "package "),
    ("public class Trip {}", "package var days: Int = 3", "package "),
  ]) func accessOfDefaults(_ model: String, _ property: String, _ access: String) throws {
    #expect(
      try ModelPropertyMacro.expansion(Self.request(property, "peer", inside: model))
        == access + Self.defaultValue("days", "Int", "3"))
  }

  @Test func initializers() throws {
    let source = "@Model init(name: String)\n  throws {\n  self.name = name\n}"
    #expect(
      try ModelBodyMacro.initializer(Self.request(source, "body", inside: "@Model class Trip {}")) == """
        {
        _$own_Trip = Trip._$initialValues_Trip(Self._$definition)
        #sourceLocation(file: "/a/Trip.swift", line: 4)

          self.name = name

        #sourceLocation()
        }
        """)
    let subclass = "init(a: Int) { if a > 1 { super.init(x: [a]) } else { super.init() }; print(a) }"
    let expansion = try ModelBodyMacro.initializer(
      Self.request(
        subclass, "body", inside: "class Flight: Trip {}", attribute: "@_ModelInitializer(hasSuperclass: true)"))
    #expect(expansion.contains("\nFlight._$begin_Flight(&_$own_Flight, Self._$definition)\n"))
    let link = "; for link in _$pending_Flight { link(self) }; _$pending_Flight = []"
    #expect(expansion.contains("{ super.init(x: [a])\(link) } else { super.init()\(link) }; print(a)"))
  }

  @Test func deinitializer() throws {
    #expect(
      try ModelBodyMacro.deinitializer(Self.request("deinit { print(name) }", "body", inside: "class Trip {}"))
        .contains("defer { _$state.close(_$values._$identifier) }\n"))
  }

  @Test func otherTypes() throws {
    let source = "@Model struct Trip {}"
    let error = try #require(throws: MacroError.self) { try ModelMacro.expansion(Self.request(source, "member")) }
    #expect(error.message == "'@Model' needs a class; write 'class' instead of 'struct'")
    #expect(String(decoding: Array(source.utf8)[error.range], as: UTF8.self) == "struct")
  }

  /// Swift's own error would name an initializer from the macro. SwiftData's macro reports the same error.
  @Test(arguments: [
    ("class Trip { var name = String.init() }", false), ("class Trip {\n#if DEBUG\ninit() {}\n#endif\n}", true),
    ("class Trip { convenience init() { self.init(name: 1) } }", true),
    ("class Trip { struct A { init() {} } }", false),
  ])
  func aModelNeedsAnInitializer(model: String, hasOne: Bool) throws {
    let request = Self.request("@Model \(model)", "member", conformances: "PersistentModel")
    let error = Result { try ModelMacro.expansion(request) }.failure as? MacroError
    #expect(error?.message == (hasOne ? nil : "'@Model' needs an initializer in 'Trip'"))
    _ = try ModelMacro.expansion(Self.request("@Model class Trip: Base {}", "member"))
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
