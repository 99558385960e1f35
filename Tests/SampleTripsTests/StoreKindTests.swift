import Foundation
import Testing

@testable import SampleTrips

/// The application gives the same answers whatever keeps its trips.
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
    "list", "stats", "show Lights", "import FILE", "import FILE", "list", "list --upcoming --limit 3",
    "list --destination Oslo", "list --purpose reunion --reverse", "list --unconfirmed",
    "list --from 2027-03-01 --until 2027-06-01", "list --sort budget --from 2027-01-01",
    "list --sort name --limit 2 --offset 1", "search hvala", "search OÐINSVE", "search nothing",
    "show Lights", "show Class", "stats",
    "add Weekend --destination Paris --start 2027-05-01 --end 2027-05-03 --purpose personal",
    "confirm Lights", "confirm BR-2 --undo", "confirm nobody", "show Lights", "list",
    "delete Audit --dry-run", "delete Audit", "delete --ended-before 2024-01-01", "list", "stats",
    "search park",
  ]

  @Test func bothStoresAnswerAlike() throws {
    let programs = [try Program(), try Program(kind: "json:")]
    let answers = try programs.map { program in
      let file = try program.file("plans.csv", Self.plans)
      return Self.commands.map { command in
        let words = command.split(separator: " ").map { $0 == "FILE" ? file : String($0) }
        let outcome = program.run(words: words)
        return "\(command): \(outcome.status)\n\(outcome.out)\(outcome.error)"
          .replacing(program.folder.path, with: "FOLDER").replacing("json:", with: "")
          .replacing(/in [0-9.]+ s:/, with: "in no time:")
      }
    }
    for (database, json) in zip(answers[0], answers[1]) { #expect(database == json) }
    #expect(answers[0].contains { $0.hasPrefix("show Lights: 0") && $0.contains("Sauna") })
    #expect(answers[0].contains { $0.hasPrefix("delete Audit: 0") })
    let text = try String(contentsOfFile: programs[1].path("trips.store"), encoding: .utf8)
    #expect(text.hasPrefix("{\n\"format\": \"trellis models\""))
    #expect(text.contains("\"destination\":\"Tromsø\""))
  }
}
