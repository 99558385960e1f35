import Foundation
import Testing

@testable import SampleTrips

/// The application gives equal results with all kinds of stores.
struct StoreKindTests {
  private static let plans = """
    name,destination,start,end,purpose,budget,tags,bucket list,accommodation,booking reference,confirmed
    Lights,Tromsø,2027-02-03,2027-02-09,personal,1800,snow,"[x] Sauna
    Dogs",Harbour Rooms,BR-1,no
    Audit,Oslo,2027-03-01,2027-03-03,business,90,,,Park,BR-2,yes
    Class of 1998,Bergen,2027-06-01,2027-06-05,reunion,,,Fløibanen,,,
    Class of 1998,Reykjavík,2028-06-01,2028-06-05,reunion,300,,Hvalaskoðun 🐋,Óðinsvé,,
    Long ago,Oslo,2020-01-01,2020-01-02,personal,,,,,,

    """

  private static let commands = [
    "list", "stats", "show Lights", "import FILE --dry-run", "import FILE", "import FILE", "list",
    "list --upcoming --limit 3",
    "list --destination Oslo", "list --purpose reunion --reverse", "list --unconfirmed",
    "list --from 2027-03-01 --until 2027-06-01", "list --sort budget --from 2027-01-01",
    "list --sort name --limit 2 --offset 1", "search hvala", "search OÐINSVE", "search nothing",
    "search class --limit 1", "show Lights", "show Class", "show Class --start 2028-06-01", "stats",
    "stats --top 1",
    "add Weekend --destination Paris --start 2027-05-01 --end 2027-05-03 --purpose personal",
    "add Fair --destination Köln --start 2027-08-01 --end 2027-08-03 --purpose business --budget 12.5 "
      + "--tag work --tag fair --wish Dom --wish Zoo --stay Ibis --booking BR-9 --street Ring "
      + "--city Deutz --country Germany --confirmed", "show Fair",
    "add Weekend --destination Paris --start 2027-05-01 --end 2027-05-03 --budget 5", "show Weekend",
    "add Backwards --destination Paris --start 2027-05-03 --end 2027-05-01",
    "confirm Class --start 2028-06-01", "confirm Lights", "confirm BR-2 --undo", "confirm nobody", "show Lights",
    "list", "delete Class --start 2027-06-01",
    "delete Class", "delete Audit --dry-run", "delete Audit", "delete nothing", "delete --ended-before 2024-01-01",
    "list", "stats",
    "search park",
  ]

  private static func answers(of program: Program, to plans: String = plans) throws -> [String] {
    let file = try program.file("plans.csv", plans)
    return commands.map { command in
      let words = command.split(separator: " ").map { $0 == "FILE" ? file : String($0) }
      let outcome = program.run(words: words)
      return "\(command): \(outcome.status)\n\(outcome.out)\(outcome.error)"
        .replacing(program.folder.path, with: "FOLDER").replacing("json:", with: "")
        .replacing(/in [0-9.]+ s:/, with: "in no time:")
    }
  }

  @Test func bothStoresReturnEqualResults() throws {
    let programs = [try Program(), try Program(kind: "json:")]
    let answers = try programs.map { try Self.answers(of: $0) }
    for (database, json) in zip(answers[0], answers[1]) { #expect(database == json) }
    #expect(answers[0].contains { $0.hasPrefix("show Lights: 0") && $0.contains("Sauna") })
    #expect(answers[0].contains { $0.hasPrefix("delete Audit: 0") })
    let text = try String(contentsOfFile: programs[1].path("trips.store"), encoding: .utf8)
    #expect(text.contains("\"destination\" : \"Tromsø\""))
  }

  private static let known = Result { try answers(of: Program()) }

  /// A difference of one letter, day or wish changes the output.
  @Test(arguments: [
    ("Dogs", "Docks"), ("2027-02-09", "2027-02-10"), (",1800,", ",1801,"), ("BR-2,yes", "BR-2,no"),
    ("Hvalaskoðun", "Hvala"), ("reunion,300", "personal,300"),
  ])
  func differentDataChangesTheOutput(text: String, other: String) throws {
    let known = try Self.known.get()
    let changed = try Self.answers(of: Program(kind: "json:"), to: Self.plans.replacing(text, with: other))
    #expect(zip(known, changed).contains { $0 != $1 })
  }

  @Test func everyVerbAndOptionIsTested() {
    // These verbs require SQLite: the first release supported only SQLite, and only SQLite stores have a history here.
    let others = [Vintage.name, Unread.name, Watch.name]
    for verb in Trips.verbs where !others.contains(verb.name) {
      let lines = Self.commands.filter { $0.split(separator: " ").first.map(String.init) == verb.name }
      #expect(!lines.isEmpty, "\(verb.name)")
      for option in verb.options {
        #expect(lines.contains { $0.contains(option.name) }, "\(verb.name) \(option.name)")
      }
    }
  }
}
