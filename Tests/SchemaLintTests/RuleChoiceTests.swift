import SchemaDiagnostics
import SchemaLint
import SchemaModel
import Testing

/// The results of all choices for the examples of rules.
@Suite struct RuleChoiceTests {
  /// The choices by rule, with the lines that they write.
  static let choices: [String: [(title: String, lines: [String])]] = [
    "CKT001": [
      (#"add the default value '""'"#, [#"@Model class Trip { var name: String = "" }"#]),
      ("make it optional", [#"@Model class Trip { var name: String? }"#]),
    ],
    "CKT002": [
      ("remove the constraint", [#"@Model class Trip { var code: String = "" }"#])
    ],
    "CKT003": [
      ("make it optional", [#"@Model class Trip { var stops: [Stop]? = [] }"#])
    ],
    "CKT005": [
      (
        "write '.nullify'",
        [#"@Model class Trip { @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop]? }"#]
      ),
      (
        "write '.cascade'",
        [#"@Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop]? }"#]
      ),
    ],
    "CKT006": [
      ("remove '.ordered'", [#"@Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop]? }"#])
    ],
    "HIS004": [
      ("do not preserve 'image'", [#"  var image: Data"#])
    ],
    "HIS005": [
      (
        "do not preserve 'birthday'",
        [#"  @Attribute(.allowsCloudEncryption) var birthday: Date  // schema:ignore TYP024 -- shared with SwiftData"#]
      )
    ],
    "HIS006": [
      ("remove '.preserveValueOnDeletion'", [#"@Model class Trip { @Attribute() var guide: Guide? }"#])
    ],
    "IDX006": [
      ("remove the index", [#"@Model class Trip { var isOpen: Bool; var start: Date }"#])
    ],
    "REL005": [
      ("make 'Stop.trip' optional", [#"@Model class Stop { var trip: Trip? }"#]),
      (
        "let 'Trip.stops' cascade",
        [#"@Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }"#]
      ),
      (
        "let 'Trip.stops' deny",
        [#"@Model class Trip { @Relationship(deleteRule: .deny, inverse: \Stop.trip) var stops: [Stop] = [] }"#]
      ),
    ],
    "REL006": [
      (
        "let 'Stop.trip' nullify",
        [#"@Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }"#]
      ),
      (
        "let 'Trip.stops' nullify",
        [#"@Model class Trip { @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop] = [] }"#]
      ),
    ],
    "REL007": [
      (
        "move '.cascade' to 'Trip.stops'",
        [
          #"@Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }"#,
          #"@Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }"#,
        ]
      )
    ],
    "REL008": [
      (
        "let 'Tag.notes' nullify",
        [#"@Model class Tag { @Relationship(deleteRule: .nullify, inverse: nil) var notes: [Note] = [] }"#]
      ),
      (
        "let 'Note.folder' nullify",
        [#"@Model class Note { @Relationship(deleteRule: .nullify, inverse: nil) var folder: Folder? }"#]
      ),
      (
        "let 'Folder.tags' nullify",
        [#"@Model class Folder { @Relationship(deleteRule: .nullify, inverse: nil) var tags: [Tag] = [] }"#]
      ),
    ],
    "REL009": [
      (
        "let 'Node.parent' nullify",
        [#"    @Relationship(deleteRule: .nullify, inverse: \Node.children) var parent: Node?"#]
      ),
      ("let 'Node.children' nullify", [#"    @Relationship(deleteRule: .nullify) var children: [Node] = []"#]),
    ],
    "REL010": [
      (
        "let 'Note.tags' nullify",
        [#"@Model class Note { @Relationship(deleteRule: .nullify, inverse: \Tag.notes) var tags: [Tag] = [] }"#]
      )
    ],
    "REL011": [
      (
        "let 'Order.invoice' nullify",
        [#"@Model class Order { @Relationship(deleteRule: .nullify, inverse: \Invoice.order) var invoice: Invoice? }"#]
      ),
      (
        "let 'Invoice.order' nullify",
        [#"@Model class Invoice { @Relationship(deleteRule: .nullify) var order: Order? }"#]
      ),
    ],
    "REL014": [
      (
        "let 'Trip.stops' nullify",
        [#"@Model class Trip { @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop] = [] }"#]
      )
    ],
    "REL016": [
      (
        "make 'Car.engine' optional",
        [#"@Model class Car { @Relationship(deleteRule: .cascade, inverse: \Engine.car) var engine: Engine? }"#]
      ),
      (
        "make 'Engine.car' optional",
        [#"@Model class Engine { @Relationship(deleteRule: .deny) var car: Car? }"#]
      ),
    ],
    "REL017": [
      ("make 'Node.parent' optional", [#"    @Relationship(inverse: nil) var parent: Node?"#])
    ],
    "REL019": [
      (
        "let 'Trip.stops' cascade",
        [#"@Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }"#]
      )
    ],
    "SYN001": [
      ("insert ':'", [#"  var name: String"#])
    ],
    "REL001": [
      ("add 'var trip: Trip?' to 'Stop'", [#"@Model class Stop { var name: String; var trip: Trip? }"#])
    ],
    "SYN007": [
      ("replace it with 'name'", [#"  #Index<Trip>([\.name])"#])
    ],
    "SYN008": [
      ("write '1.0.0'", [#"schema S 1.0.0"#])
    ],
    "HIS003": [
      (
        "remove '.preserveValueOnDeletion'",
        [#"@Model class Trip { @Attribute(.ephemeral) var isOpen: Bool = false }"#]
      )
    ],
    "SYN002": [
      ("replace it with '.unique'", [#"  @Attribute(.unique) var code: String"#])
    ],
    "SYN004": [
      ("remove the second one", [#"  @Attribute(.unique) var code: String"#])
    ],
    "SYN005": [
      ("remove '.json'", [#"  @Attribute() var size: Int"#])
    ],
    "SYN018": [
      ("remove '.fullText'", [#"@Model class Note { @Attribute() var text: String }"#])
    ],
    "IDX008": [
      (#"write '[\.x, \.y]'"#, [#"@Model class Spot { #Index<Spot>([\.x, \.y]); var x: Double; var y: Double }"#])
    ],
    "TYP024": [
      ("remove '.allowsCloudEncryption'", [#"@Model class Person { var phone: String }"#])
    ],
    "TYP009": [
      ("remove '.externalStorage'", [#"@Model class Trip { @Attribute() var size: Int }"#])
    ],
    "TYP017": [
      ("remove one '?'", [#"@Model class Trip { var note: String? }"#])
    ],
    "TYP001": [
      ("replace it with 'String'", [#"@Model class Trip { var name: String }"#])
    ],
    "TYP006": [
      ("remove the '?'", [#"@Model class Trip { var title: String = "new" }"#]),
      ("remove the default", [#"@Model class Trip { var title: String? }"#]),
    ],
    "TYP010": [
      ("store 'photo' in files", [#"@Model class Trip { @Attribute(.externalStorage) var photo: Data? }"#])
    ],
    "TYP012": [
      ("change the type to 'Decimal'", [#"@Model class Item { var price: Decimal }"#])
    ],
    "TYP023": [
      ("make it optional", ["@Model class Trip { @Attribute(.codable) var colour: Colour? }"])
    ],
    "TYP016": [
      ("change the type to 'Int64'", [#"@Model class Trip { var distance: Int64 }"#])
    ],
    "UNQ001": [
      ("make 'code' required", [#"@Model class Trip { @Attribute(.unique) var code: String }"#])
    ],
    "UNQ008": [
      (
        "let 'Trip.stops' cascade",
        [#"@Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }"#]
      ),
      (
        "let 'Trip.stops' deny",
        [#"@Model class Trip { @Relationship(deleteRule: .deny, inverse: \Stop.trip) var stops: [Stop] = [] }"#]
      ),
    ],
  ]

  @Test(arguments: RuleCatalogue.all.indices)
  func everyChoiceWritesTheExpectedLines(_ index: Int) {
    let rule = RuleCatalogue.all[index]
    // The tests of the rules compare safe fixes.
    guard rule.fix != .auto || !LintRules.all.contains(where: { $0.id == rule.id }), let text = rule.example?.bad
    else { return }
    let file = SourceFile(path: "Trips.schema", text: text)
    let offered = lintFindings(file, Set(rule.profile.map { [$0] } ?? []), of: rule.id.code).flatMap(\.fixIts)
    let old = Set(text.split(separator: "\n").map(String.init))
    let found = offered.map { choice in
      let new = file.applying(choice.edits, file: 0)
      let lines = new.text(from: 0, to: new.bytes.count).split(separator: "\n").map(String.init)
      return "\(choice.title): \(lines.filter { !old.contains($0) })"
    }
    let expected = (Self.choices[rule.id.code] ?? []).map { "\($0.title): \($0.lines)" }
    #expect(found == expected, "\(rule.id)")
  }
}
