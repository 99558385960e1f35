import Foundation
import SchemaDriver
import Testing

/// Completion. `|` marks the cursor.
@Suite struct ServerCompletionTests {
  /// Two models and an enum, with text before the first member of `Trip`.
  private static func schema(_ member: String, before: String = "") -> String {
    """
    schema Trips 1.1.0
    \(before)
    @Model
    class Trip {
    \(member)
        var name: String
        var kind: Kind = Kind.work
        @Relationship(inverse: \\Stop.trip) var stops: [Stop] = []
    }

    @Model
    class Stop {
        var place: String
        var trip: Trip?
    }

    enum Kind: String, Codable { case work, fun }

    """
  }

  /// In unfinished text, the property that follows belongs to another declaration.
  @Test(arguments: ["inverse: \\|", "inverse: \\|)", "inverse: \\T|", "inverse: \\|) var teachers: [Teacher] = []"])
  func inversesAreOfferedBeforeThePropertyIsWritten(_ option: String) throws {
    let text = """
      schema S 1.0.0
      @Model
      class School {
          @Relationship(deleteRule: .cascade, \(option)
          @Relationship(inverse: \\Room.school) var rooms: [Room] = []
      }
      @Model class Room { var school: School? }
      @Model class Teacher { var school: School? }

      """
    let labels = try items(text).compactMap { $0["label"] as? String }
    #expect(Set(labels) == ["Room.school", "Teacher.school"])
    if option.contains("teachers") { #expect(labels.first == "Teacher.school") }
  }

  private func items(_ text: String, snippets: Bool = true) throws -> [[String: Any]] {
    var found: [[String: Any]] = []
    try serve(snippets: snippets) { (client: ServerClient, _) throws in found = try Self.items(text, client) }
    return found
  }

  private static func items(_ text: String, _ client: ServerClient) throws -> [[String: Any]] {
    try client.request("textDocument/completion", client.place("Trips.schema", text)) as? [[String: Any]] ?? []
  }

  private func labels(_ text: String) throws -> [String] { try items(text).map(Self.label) }

  private static func label(_ item: [String: Any]) -> String { item["label"] as? String ?? "" }

  /// The text that replaces the word before the cursor.
  private static func inserted(_ item: [String: Any]) -> String { item["insertText"] as? String ?? label(item) }

  private static let attributes: [(String, [String])] = [
    ("    @|", ["Attribute", "Relationship", "Transient"]), ("    @Attr|", ["Attribute", "Relationship", "Transient"]),
    ("    @Relationship(deleteRule:|) var others: [Stop]", [".nullify", ".cascade", ".deny", ".noAction"]),
    ("    @Relationship(deleteRule: |) var others: [Stop]", [".nullify", ".cascade", ".deny", ".noAction"]),
    ("    @Relationship(deleteRule: .|) var others: [Stop]", ["nullify", "cascade", "deny", "noAction"]),
    ("    @Relationship(deleteRule: .ca|) var others: [Stop]", ["nullify", "cascade", "deny", "noAction"]),
    ("    @Attribute(.unique, onConflict: .|) var code: Int", ["fail", "replace", "keep"]),
    ("    @Attribute(.unique, onConflict: |", [".fail", ".replace", ".keep"]),
    ("    #Unique<Trip>([\\.name], onConflict: |", [".fail", ".replace", ".keep"]),
    ("    @Attribute(.unknown(|)) var other: Kind", [".fail", ".default"]),
    ("    #Unique<Trip>([\\.|])", ["name", "kind"]), ("    #Index<Trip>([\\.name, \\.|])", ["name", "kind"]),
    ("    #Unique<Trip>([\\.|", ["name", "kind"]), ("    #Unique<Trip>([\\.na|", ["name", "kind"]),
    ("    #Unique<Trip>([\\|", [".name", ".kind"]), ("    #Unique<Trip>([|", ["\\.name", "\\.kind"]),
    ("    #Index<Trip>(.rtree([\\.|", ["name", "kind"]), ("    #Unique<Trip>(|)", ["[\\.name]", "[\\.kind]"]),
    ("    #|", ["Unique", "Index"]), ("    #Uni|", ["Unique", "Index"]), ("    #Unique<|", ["Trip"]),
    ("    #Unique<Tr|>([\\.name])", ["Trip"]),
    ("    @Relationship(inverse: \\Stop.|) var others: [Stop] = []", ["place", "trip"]),
  ]

  private static let members: [(String, [String])] = [
    (
      "    @Relationship(deleteRule: .cascade, |) var others: [Stop]",
      ["denyMessage:", "minimumModelCount:", "maximumModelCount:", "originalName:", "inverse:", "hashModifier:"]
    ),
    ("    |", ["var", "@Attribute", "@Relationship", "#Unique", "#Index", "@Transient"]),
    ("    v|", ["var", "@Attribute", "@Relationship", "#Unique", "#Index", "@Transient"]),
    ("    @Attribute(.unique) |", ["var"]), ("    @Transient\n    v|", ["var"]),
    ("    func text() -> String {\n        |\n    }", []),
    ("    enum Mood {\n        |\n    }", ["case"]), ("    struct Mood {\n        v|\n    }", ["var"]),
    ("    enum Mood {\n        @|\n    }", []),
    ("    var other: Kind = .|", ["work", "fun"]), ("    var other: Kind = |", [".work", ".fun"]),
    ("    var other: Kind = Kind.|", ["work", "fun"]), ("    var other: Kind? = |", [".work", ".fun", "nil"]),
    ("    var other: Mood = .|\n    enum Mood: String, Codable { case high(Int), low }", ["high", "low"]),
    ("    var other: Bool = |", ["true", "false"]), ("    var other: Date = |", [".now"]),
    ("    var other: Date = .|", ["now"]), ("    var other: Date? = Date.|", ["now"]),
    ("    var other: Int = Date.|", []),
    ("    var other: [Stop] = |", ["[]"]), ("    var other: Stop? = n|", ["nil"]),
    ("    // a comment |", []), ("    var note: String = \"|\"", []),
  ]

  @Test(arguments: attributes + members)
  func inAModel(_ member: String, _ expected: [String]) throws {
    #expect(try labels(Self.schema(member)) == expected)
  }

  @Test func suppressions() throws {
    #expect(try labels(Self.schema("    // schema:ignore NAM|")).contains("NAM001"))
  }

  @Test(arguments: [
    ("    @Attribute(|) var code: Int", [".unique", ".externalStorage", "originalName:", "onConflict:"]),
    ("    @Attribute(.|) var code: Int", ["unique", "externalStorage", "json"]),
    ("    @Attribute(.unique, |) var code: Int", [".json", "originalName:"]),
    ("    @Attribute(|\n    var code: Int", [".unique", "originalName:"]),
    ("    @Relationship(|) var others: [Stop] = []", [".ordered", "deleteRule:", "inverse:"]),
    ("    var other: |", ["String", "Date", "Trip", "Stop", "Kind"]),
    ("    var other: [|", ["String", "Stop"]),
    ("    var other: St|", ["String", "Stop"]),
    ("    @Relationship(inverse: |) var others: [Stop] = []", ["\\Stop.trip"]),
    ("    @Relationship(inverse: \\|) var others: [Stop] = []", ["Stop.trip"]),
  ])
  func including(_ member: String, _ expected: [String]) throws {
    let found = try labels(Self.schema(member))
    #expect(Set(expected).isSubset(of: found), "\(found)")
  }

  @Test(arguments: [
    ("@Model\nc|\n", ["class"]), ("@Model(originalName: \"Way\") |\n", ["class"]), ("@|\n", ["Model"]),
    ("@Mo|\n", ["Model"]), ("#|\n", []), ("enum Level: String, |", ["Codable", "CaseIterable"]),
    ("struct Place: |", ["Codable"]), ("class Journey: |", ["Trip", "Stop"]),
    ("enum Level {\n    |\n}", ["case"]), ("struct Place {\n    |\n}", ["var"]),
    ("c|\n", ["@Model class", "enum", "struct"]), ("en|\n", ["@Model class", "enum", "struct"]),
  ])
  func atTheTopLevel(_ text: String, _ expected: [String]) throws {
    let found = try labels(Self.schema("", before: text))
    #expect(found == expected)
  }

  @Test func rawTypes() throws {
    let found = try labels(Self.schema("", before: "enum Level: |"))
    #expect(found.prefix(3) == ["String", "Int", "Int8"])
    #expect(found.suffix(3) == ["Character", "Codable", "CaseIterable"])
    #expect(!found.contains("Bool") && !found.contains("Decimal"))
  }

  /// The inserted text with placeholders, and for clients without snippets.
  @Test(arguments: [
    ("    #|", "Unique", "Unique<Trip>([\\\\.${1:property}])", "Unique<Trip>([\\."),
    ("    #Unique<|", "Trip", "Trip>([\\\\.${1:property}])", "Trip>([\\."), ("    #Unique<|>", "Trip", "Trip", "Trip"),
    ("    |", "#Index", "#Index<Trip>([\\\\.${1:property}])", "#Index<Trip>([\\."),
    ("    v|", "var", "var ${1:name}: ${2:String}", "var "),
    ("    @Attribute(|) var a: Kind", ".unknown", ".unknown(${1|.fail,.default|})", ".unknown("),
    ("    @Attribute(.|) var a: Kind", "unknown", "unknown(${1|.fail,.default|})", "unknown("),
    (
      "    @Attribute(.|) var a: Kind", "transformable", "transformable(by: ${1:Transformer}.self)",
      "transformable(by: "
    ),
    ("    @Relationship(inverse: \\|) var others: [Stop]", "Stop.trip", "Stop.trip", "Stop.trip"),
    ("    @Relationship(deleteRule: ca|) var others: [Stop]", ".cascade", ".cascade", ".cascade"),
    ("    @Relationship(|) var others: [Stop]", "deleteRule:", "deleteRule: ", "deleteRule: "),
  ])
  func insertedText(_ member: String, _ label: String, _ snippet: String, _ plain: String) throws {
    for (snippets, expected) in [(true, snippet), (false, plain)] {
      let items = try items(Self.schema(member), snippets: snippets).filter { Self.label($0) == label }
      #expect(items.map(Self.inserted) == [expected])
    }
  }

  /// Clients compare the word before the cursor with the proposed word, without punctuation.
  @Test(arguments: [
    ("    @Relationship(deleteRule: c|) var others: [Stop]", ".cascade", "cascade"),
    ("    A|", "@Attribute", "Attribute"), ("    var other: Kind = f|", ".fun", "fun"),
    ("    #Unique<Trip>([\\k|", ".kind", "kind"), ("    #Unique<Trip>([\\.k|", "kind", nil),
  ])
  func comparedText(_ member: String, _ label: String, _ expected: String?) throws {
    let items = try items(Self.schema(member)).filter { Self.label($0) == label }
    #expect(items.map { $0["filterText"] as? String } == [expected])
  }

  @Test func migrations() throws {
    try serve(["Trips.schema": Self.schema("")]) { (client: ServerClient, folder: Folder) throws in
      #expect(folder.run("freeze") == .clean)
      func labels(_ migration: String) throws -> [String] {
        let text = Self.schema("").replacing("1.1.0", with: "1.2.0") + migration
        let items = try client.request("textDocument/completion", client.place("Trips.schema", text))
        return (items as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
      }
      #expect(try labels("migration from |") == ["1.1.0"])
      #expect(try labels("migration from 1.1.0 {\n    |\n}\n") == ["fill", "dedupe", "accept", "custom"])
      #expect(try labels("migration from 1.1.0 {\n    fill |\n}\n") == ["Trip", "Stop"])
      #expect(try labels("migration from 1.1.0 {\n    fill Trip.|\n}\n") == ["name", "kind", "stops"])
      #expect(try labels("migration from 1.1.0 {\n    dedupe Trip on [\\.|\n}\n") == ["name", "kind", "stops"])
      #expect(try labels("migration from 1.1.0 {\n    accept |\n}\n").contains("MIG011"))
      #expect(try labels("migration from 1.1.0 {\n    accept MIG011 |\n}\n") == ["Trip", "Stop"])
    }
  }

  /// The released version has a model and two properties that the head no longer has.
  @Test(arguments: [
    ("    fill Stop.place = old.|", ["place", "trip"]),
    ("    fill Trip.name = Int(old.co|)", ["name", "code", "note", "stops"]),
    ("    accept MIG011 Trip.|", ["name", "code", "note", "stops", "kind"]),
    ("    accept MIG011 |", ["Trip.code", "Trip.note", "Trip", "Stop", "Hotel"]),
    ("    accept |", ["MIG010", "MIG011"]), ("    f|", ["fill", "dedupe", "accept", "custom"]),
    ("    accept MIG011 Trip.code -- \"gone\"\n    accept MIG011 |", ["Trip.note", "Trip", "Stop", "Hotel"]),
  ])
  func inAMigration(_ step: String, _ expected: [String]) throws {
    try serve(["Trips.schema": Self.released]) { (client: ServerClient, folder: Folder) throws in
      #expect(folder.run("freeze") == .clean)
      let text = Self.head("") + "migration from 1.0.0 {\n\(step)\n}\n"
      let found = try Self.items(text, client).map(Self.label)
      #expect(found == expected)
      #expect(try Self.items(String(text.dropLast(3)), client).map(Self.label) == expected, "without the brace")
    }
  }

  @Test(arguments: [
    ("    @Attribute(originalName: \"|\") var number: Int?", ["code", "note"], "code"),
    ("    @Attribute(originalName: \"|) var number: Int?", ["code", "note"], "code\""),
    ("    @Attribute(originalName: \"|", ["code", "note"], "code\""),
    ("    @Attribute(originalName: |) var number: Int?", ["code", "note"], "\"code\""),
    ("    @Attribute(originalName: |", ["code", "note"], "\"code\""),
    (
      "    @Attribute(originalName: \"note\") var text: String?\n    @Attribute(originalName: \"|\") var n: Int?",
      ["code"], "code"
    ),
    ("    @Attribute(originalName: \"note\"|) var text: String?", [], nil),
  ])
  func originalNames(_ member: String, _ expected: [String], _ inserted: String?) throws {
    try serve(["Trips.schema": Self.released]) { (client: ServerClient, folder: Folder) throws in
      #expect(folder.run("freeze") == .clean)
      let items = try Self.items(Self.head(member), client)
      #expect(items.map(Self.label) == expected)
      #expect(items.first.map(Self.inserted) == inserted)
      let models = try Self.items(Self.head("") + "@Model(originalName: \"|\")\nclass Inn {}\n", client)
      #expect(models.map(Self.label) == ["Hotel"])
      #expect(try Self.items(Self.head("") + "m|\n", client).map(Self.label).contains("migration from"))
    }
  }

  @Test(arguments: [
    ("migration from |", ["1.0.0"]), ("migration from 1.0.0 {\n    fill Stop.place = old.|\n}", ["place", "trip"]),
    ("migration from 1.0.0 {\n    fill Trip.|\n}", ["name", "kind", "stops"]),
  ])
  func releasedVersionsAreKnownIfTheFilesHaveErrors(_ migration: String, _ expected: [String]) throws {
    try serve(["Trips.schema": Self.released]) { (client: ServerClient, folder: Folder) throws in
      #expect(folder.run("freeze") == .clean)
      let head = Self.head("    var broken Strin") + "enum {\n}\n"
      try folder.write("Trips.schema", head)
      #expect(try Self.items(head + migration, client).map(Self.label) == expected)
    }
  }

  private static let released = """
    schema Trips 1.0.0

    @Model
    class Trip {
        var name: String
        var code: Int
        var note: String?
        var stops: [Stop] = []
    }

    @Model
    class Stop {
        var place: String
        var trip: Trip?
    }

    @Model
    class Hotel {
        var name: String
    }

    """

  private static func head(_ member: String) -> String {
    schema(member).replacing("@Relationship(inverse: \\Stop.trip) ", with: "")
  }

  /// Clients sort by text and would otherwise place 'Bool' before 'String'.
  @Test func clientsKeepTheOrder() throws {
    let items = try items(Self.schema("", before: "enum Level: |"))
    let sorted = items.sorted { ($0["sortText"] as? String ?? "") < ($1["sortText"] as? String ?? "") }
    #expect(sorted.map(Self.label) == items.map(Self.label))
    #expect(sorted.first.map(Self.label) == "String")
  }

  @Test func anEmptyFile() throws {
    #expect(try labels("|") == ["schema", "@Model class", "enum", "struct"])
    #expect(try labels("c|") == ["schema", "@Model class", "enum", "struct"])
    #expect(try labels("schema Trips 1.0.0\n|") == ["@Model class", "enum", "struct"])
    #expect(try labels("schema Trips 1.0.0\n@Model class Trip {\n    enum Kind { case a }\n    |").first == "var")
  }

  @Test func clientsWithoutSnippetsReceiveTheTextBeforeTheFirstPlaceholder() throws {
    let items = try items("|", snippets: false)
    #expect(items.map(Self.inserted) == ["schema ", "@Model class ", "enum ", "struct ", "class "])
    #expect(items.allSatisfy { $0["insertTextFormat"] == nil })
  }
}
