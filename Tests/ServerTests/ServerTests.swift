import Foundation
import SchemaCommands
import SchemaDriver
import SchemaServer
import Testing

/// Diagnostics, fixes, hover, references and renaming. `|` marks the cursor.
@Suite struct ServerTests {
  static let trips = """
    schema Trips 1.1.0

    /// A journey.
    @Model
    class Trip {
        #Index<Trip>([\\.name])
        /// The title.
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
    }

    @Model
    class Stop {
        var place: String
        var trip: Trip?
    }

    """

  // MARK: Diagnostics

  @Test func findingsAreReportedWhileTyping() throws {
    try serve { (client: ServerClient, _) throws in
      try client.open("Trips.schema", Self.trips)
      #expect(client.diagnostics("Trips.schema") == [])
      let place = Self.trips.distance(
        from: Self.trips.startIndex, to: try #require(Self.trips.firstRange(of: "String")).lowerBound)
      try client.edit("Trips.schema", place..<place + 6, "Sting")
      #expect(client.diagnostics("Trips.schema") == ["7:14-19 TYP001"])
      try client.edit("Trips.schema", place..<place + 5, "String")
      #expect(client.diagnostics("Trips.schema") == [])
    }
  }

  @Test func charactersAreCountedInTheAgreedUnit() throws {
    let text = "schema S 1.0.0\n@Model class A { /* 👩🏽‍🚀é */ var x: Sting }\n"
    for (encodings, expected) in [([], "1:39-44 TYP001"), (["utf-8"], "1:48-53 TYP001")] as [([String], String)] {
      try serve(encodings: encodings) { (client: ServerClient, _) throws in
        try client.open("S.schema", text)
        #expect(client.diagnostics("S.schema") == [expected])
      }
    }
  }

  @Test func filesOfAFolderFormOneSchema() throws {
    try serve(["Stops.schema": "schema T 1.0.0\n@Model class Stop { var trip: Trip? }\n"]) {
      (client: ServerClient, _) throws in
      try client.open("Trips.schema", "schema T 1.0.0\n@Model class Trip { var stops: [Stop] = [] }\n")
      #expect(client.diagnostics("Trips.schema") == [])
      // An unsaved change of one document concerns the other.
      try client.open("Stops.schema", "schema T 1.0.0\n@Model class Halt { }\n")
      #expect(client.diagnostics("Trips.schema") == ["1:31-37 TYP013"])
      try client.notify("textDocument/didClose", ["textDocument": ["uri": client.uri("Stops.schema")]])
      #expect(client.diagnostics("Trips.schema") == [])
    }
  }

  @Test func newDocumentsAreCheckedBeforeTheyHaveAFile() throws {
    let name = "untitled:Untitled-1"
    try serve(["Stops.schema": "schema T 1.0.0\n@Model class Stop { }\n"]) { (client: ServerClient, _) throws in
      try client.open(name, "schema T 1.0.0\n@Model class Trip { var stop: Sting }\n")
      try client.open("untitled:Untitled-2", "schema T 1.0.0\n@Model class Trip { var stop: String }\n")
      #expect(client.diagnostics(name) == ["1:30-35 TYP001"])
      #expect(client.diagnostics("untitled:Untitled-2") == [])
      let place = try client.place(name, "schema T 1.0.0\n@Model class T|rip { }\n")
      let hover = try client.request("textDocument/hover", place)
      #expect(((hover as? [String: Any])?["range"]).map { ServerClient.range($0) } == "1:13-17")
      try client.replace(name, "schema T 1.0.0\n@Model class Trip { var stop: Sting }\n")
      try client.notify("textDocument/didSave", ["textDocument": ["uri": name]])
      #expect(client.diagnostics(name) == ["1:30-35 TYP001"])
      try client.notify("textDocument/didClose", ["textDocument": ["uri": name]])
      #expect(client.diagnostics(name) == [])
    }
  }

  @Test func releasedVersionsOnDiskAreRead() throws {
    try serve(["Trips.schema": Self.trips]) { (client: ServerClient, folder: Folder) throws in
      try client.open("Trips.schema", Self.trips)
      #expect(folder.run("freeze") == .clean)
      let changed = Self.trips.replacing("    var place: String\n", with: "")
      try client.replace("Trips.schema", changed)
      // The client reports the new files.
      try client.notify(
        "workspace/didChangeWatchedFiles", ["changes": [["uri": client.uri("versions/Trips.lock"), "type": 1]]])
      #expect(client.diagnostics("Trips.schema").contains { $0.hasSuffix("MIG001") })
    }
  }

  @Test func aFolderThatCouldNotBeReadIsReadAgain() throws {
    try serve(["schema.config.json": "{"]) { (client: ServerClient, folder: Folder) throws in
      try client.open("Trips.schema", Self.trips)
      #expect(client.diagnostics("Trips.schema") == ["0:0-0 folder"])
      try folder.write("schema.config.json", "{}")
      try client.notify("textDocument/didSave", ["textDocument": ["uri": client.uri("Trips.schema")]])
      #expect(client.diagnostics("Trips.schema") == [])
    }
  }

  @Test func modelsInSwiftFilesAreChecked() throws {
    let file = "Package/Sources/App/Trip.swift"
    let text = "import Trellis\n\n@Model final class Trip {\n  var name: String = \"\"\n}\n"
    try serve([file: text]) { (client: ServerClient, _) throws in
      try client.open(file, text)
      #expect(client.diagnostics(file) == [])
      try client.replace(file, text.replacing("var name", with: "@Attribute(.uniqe) var name"))
      #expect(client.diagnostics(file) == ["3:13-19 SYN002"])
      let place = try client.place(file, text.replacing("class Trip", with: "class T|rip"))
      let hover = try client.request("textDocument/hover", place) as? [String: Any]
      #expect((hover?["contents"] as? [String: Any])?.isEmpty == false)
      // SourceKit-LSP completes, renames and formats Swift files.
      for feature in ["completion", "definition", "documentHighlight", "documentSymbol", "inlayHint", "rename"] {
        #expect(try client.request("textDocument/\(feature)", place) is NSNull, "\(feature)")
      }
      #expect(try client.request("textDocument/codeLens", place) is [Any])
    }
  }

  // MARK: Fixes

  private func actions(_ client: ServerClient, _ path: String) throws -> [(title: String, edit: Any)] {
    let parameters: [String: Any] = [
      "textDocument": ["uri": client.uri(path)], "context": ["diagnostics": [Any]()],
      "range": ["start": ["line": 0, "character": 0], "end": ["line": 999, "character": 0]],
    ]
    let actions = try client.request("textDocument/codeAction", parameters) as? [[String: Any]] ?? []
    return actions.map { ($0["title"] as? String ?? "", $0["edit"] ?? "") }
  }

  @Test func aFixIsApplied() throws {
    try serve { (client: ServerClient, _) throws in
      let text = Self.trips.replacing("String", with: "Sting")
      try client.open("Trips.schema", text)
      let fix = try #require(try actions(client, "Trips.schema").first)
      let fixed = try client.applying(fix.edit)["Trips.schema"]
      #expect(fixed == text.replacing("name: Sting", with: "name: String"), "\(fix.title)")
    }
  }

  @Test func clientsWithoutVersionsReceivePlainEdits() throws {
    try serve(versions: false) { (client: ServerClient, _) throws in
      try client.open("Trips.schema", Self.trips.replacing("String", with: "Sting"))
      let fix = try #require(try actions(client, "Trips.schema").first?.edit as? [String: Any])
      #expect(fix["documentChanges"] == nil)
      #expect((fix["changes"] as? [String: Any])?.keys.sorted() == [client.uri("Trips.schema")])
    }
  }

  @Test func missingTypesAreDeclared() throws {
    try serve { (client: ServerClient, _) throws in
      let text = "schema S 1.0.0\n\n@Model\nclass A {\n    @Relationship(inverse: nil) var b: [Thing] = []\n}\n"
      try client.open("S.schema", text)
      let all = try actions(client, "S.schema")
      let fix = try #require(all.first { $0.title == "declare '@Model class Thing'" }, "\(all.map(\.title))")
      #expect(try client.applying(fix.edit)["S.schema"] == text + "\n@Model\nclass Thing {\n}\n")
    }
  }

  @Test func theLineOfAFindingOffersItsFixes() throws {
    try serve { (client: ServerClient, _) throws in
      try client.open("S.schema", "schema S 1.0.0\n@Model class A {\n    var name: Sting\n    var x: Int\n}\n")
      func titles(_ line: Int, _ character: Int) throws -> [String?] {
        let place = ["line": line, "character": character]
        let parameters: [String: Any] = [
          "textDocument": ["uri": client.uri("S.schema")], "context": ["diagnostics": [Any]()],
          "range": ["start": place, "end": place],
        ]
        return (try client.request("textDocument/codeAction", parameters) as? [[String: Any]] ?? [])
          .map { $0["title"] as? String }
      }
      #expect(try titles(2, 0) == ["replace it with 'String'"])
      #expect(try titles(2, 16) == ["replace it with 'String'"])
      #expect(try titles(3, 0) == [])
    }
  }

  @Test(arguments: [
    ("var customer: Customer?", "add 'var orders: [Order] = []' to 'Customer'"),
    ("var customers: [Customer] = []", "add 'var order: Order?' to 'Customer'"),
    (
      "@Relationship(inverse: \\Customer.orders) var customer: Customer?",
      "add 'var orders: [Order] = []' to 'Customer'"
    ),
    ("@Relationship(inverse: \\Customer.orders) var customer: Customer?", "add 'var orders: Order?' to 'Customer'"),
    ("@Relationship(inverse: \\Customer.order) var all: [Customer] = []", "add 'var order: Order?' to 'Customer'"),
    ("@Relationship(inverse: \\Custmer.name) var customer: Customer?", "replace it with '\\Customer.name'"),
  ])
  func theOtherSideOfARelationshipIsAdded(_ property: String, _ title: String) throws {
    try serve { (client: ServerClient, _) throws in
      let customer = "schema S 1.0.0\n@Model\nclass Customer {\n    var name: String\n}\n"
      try client.open("Customer.schema", customer)
      try client.open("Order.schema", "schema S 1.0.0\n@Model\nclass Order {\n    \(property)\n}\n")
      let all = try actions(client, "Order.schema")
      let fix = try #require(all.first { $0.title == title }, "\(all.map(\.title))")
      let texts = try client.applying(fix.edit)
      if title.hasPrefix("add '"), let text = title.split(separator: "'").dropFirst().first {
        #expect(texts["Customer.schema"] == customer.replacing("String\n", with: "String\n    \(text)\n"))
      } else {
        #expect(texts["Order.schema"]?.contains("\\Customer.name") == true)
      }
    }
  }

  @Test func findingsCanBeIgnoredWithAReason() throws {
    try serve { (client: ServerClient, _) throws in
      let text = "schema S 1.0.0\n\n/// A model.\n@Model\nclass thing {\n    var name: String\n}\n"
      try client.open("S.schema", text)
      let all = try actions(client, "S.schema")
      let ignore = try #require(all.first { $0.title == "Ignore NAM001 with a reason" }, "\(all.map(\.title))")
      let result = try client.applying(ignore.edit)["S.schema"]
      #expect(result == text.replacing("@Model", with: "// schema:ignore NAM001 -- reason\n@Model"))
    }
  }

  @Test(arguments: [
    (
      "    var title: String\n", "'Trip.name' was renamed to 'Trip.title'",
      "    @Attribute(originalName: \"name\") var title: String\n", ""
    ),
    ("", "Accept the change", "", "    accept MIG011 Trip.name -- \"reason\"\n"),
    (
      "    var name: String\n    var nights: Int\n", "Set a value for existing rows",
      "    var name: String\n    var nights: Int\n", "    fill Trip.nights = 0\n"
    ),
    (
      "    var name: Int\n", "Set a value for existing rows", "    var name: Int\n",
      "    fill Trip.name = Int(old.name)\n"
    ),
  ])
  func changesSinceAReleaseAreAnswered(_ new: String, _ title: String, _ expected: String, _ step: String) throws {
    let name = "    var name: String\n"
    func schema(_ version: String, _ members: String) -> String {
      "schema Trips \(version)\n@Model\nclass Trip {\n\(members)    var days: Int = 0\n}\n"
    }
    try serve(["Trips.schema": schema("1.0.0", name)]) { (client: ServerClient, folder: Folder) throws in
      #expect(folder.run("freeze") == .clean)
      try client.open("Trips.schema", schema("1.1.0", new))
      let all = try actions(client, "Trips.schema")
      let answer = try #require(all.first { $0.title == title }, "\(all.map(\.title))")
      let result = try client.applying(answer.edit)["Trips.schema"]
      let block = step.isEmpty ? "" : "\nmigration from 1.0.0 {\n\(step)}\n"
      #expect(result == schema("1.1.0", expected) + block)
      try client.replace("Trips.schema", result ?? "")
      #expect(client.diagnostics("Trips.schema").allSatisfy { !$0.contains("MIG04") && !$0.hasSuffix("MIG011") })
    }
  }

  // MARK: Declarations

  private func hover(_ client: ServerClient, _ marked: String) throws -> String {
    let hover = try client.request("textDocument/hover", client.place("Trips.schema", marked)) as? [String: Any]
    return (hover?["contents"] as? [String: Any])?["value"] as? String ?? ""
  }

  @Test func hover() throws {
    try serve(["Trips.schema": Self.trips]) { (client: ServerClient, folder: Folder) throws in
      #expect(folder.run("freeze") == .clean)
      let model = try hover(client, Self.trips.replacing("class Trip", with: "class T|rip"))
      #expect(model.hasPrefix("```swift\nclass Trip\n```\n\nA journey.\n\nIndex: name\n\n```text\ndeleting a 'Trip'"))
      #expect(model.contains("every 'Stop' in 'Trip.stops' is deleted by .cascade (Trips.schema:9:66)"))
      #expect(model.hasSuffix("New in version 1.1.0"))
      let name = try hover(client, Self.trips.replacing("var name", with: "var na|me"))
      #expect(
        name == """
          ```swift
          Trip.name: String
          ```

          The title.

          Column `name`: TEXT

          Index: name

          New in version 1.1.0
          """)
      let ephemeral = try hover(
        client, Self.trips.replacing("var place", with: "@Attribute(.ephemeral) var pla|ce: String = \"\"; var x"))
      #expect(ephemeral.contains("\n\nNot stored."))
      let reference = try hover(client, Self.trips.replacing("var trip", with: "var t|rip"))
      #expect(reference.contains("Inverse: `Trip.stops`\n\nDelete rule: `.nullify`"))
      #expect(try hover(client, Self.trips.replacing("var trip", with: "v|ar trip")) == "")
    }
  }

  @Test func theViolatedRuleIsExplained() throws {
    try serve { (client: ServerClient, _) throws in
      let text = try hover(client, "schema S 1.0.0\n@Model class A { var x: Stri|ng? = 1 }\n")
      #expect(text.isEmpty)
      let found = try hover(client, "schema S 1.0.0\n@Model class A { var x: String? = |1 }\n")
      #expect(found.hasPrefix("**TYP002 default-type-mismatch**: "), "\(found)")
    }
  }

  @Test func definitionsAndReferences() throws {
    try serve { (client: ServerClient, _) throws in
      let place = try client.place("Trips.schema", Self.trips.replacing("trip: Trip?", with: "trip: Tr|ip?"))
      let definition = try client.request("textDocument/definition", place) as? [String: Any]
      #expect(ServerClient.range(definition?["range"]) == "4:6-10")
      var parameters = place
      parameters["context"] = ["includeDeclaration": true]
      let references = try client.request("textDocument/references", parameters) as? [[String: Any]]
      #expect(references?.map { ServerClient.range($0["range"]) } == ["4:6-10", "5:11-15", "14:14-18"])
    }
  }

  @Test func renamingWritesTheOriginalNameInAllFiles() throws {
    let stops = "schema Trips 1.0.0\n@Model\nclass Stop {\n    var trip: Trip?\n}\n"
    let trips = """
      schema Trips 1.0.0
      @Model
      class Trip {
          #Unique<Trip>([\\.name])
          var name: String
          @Relationship(inverse: \\Stop.trip) var stops: [Stop] = []
      }

      """
    try serve(["Trips.schema": trips, "Stops.schema": stops]) { (client: ServerClient, folder: Folder) throws in
      #expect(folder.run("freeze") == .clean)
      try client.open("Stops.schema", stops)
      var place = try client.place("Trips.schema", trips.replacing("var name", with: "var na|me"))
      let target = try client.request("textDocument/prepareRename", place) as? [String: Any]
      #expect(target?["placeholder"] as? String == "name")
      place["newName"] = "title"
      var texts = try client.applying(client.request("textDocument/rename", place))
      #expect(
        texts["Trips.schema"]
          == trips.replacing("\\.name", with: "\\.title")
          .replacing("var name", with: "@Attribute(originalName: \"name\") var title"))
      // The document that is not open is read from disk.
      place = try client.place("Trips.schema", trips.replacing("class Trip", with: "class Tr|ip"))
      place["newName"] = "Journey"
      texts = try client.applying(client.request("textDocument/rename", place))
      #expect(texts["Stops.schema"] == stops.replacing("Trip?", with: "Journey?"))
      #expect(texts["Trips.schema"]?.contains("@Model(originalName: \"Trip\")\nclass Journey {") == true)
      place["newName"] = "Stop"
      #expect(throws: ServerClient.Failure.self) { try client.request("textDocument/rename", place) }
    }
  }

  @Test func renamingBeforeTheFirstReleaseKeepsNoName() throws {
    try serve { (client: ServerClient, _) throws in
      let text = "schema S 1.0.0\n\n@Model\nclass A {\n    var na|me: String\n}\n"
      var place = try client.place("S.schema", text)
      place["newName"] = "title"
      let result = try client.applying(client.request("textDocument/rename", place))["S.schema"]
      #expect(result == "schema S 1.0.0\n\n@Model\nclass A {\n    var title: String\n}\n")
    }
  }

  @Test func formatting() throws {
    try serve { (client: ServerClient, _) throws in
      let text = "schema S 1.0.0\n\n@Model\nclass A {\n  var x:Int\n    var y: Int\n  var z:Int\n}\n"
      try client.open("S.schema", text)
      let document: [String: Any] = ["textDocument": ["uri": client.uri("S.schema")], "options": [String: Any]()]
      let edits = try client.request("textDocument/formatting", document) as? [[String: Any]] ?? []
      #expect(edits.map { ServerClient.range($0["range"]) } == ["4:0-5:0", "6:0-7:0"])
      #expect(
        ServerClient.applying(edits, to: text)
          == "schema S 1.0.0\n\n@Model\nclass A {\n    var x: Int\n    var y: Int\n    var z: Int\n}\n")
      var range = document
      range["range"] = ["start": ["line": 6, "character": 0], "end": ["line": 6, "character": 3]]
      let some = try client.request("textDocument/rangeFormatting", range) as? [[String: Any]] ?? []
      #expect(some.map { ServerClient.range($0["range"]) } == ["6:0-7:0"])
    }
  }

  @Test func hintsSymbolsFoldingAndLenses() throws {
    try serve { (client: ServerClient, _) throws in
      try client.open("Trips.schema", Self.trips)
      var document: [String: Any] = ["textDocument": ["uri": client.uri("Trips.schema")]]
      let symbols = try client.request("textDocument/documentSymbol", document) as? [[String: Any]] ?? []
      #expect(symbols.map { $0["name"] as? String } == ["Trip", "Stop"])
      #expect((symbols[0]["children"] as? [[String: Any]])?.map { $0["name"] as? String } == ["name", "stops"])
      let found = try client.request("workspace/symbol", ["query": "pla"]) as? [[String: Any]] ?? []
      #expect(found.map { "\($0["containerName"] ?? "").\($0["name"] ?? "")" } == ["Stop.place"])
      let folds = try client.request("textDocument/foldingRange", document) as? [[String: Any]] ?? []
      #expect(folds.map { "\($0["startLine"] ?? "")-\($0["endLine"] ?? "")" } == ["4-8", "12-14"])
      let lenses = try client.request("textDocument/codeLens", document) as? [[String: Any]] ?? []
      #expect(lenses.map { ($0["command"] as? [String: Any])?["title"] as? String } == ["1.1.0 is not released"])
      let tokens = try client.request("textDocument/semanticTokens/full", document) as? [String: Any]
      #expect((tokens?["data"] as? [Int])?.prefix(10) == [0, 0, 6, 0, 0, 0, 7, 5, 1, 0])
      document["range"] = ["start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0]]
      let hints = try client.request("textDocument/inlayHint", document) as? [[String: Any]] ?? []
      #expect(hints.map { $0["label"] as? String } == ["inverse: \\Trip.stops", "deleteRule: .nullify"])
    }
  }

  // MARK: Protocol

  @Test func requestsInTheWrongPhaseAreRefused() throws {
    var state = ServerState(findHome: SchemaFolder.home(of:))
    func answer(_ text: String) -> String {
      Server.handle(.message(Data(text.utf8)), &state).compactMap { effect in
        if case .send(let message) = effect { String(decoding: message.body, as: UTF8.self) } else { nil }
      }.joined()
    }
    #expect(answer("{").contains("\"code\":-32700"))
    #expect(answer("{\"id\":1,\"method\":\"textDocument/hover\"}").contains("\"code\":-32002"))
    #expect(answer("{\"id\":\"a\",\"method\":\"initialize\",\"params\":{}}").contains("\"id\":\"a\""))
    #expect(answer("{\"id\":2,\"method\":\"initialize\",\"params\":{}}").contains("\"code\":-32600"))
    #expect(answer("{\"id\":3,\"method\":\"textDocument/moniker\"}").contains("\"code\":-32601"))
    #expect(answer("{\"id\":4,\"method\":\"textDocument/hover\",\"params\":{}}").contains("\"code\":-32602"))
    #expect(answer("{\"method\":\"$/setTrace\",\"params\":{}}") == "")
    #expect(answer("{\"id\":5,\"method\":\"shutdown\"}") == "{\"id\":5,\"jsonrpc\":\"2.0\",\"result\":null}")
    #expect(answer("{\"id\":6,\"method\":\"textDocument/hover\",\"params\":{}}").contains("\"code\":-32600"))
  }

  @Test func messagesAreSplitByTheirLength() throws {
    var reader = MessageReader()
    for byte in Data("Content-Length: 4\r\nContent-Type: x\r\n\r\n\"é\"content-length:2\r\n\r\n{}Con".utf8) {
      reader.append(Data([byte]))
    }
    #expect(try reader.next() == Data("\"é\"".utf8))
    #expect(try reader.next() == Data("{}".utf8))
    #expect(try reader.next() == nil)
    for (text, failure) in [
      ("Content-Length: x\r\n\r\n", MessageReader.Failure.noLength), ("\r\n\r\n", .noLength),
      ("Content-Length: -1\r\n\r\n", .noLength), ("Content-Length: 99999999999\r\n\r\n", .tooLong),
      (String(repeating: "x", count: 9_000), .noLength),
    ] {
      var reader = MessageReader()
      reader.append(Data(text.utf8))
      #expect(throws: failure) { try reader.next() }
    }
  }
}
