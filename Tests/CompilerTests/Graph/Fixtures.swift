import SchemaDiagnostics
import SchemaModel
import Testing

/// Compiles a valid schema.
func diagramSchema(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> ResolvedSchema {
  let compilation = SchemaCompiler.compile([SourceFile(path: "Test.schema", text: text)])
  for error in compilation.diagnostics where error.severity == .error {
    Issue.record("\(error.message)", sourceLocation: sourceLocation)
  }
  return try #require(compilation.schemas.first, sourceLocation: sourceLocation)
}

enum Texts {
  static let trips = """
    schema Trips 1.0.0

    /// A journey.
    @Model class Trip {
        #Unique<Trip>([\\.name, \\.start])
        #Index<Trip>([\\.start])
        @Attribute(.preserveValueOnDeletion) var name: String
        var start: Date
        @Attribute(.externalStorage) var photo: Data?
        var kind: Kind = Kind.other
        @Transient var mood: Set<String> = []
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
        @Relationship(deleteRule: .deny, inverse: \\Person.led) var leader: Person?
    }

    @Model class Cruise: Trip {
        var ship: String
        @Relationship(deleteRule: .noAction, inverse: nil) var captain: Person
    }

    @Model class Stop {
        var place: Place
        var trip: Trip?
        @Relationship(inverse: \\Stop.next) var previous: Stop?
        var next: Stop?
    }

    @Model class Person {
        @Attribute(.unique) var name: String
        var led: [Trip] = []
        @Relationship(inverse: \\Person.friends) var friends: [Person] = []
    }

    enum Kind: String, Codable { case work, other = "misc" }

    struct Place: Codable { var name: String; var kinds: [Kind] }
    """

  static let later = """
    schema Trips 2.0.0

    /// A journey.
    @Model(originalName: "Trip") class Journey {
        #Index<Journey>([\\.start])
        @Attribute(.preserveValueOnDeletion, originalName: "name") var title: String
        var start: Date?
        @Attribute(.externalStorage) var photo: Data?
        var kind: Kind = Kind.other
        var price: Decimal = 0
        @Transient var mood: Set<String> = []
        @Relationship(deleteRule: .nullify, inverse: \\Stop.trip) var stops: [Stop] = []
        @Relationship(inverse: \\Journey.following) var first: Journey?
        var following: [Journey] = []
    }

    @Model class Stop {
        var place: Place
        @Attribute(.unique) var code: String = ""
        var trip: Journey?
        @Relationship(inverse: \\Stop.next) var previous: Stop?
        var next: Stop?
    }

    @Model class Person {
        @Attribute(.unique) var name: String
        @Relationship(inverse: \\Person.friends) var friends: [Person] = []
    }

    @Model class Ticket {
        @Relationship(inverse: nil) var stop: Stop?
    }

    enum Kind: String, Codable { case work, other = "misc", school }

    struct Place: Codable { var name: String; var kinds: [Kind] }
    """

  /// Names with a special meaning in the output formats.
  static let hostile = """
    schema Hostile 1.0.0

    /// </script><script>alert("1")</script> <!-- & ' " -->
    @Model class `class` {
        /// ]]> */ \\u{202E}
        var `default`: Measurement<UnitLength, Int>?
        var größe: [String: [Int]] = [:]
        @Relationship(inverse: \\`note`.`end`) var `style`: [`note`] = []
    }

    @Model class `note` {
        var `end`: `class`?
        var 旅行: `link` = `link`.`click`
        @Relationship(inverse: nil) var `switch`: Ünicode?
    }

    @Model class Ünicode { var 🙂: String = "<b>" }

    enum `link`: String, Codable { case `click` = "\\"}]><\\\\", tilde = "~*$#;%%" }
    """
}
