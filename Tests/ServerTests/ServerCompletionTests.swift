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

  private func labels(_ text: String) throws -> [String] {
    var found: [String] = []
    try serve { (client: ServerClient, _) throws in
      let items = try client.request("textDocument/completion", client.place("Trips.schema", text))
      found = (items as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
    }
    return found
  }

  @Test(arguments: [
    ("    @|", ["Model", "Attribute", "Relationship", "Transient"]),
    ("    @Attr|", ["Model", "Attribute", "Relationship", "Transient"]),
    ("    @Relationship(deleteRule: .|) var others: [Stop]", ["nullify", "cascade", "deny", "noAction"]),
    ("    @Relationship(deleteRule: .ca|) var others: [Stop]", ["nullify", "cascade", "deny", "noAction"]),
    ("    @Attribute(.unique, onConflict: .|) var code: Int", ["fail", "replace", "keep"]),
    ("    #Unique<Trip>([\\.|])", ["name", "kind", "stops"]),
    ("    #Index<Trip>([\\.name, \\.|])", ["name", "kind", "stops"]),
    ("    @Relationship(inverse: \\Stop.|) var others: [Stop] = []", ["place", "trip"]),
    ("    |", ["var", "@Attribute", "@Relationship", "#Unique", "#Index"]),
    ("    // schema:ignore NAM|", nil), ("    // a comment |", []), ("    var note: String = \"|\"", []),
  ])
  func inAModel(_ member: String, _ expected: [String]?) throws {
    let found = try labels(Self.schema(member))
    if let expected { #expect(found == expected) } else { #expect(found.contains("NAM001")) }
  }

  @Test(arguments: [
    ("    @Attribute(|) var code: Int", [".unique", ".externalStorage", "originalName:", "onConflict:"]),
    ("    @Attribute(.|) var code: Int", ["unique", "externalStorage", "json"]),
    ("    @Attribute(.unique, |) var code: Int", [".unique", "originalName:"]),
    ("    @Relationship(|) var others: [Stop] = []", [".ordered", "deleteRule:", "inverse:"]),
    ("    var other: |", ["String", "Date", "Trip", "Stop", "Kind"]),
    ("    var other: [|", ["String", "Stop"]),
    ("    var other: St|", ["String", "Stop"]),
    ("    @Relationship(inverse: |) var others: [Stop] = []", ["\\Stop.trip"]),
    ("    @Relationship(inverse: \\|) var others: [Stop] = []", ["\\Stop.trip"]),
  ])
  func including(_ member: String, _ expected: [String]) throws {
    let found = try labels(Self.schema(member))
    #expect(Set(expected).isSubset(of: found), "\(found)")
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

  @Test func anEmptyFile() throws {
    #expect(try labels("|") == ["@Model class", "enum", "struct", "migration from"])
    #expect(try labels("schema Trips 1.0.0\n|") == ["@Model class", "enum", "struct", "migration from"])
  }

  @Test func snippetsAreOnlySentToClientsThatSupportThem() throws {
    try serve(snippets: false) { (client: ServerClient, _) throws in
      let items = try client.request("textDocument/completion", client.place("Trips.schema", "|"))
      #expect((items as? [Any])?.isEmpty == true)
    }
  }
}
