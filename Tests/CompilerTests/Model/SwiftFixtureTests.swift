import SchemaDiagnostics
import SchemaModel
import Testing

/// Mistakes that only exist for models in Swift files.
@Suite struct SwiftFixtureTests {
  @Test func initializersThatOmitProperties() {
    expectDiagnostics(
      """
      @Model class Trip {
        var name: String
        var days: Int
        var note: String?
        init(name: String) { self.name = name }
      //^~~~ error[SYN019]: this initializer assigns no value to 'days'
        init(days: Int) { self.days = days; name = "\\(days) days" }
        convenience init() { self.init(days: 3) }
      }
      """, isSwift: true)
  }

  @Test func typesThatGeneratedFilesCannotName() {
    expectDiagnostics(
      """
      private enum Secret: String, Codable { case a }
      @Model class Trip {
        fileprivate struct Inner: Codable { var x = 1 }
        private var one: Secret = Secret.a
      //                 ^~~~~~ error[SYN015]: generated files cannot refer to the private type 'Secret' of a stored property
        private var two: [Inner] = []
      //                  ^~~~~ error[SYN015]: generated files cannot refer to the private type 'Trip.Inner' of a stored property
        @Transient private var three: Secret = Secret.a
        var four: [Snapshot] = []
      //           ^~~~~~~~ error[NAM006]: 'Snapshot' is nested in every model and hides the app's type of the same name
        init() {}
      }
      """, isSwift: true)
  }

  /// By default, types inside an extension have the extension's access level.
  @Test func privateExtensions() {
    expectDiagnostics(
      """
      enum Status: String, Codable { case open }
      private extension Status { var label: String { rawValue } }
      struct Place: Codable { var x = 1.0 }
      fileprivate extension Place {
        enum Side: String, Codable { case a }
        internal enum Corner: String, Codable { case a }
      }
      @Model class Job {
        var one: Status = Status.open
        var two: Place = Place()
        var three: Place.Side = Place.Side.a
      //           ^~~~~~~~~~ error[SYN015]: generated files cannot refer to the private type 'Place.Side' of a stored property
        var four: Place.Corner = Place.Corner.a
        init() {}
      }
      private extension Job { func help() {} }
      """, isSwift: true)
  }

  @Test func typesThatAreNotCodable() {
    expectDiagnostics(
      """
      struct Size { var width = 1 }
      enum Side { case left }
      final class Box {}
      struct Weight { var grams = 1 }
      extension Weight: Codable {}
      @Wrapped struct Length { var metres = 1 }
      @Model class Trip {
        var one: Size? = nil
      //         ^~~~ error[TYP001]: a value of type 'Size' cannot be stored, because 'Size' is not 'Codable'
        var two: [Side] = []
      //          ^~~~ error[TYP001]: a value of type 'Side' cannot be stored, because 'Side' is not 'Codable'
        var three: Box?
      //           ^~~ error[TYP001]: a value of type 'Box' cannot be stored, because 'Box' is not 'Codable'
        var four = Weight()
        var five = Length()
        @Transient var six = Size()
        @Attribute(.transformable(by: "sizes")) var seven: Size?
        init() {}
      }
      """, isSwift: true)
  }

  @Test func equalityWithoutAConformance() {
    expectDiagnostics(
      """
      @Model class Trip {
        var name = ""
        init() {}
        static func == (lhs: Trip, rhs: Trip) -> Bool { lhs.name == rhs.name }
      //            ^~ error[SYN015]: a model that declares '==' must also declare conformance to 'Equatable'
      }
      @Model class Stop: Comparable {
        var name = ""
        init() {}
        static func == (lhs: Stop, rhs: Stop) -> Bool { lhs.name == rhs.name }
        static func < (lhs: Stop, rhs: Stop) -> Bool { lhs.name < rhs.name }
      }
      """, isSwift: true)
  }

  /// A type from another module may be an alias for an optional type.
  @Test func nilOfATypeOfAnotherModule() {
    expectDiagnostics(
      """
      @Model class Trip {
        var one: Other.PossibleName = nil
        var two: Int = nil
      //               ^~~ error[TYP002]: 'nil' is not a value of type 'Int'
        init() {}
      }
      """, isSwift: true)
  }

  /// An extension may make a type such as `URL` conform to `ExpressibleByStringLiteral`.
  @Test func textAsTheValueOfAnotherType() {
    expectDiagnostics(
      """
      @Model class Site {
        var url: URL = "https://example.com"
        var count: Int = "1"
      //                 ^~~ error[TYP002]: '"1"' is not a value of type 'Int'
        var isNew: Bool = "true"
      //                  ^~~~~~ error[TYP002]: '"true"' is not a value of type 'Bool'
        var letter: Character = "ab"
      //                        ^~~~ error[TYP002]: '"ab"' is not a value of type 'Character'
        init() {}
      }
      """, isSwift: true)
  }

  @Test func severalPropertiesInOneDeclaration() {
    expectDiagnostics(
      """
      @Model class Trip {
        var x = 1, y = 2
        //         ^~~~~ error[SYN015]: each stored property of a model in a Swift file needs its own declaration
        var red, green: Double
        //       ^~~~~~~~~~~~~ error[SYN015]: each stored property of a model in a Swift file needs its own declaration
        static var a = 1, b = 2
        var c: Int { 1 }, d: Int { 2 }
        init() {}
      }
      """, isSwift: true)
  }

  @Test func modelWithANameReservedInsideTypes() {
    expectDiagnostics(
      """
      @Model class Type { var name = ""; init() {} }
      //           ^~~~ error[NAM004]: 'Type' cannot be the name of a schema type, because released versions nest their types
      """, isSwift: true)
  }

  @Test func membersUnderConditions() {
    expectDiagnostics(
      """
      @Model class Trip {
        var x = 1
        #if DEBUG
      //^~~ error[SYN015]: '#if' cannot surround a model's stored properties, '#Index' or '#Unique' if the condition depends on the build
        var y = 1
        #endif
        #if DEBUG
        func f() {}
        #else
        var z: Int { 1 }
        #endif
      }
      """, isSwift: true)
  }

  /// The Swift compiler accepts this code, or reports the mistake better.
  @Test func errorsLeftToTheCompiler() {
    expectDiagnostics(
      """
      @MainActor @dynamicMemberLookup @Model final class Trip: Sendable {
        let id: UUID
        @Noted var isDeleted = false
        var hash: String
        var kind: Kind
        var several: [Trip.Kind]
        var isNear: Bool { hash ≠ "x" && √3 ≈→ 2 }
        enum Kind: Codable { case a(Int), b, `not a word` }
        func `any name`() {}
        subscript(dynamicMember key: String) -> Int { 1 }
        init() { id = UUID(); hash = ""; kind = .b; several = [] }
      }
        @DatabaseActor @Model final class Stop { var x = 1; init() {} }
      //^~~~~~~~~~~~~~ error[SYN015]: a model belongs to its context and cannot be isolated to '@DatabaseActor'
      @Model final class Place {
        var `two words` = 1
      //    ^~~~~~~~~~~ error[SYN001]: a name must consist of letters, digits and '_', and cannot begin with a digit
        var weather: Other.Weather
      //    ^~~~~~~ warning[TYP023]: 'weather' has no value if a row was deleted or cannot be read, because 'Other.Weather' is not in the schema
        @Attribute(.ephemeral) var visits: Int
      //                           ^~~~~~ error[TYP011]: '.ephemeral' property 'visits' must be optional or have a default value
        init(weather: Other.Weather) { self.weather = weather }
      }
      """, isSwift: true)
  }

  /// Swift code also compiles without a stated inverse. If several inverses are possible, none is used, regardless of
  /// the order of the declarations.
  @Test func severalPossibleInverses() {
    expectDiagnostics(
      """
      @Model class Post {
        var author: User?
      //    ^~~~~~ warning[REL002]: the inverse of 'Post.author' could be 'User.posts' or 'User.liked', so none is used
        init() {}
      }
      @Model class User {
        var posts: [Post] = []
        @Relationship(deleteRule: .cascade) var liked: [Post] = []
        init() {}
      }
      @Model class Node {
        var parent: Node?
      //    ^~~~~~ warning[REL002]: the inverse of 'Node.parent' could be 'Node.root' or 'Node.children', so none is used
        var root: Node?
        var children: [Node] = []
        init() {}
      }
      """, isSwift: true)
  }

  @Test func twoListsWithOneInverse() {
    expectDiagnostics(
      """
      @Model class Trip {
        @Relationship(inverse: \\Stop.trip) var visited: [Stop] = []
      //                                       ^~~~~~~ warning[REL003]: 'Stop.trip' is the inverse of 'Trip.planned', so 'Trip.visited' has no inverse
        @Relationship(inverse: \\Stop.trip) var planned: [Stop] = []
        @Relationship(inverse: \\Day.trip) var days: [Day] = []
      //                                      ^~~~ warning[REL003]: 'Day.trip' is the inverse of 'Trip.rest', so 'Trip.days' has no inverse
        @Relationship(inverse: \\Day.trip) var rest: [Day] = []
        init() {}
      }
      @Model class Stop { var trip: Trip?; init() {} }
      @Model class Day { @Relationship(inverse: \\Trip.rest) var trip: Trip?; init() {} }
      """, isSwift: true)
  }
}
