import Testing

/// Annotated schemas with diagnostics about types.
@Suite struct TypeFixtureTests {
  @Test func unknownTypes() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Trip {
          var a: Sting
      //         ^~~~~ error[TYP001]: unknown type 'Sting'
          var b: bool
      //         ^~~~ error[TYP001]: unknown type 'bool'
          var c: Trp?
      //         ^~~ error[TYP001]: unknown type 'Trp'
          var d: [Datte] = []
      //          ^~~~~ error[TYP001]: unknown type 'Datte'
          @Transient var e: Trp?
          @Attribute(.codable) var f: Trpi?
        }
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class Trip {
            var a: String
            var b: Bool
            var c: Trip?
            var d: [Date] = []
            @Transient var e: Trp?
            @Attribute(.codable) var f: Trpi?
          }
        """#)
  }

  @Test func opaqueTypes() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Trip {
          var a: CGFloat
      //         ^~~~~~~ warning[TYP013]: type 'CGFloat' is not declared in the schema, so its values are stored as raw values or as JSON
          var b: [Weather]
      //         ^~~~~~~~~ warning[TYP013]: type 'Weather' is not declared in the schema, so its values are stored as raw values or as JSON
          var weather: Weather
      //      ^~~~~~~ error[TYP023]: 'weather' has no value if a row was deleted or cannot be read, because 'Weather' is not in the schema
          @Attribute(.codable) var c: Weather
      //                           ^ error[TYP023]: 'c' has no value if a row was deleted or cannot be read, because 'Weather' is not in the schema
          @Transient var d: Weather?
          @Attribute(.transformable(by: ColorTransformer.self)) var e: UIColor
      //                                                            ^ error[TYP023]: 'e' has no value if a row was deleted or cannot be read, because 'UIColor' is not in the schema
          var f: Calendar.Component
      //         ^~~~~~~~~~~~~~~~~~ warning[TYP013]: type 'Calendar.Component' is not declared in the schema, so its values are stored as raw values or as JSON
          enum Status: String, Codable { case a }
          var g: Status
          var h: Trip.Status
          private enum Hidden: String, Codable { case a }
          private var i: Hidden
      //                 ^~~~~~ warning[TYP013]: type 'Trip.Hidden' is declared inside another type, so its values are stored as raw values or as JSON
          @Attribute(.raw) var j: Colour
          @Attribute(.codable) var k: Weather = Weather.sunny
          @Attribute(.codable) var l: Weather?
          @Attribute(.codable) var m: [Weather]
          @Attribute(.transformable(by: ColorTransformer.self)) var n: String
          @Attribute(.ephemeral, .codable) var o: Weather
      //                                       ^ error[TYP023]: 'o' has no value if a row was deleted or cannot be read, because 'Weather' is not in the schema
        }
      """#)
  }

  @Test func unstorableTypes() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Trip {
          var a: (Int, Int)
      //         ^~~~~~~~~~ error[TYP001]: a value of type '(Int, Int)' cannot be stored
          var b: any Codable
      //         ^~~~~~~~~~~ error[TYP001]: a value of type 'any Codable' cannot be stored
          var c: Any
      //         ^~~ error[TYP001]: a value of type 'Any' cannot be stored
          @Transient var d: (() -> Void)?
        }
      """#)
  }

  @Test func untypedProperties() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Trip {
          var a = []
      //          ^~ error[TYP001]: the type of 'a' cannot be inferred from its default value
          var b = [:]
      //          ^~~ error[TYP001]: the type of 'b' cannot be inferred from its default value
          var c = nil
      //          ^~~ error[TYP001]: the type of 'c' cannot be inferred from its default value
          var d = makeIt()
      //          ^~~~~~~~ error[TYP001]: the type of 'd' cannot be inferred from its default value
          var e
      //      ^ error[TYP001]: property 'e' has neither a type nor a default value
          var f = UUID().uuidString.count
      //          ^~~~~~~~~~~~~~~~~~~~~~~ error[TYP001]: the type of 'f' cannot be inferred from its default value
          var g = Date.distantPast
          var h = UUID().uuidString
        }
        struct P: Codable { var a = make(); var b = 1 }
      //                        ^ error[TYP001]: the type of 'a' is missing
      """#)
  }

  @Test func doubleOptional() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Trip { var a: Int??; var b: Optional<Int?> }
      //                           ^~~~~ error[TYP017]: 'Int??' is optional twice
      //                                         ^~~~~~~~~~~~~~ error[TYP017]: 'Optional<Int?>' is optional twice
        struct S: Codable { var c: Int??? }
      //                           ^~~~~~ error[TYP017]: 'Int???' is optional twice
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class Trip { var a: Int?; var b: Optional<Int?> }
          struct S: Codable { var c: Int? }
        """#)
  }

  @Test func modelsInValues() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Trip {
          var a: Set<Trip>
      //         ^~~~~~~~~ error[TYP022]: the type of 'a' contains models but is not a relationship type
          var b: [String: Trip]
      //         ^~~~~~~~~~~~~~ error[TYP022]: the type of 'b' contains models but is not a relationship type
          var c: [Trip?]
      //         ^~~~~~~ error[TYP022]: the type of 'c' contains models but is not a relationship type
          @Transient var d: Set<Trip>?
        }
        struct P: Codable { var a: Trip? }
      //                           ^~~~~ error[TYP022]: a value cannot hold a model
        enum E: Codable { case a(Trip) }
      //                         ^~~~ error[TYP022]: a value cannot hold a model
      """#)
  }

  @Test func defaultMismatch() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var a: Int = "x"
      //               ^~~ error[TYP002]: '"x"' is not a value of type 'Int'
          var b: String = 3
      //                  ^ error[TYP002]: '3' is not a value of type 'String'
          var c: Bool = 1
      //                ^ error[TYP002]: '1' is not a value of type 'Bool'
          var d: Date = 0
      //                ^ error[TYP002]: '0' is not a value of type 'Date'
          var e: Int = 1.5
      //               ^~~ error[TYP002]: '1.5' is not a value of type 'Int'
          var f: Int = nil
      //               ^~~ error[TYP002]: 'nil' is not a value of type 'Int'
          var g: [Int] = 3
      //                 ^ error[TYP002]: '3' is not a value of type '[Int]'
          var h: [String: Int] = []
      //                         ^~ error[TYP002]: '[]' is not a value of type '[String: Int]'
          var i: Character = "ab"
      //                     ^~~~ error[TYP002]: '"ab"' is not a value of type 'Character'
          var j: P = 1
      //             ^ error[TYP002]: '1' is not a value of type 'P'
          var k: K = "a"
      //             ^~~ error[TYP002]: '"a"' is not a value of type 'K'
          var l: URL = "https://example.org"
      //               ^~~~~~~~~~~~~~~~~~~~~ error[TYP002]: '"https://example.org"' is not a value of type 'URL'
          var ok1: Double = 1
          var ok2: Decimal = 1.5
          var ok3: Character = "é"
          var ok4: Set<Int> = [1]
          var ok5: Int? = nil
          @Relationship(inverse: nil) var m: [A] = nil
      //                                           ^~~ error[TYP002]: 'nil' is not a value for to-many relationship 'm'
          @Relationship(inverse: nil) var n: A? = A()
      //                                          ^~~ error[REL024]: relationship 'n' cannot have an object as its default value
        }
        struct P: Codable { var x: Int = "a" }
      //                                 ^~~ error[TYP002]: '"a"' is not a value of type 'Int'
        enum K: String, Codable { case a, b }
      """#)
  }

  @Test func defaultRange() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var a: Int8 = 300
      //                ^~~ error[TYP003]: '300' does not fit into 'Int8'
          var b: UInt = -1
      //                ^~ error[TYP003]: '-1' does not fit into 'UInt'
          var c: UInt64 = 0xFFFF_FFFF_FFFF_FFFF
          var d: Int64 = 9_223_372_036_854_775_808
      //                 ^~~~~~~~~~~~~~~~~~~~~~~~~ error[TYP003]: '9_223_372_036_854_775_808' does not fit into 'Int64'
          var e: Int8 = -128
          var f: UInt8 = 99999999999999999999999999999999999999999999
      //                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ error[TYP003]: '99999999999999999999999999999999999999999999' does not fit into 'UInt8'
        }
      """#)
  }

  @Test func defaultCase() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          var a: Kind = .persnal
      //                ^~~~~~~~ error[TYP004]: 'persnal' is not a case of 'Kind'
          var b: Kind = Kind.business
          var c: Kind = .standard
          var d: Kind = .other
      //                ^~~~~~ error[TYP004]: 'other' is not a case of 'Kind'
          var e: Kind? = .personal
          var f: Kind = .preferred
          var g: Kind = .made(3)
          var h = Kind.preferred
        }
        enum Kind: String, Codable {
          case personal, business
          static let standard = Kind.personal
          static var preferred: Kind { .business }
          static func made(_ x: Int) -> Kind { .business }
        }
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A {
            var a: Kind = .personal
            var b: Kind = Kind.business
            var c: Kind = .standard
            var d: Kind = .other
            var e: Kind? = .personal
            var f: Kind = .preferred
            var g: Kind = .made(3)
            var h = Kind.preferred
          }
          enum Kind: String, Codable {
            case personal, business
            static let standard = Kind.personal
            static var preferred: Kind { .business }
            static func made(_ x: Int) -> Kind { .business }
          }
        """#)
  }

  @Test func rawValues() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        enum A: String, Codable { case a = "x", b = "x", c = "d", d }
      //                                            ^~~ error[TYP008]: raw value '"x"' is used by two cases
      //                                                          ^ error[TYP008]: raw value '"d"' is used by two cases
        enum B: Int, Codable { case a = 1, b, c = 2 }
      //                                          ^ error[TYP008]: raw value '2' is used by two cases
        enum C: Codable { case a = 1 }
      //                           ^ error[TYP002]: a case of 'C' cannot have a raw value, because the enum has no raw type
        enum D: Int, Codable { case a = "x" }
      //                                ^~~ error[TYP002]: '"x"' is not a raw value of type 'Int'
        enum E: Int, Codable { case a, b(Int) }
      //                                 ^~~ error[SYN006]: case 'b' cannot have associated values, because the enum has the raw type 'Int'
      """#)
  }

  @Test func transientNeedsDefault() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Transient var a: Int
      //                 ^ error[TYP011]: '@Transient' property 'a' must be optional or have a default value
          @Transient var b: Int = 1
          @Transient var c: Int?
        }
      """#)
  }

  @Test func compositeCycles() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        struct A: Codable { var b: B? }
      //       ^ error[TYP020]: a value cannot contain itself: A > B > C > A
        struct B: Codable { var c: C }
        enum C: Codable { case a(A), none }
        struct D: Codable { var d: [D] }
        indirect enum E: Codable { case e(E), none }
      """#)
  }
}
