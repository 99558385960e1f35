import Foundation
import Testing

@testable import SampleTrips

struct VerbTests {
  private let program: Program

  init() throws {
    program = try Program()
    let file = try program.file(
      "plans.csv",
      """
      name,destination,start,end,purpose,budget,bucket list,accommodation,booking reference,confirmed
      Lights,Tromsø,2027-02-03,2027-02-09,personal,1800,"[x] Sauna
      Dogs",Harbour Rooms,BR-1,no
      Audit,Oslo,2027-03-01,2027-03-03,business,90,,Park,BR-2,yes
      Class of 1998,Bergen,2027-06-01,2027-06-05,reunion,,Fløibanen,,,
      Class of 1998,Reykjavík,2028-06-01,2028-06-05,reunion,300,Hvalaskoðun 🐋,Óðinsvé,,
      Long ago,Oslo,2020-01-01,2020-01-02,personal,,,,,
      """)
    #expect(program.run("import", file).status == 0)
  }

  @Test func listsInColumns() {
    #expect(
      program.run("list", "--upcoming", "--limit", "3").out == """
        Trip           Destination  Days            Nights  Purpose     Budget  Stay
        ─────────────  ───────────  ──────────────  ──────  ────────  ────────  ───────────────
        Lights         Tromsø       3 – 9 Feb 2027       6  personal  1,800.00  ? Harbour Rooms
        Audit          Oslo         1 – 3 Mar 2027       2  business     90.00  ✓ Park
        Class of 1998  Bergen       1 – 5 Jun 2027       4  reunion          –  –
        1–3 of 4 trips; use --limit and --offset to see others

        """)
  }

  @Test(arguments: [
    (["--destination", "Oslo"], ["Long ago", "Audit"]),
    (["--purpose", "reunion", "--reverse"], ["Class of 1998", "Class of 1998"]),
    (["--from", "2027-03-01", "--until", "2027-06-01"], ["Audit", "Class of 1998"]),
    (["--unconfirmed"], ["Lights", "Class of 1998"]),
    (
      ["--sort", "budget", "--from", "2027-01-01"],
      ["Class of 1998", "Audit", "Class of 1998", "Lights"]
    ),
    (["--sort", "name", "--limit", "2"], ["Audit", "Class of 1998"]),
    (["--offset", "4"], ["Class of 1998"]),
  ])
  func conditionsAreCombined(options: [String], names: [String]) {
    let output = OutputLines(program.run(words: ["list"] + options).out)
    #expect(output.firstCells == names)
  }

  @Test(arguments: [
    ("REYKJAVIK", "destination"), ("hvala", "bucket list: Hvalaskoðun 🐋"),
    ("OÐINSVE", "stay: Óðinsvé"), ("lights", "name"),
  ])
  func searchIgnoresCapitalsAndAccents(text: String, place: String) {
    let outcome = program.run("search", text)
    #expect(outcome.out.contains(place))
    #expect(outcome.out.hasSuffix("\n1 trip\n"))
  }

  @Test func addsShowsConfirmsAndDeletesTrips() {
    let added = program.run(
      "add", "Été à Lyon 🌞", "--destination", "Lyon", "--start", "2027-07-01", "--end",
      "2027-07-08",
      "--budget", "950.5", "--wish", "Bouchon", "--wish", "Traboules", "--stay", "Hôtel du Lac",
      "--booking", "BR-9", "--country", "France")
    #expect(added.error == "")
    let page = program.run("show", "été à").out
    #expect(page == added.out)
    #expect(page.contains("950.50"))
    #expect(page.contains("Hôtel du Lac, not confirmed yet"))
    #expect(program.run("confirm", "BR-9").out == "Hôtel du Lac, 1 – 8 Jul 2027: confirmed.\n")
    #expect(program.run("confirm", "BR-9").out == "Hôtel du Lac was already confirmed.\n")
    #expect(program.run("show", "BR-9").out.contains("Hôtel du Lac, confirmed"))
    #expect(
      program.run("delete", "Été à Lyon 🌞").out == """
        Deleted 'Été à Lyon 🌞', 1 – 8 Jul 2027.
        Removed: 1 trip, 2 bucket-list items, 1 place to stay. Remaining: 5 trips.

        """)
  }

  @Test func deletesOldTrips() {
    let dry = program.run("delete", "--ended-before", "2027-03-01", "--dry-run")
    #expect(dry.out == "Would delete every trip that ended before 1 Mar 2027.\n")
    let outcome = program.run("delete", "--ended-before", "2027-03-01")
    #expect(
      outcome.out.hasSuffix("Removed: 2 trips, 2 bucket-list items, 1 place to stay. Remaining: 3 trips.\n")
    )
  }

  @Test func ambiguousNamesAreReported() {
    let vague = program.run("show", "class of")
    #expect(vague.status == 1)
    #expect(vague.error.contains("error: 'class of' matches 2 trips\n"))
    #expect(vague.error.contains("1 – 5 Jun 2028"))
    #expect(program.run("show", "class of", "--start", "2028-06-01").status == 0)
  }

  @Test func duplicateTripsAreNotAdded() {
    let outcome = program.run(
      "add", "Audit", "--destination", "Oslo", "--start", "2027-03-01", "--end", "2027-03-03")
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("error: a trip 'Audit' already exists on these days\n"))
  }

  struct Mistake: Sendable {
    var words: [String]
    var status: Int32 = 2
    var message: String
    var hint: String?
  }

  static let mistakes: [Mistake] = [
    Mistake(
      words: ["serach", "x"],
      message: "unknown verb 'serach'",
      hint: "did you mean 'trips search'?"),
    Mistake(
      words: ["list", "--limt", "3"],
      message: "unknown option '--limt'",
      hint: "did you mean '--limit'?"),
    Mistake(words: ["list", "--limit", "many"], message: "'--limit' must be a number, not 'many'"),
    Mistake(
      words: ["list", "--from", "June"],
      message: "'--from': 'June' is not a day; write it like 2026-03-28"),
    Mistake(
      words: ["list", "--purpose", "fun"],
      message: "'--purpose' must be one of personal, business, reunion, not 'fun'"),
    Mistake(
      words: ["add", "X", "--destination", "Y", "--start", "2027-01-01"],
      message: "'--end' is missing"),
    Mistake(words: ["show"], message: "NAME is missing"),
    Mistake(
      words: ["show", "a", "b"],
      message: "unexpected argument 'b'",
      hint: "put NAME in quotation marks if it contains spaces"),
    Mistake(
      words: ["show", "Adit"], status: 1,
      message: "no trip matches 'Adit'",
      hint: "did you mean 'Audit'?"),
    Mistake(
      words: ["confirm", "Long ago"], status: 1,
      message: "'Long ago' has no place to stay yet"),
    Mistake(words: ["import", "none.csv"], status: 1, message: "the file 'none.csv' does not exist"),
    Mistake(words: ["import", "/"], status: 1, message: "'/' is a folder, not a file"),
  ]

  @Test(arguments: mistakes) func errorsAreExplained(_ mistake: Mistake) {
    let outcome = program.run(words: mistake.words)
    #expect(outcome.status == mistake.status)
    #expect(outcome.out == "")
    let hint = mistake.hint.map { "       \($0)\n" } ?? ""
    #expect(outcome.error == "error: \(mistake.message)\n" + hint)
  }

  @Test func everyVerbHasHelp() {
    for verb in Trips.verbs {
      let outcome = program.run(verb.name, "--help")
      #expect(outcome.status == 0)
      #expect(outcome.out.contains("Usage: trips \(verb.name)"))
      for option in verb.options { #expect(outcome.out.contains(option.name)) }
      #expect(!verb.examples.isEmpty)
    }
  }

  @Test func otherFilesAreNotChanged() throws {
    let other = try Program()
    let text = String(repeating: "not a database ", count: 100)
    let path = try other.file("trips.store", text)
    let outcome = other.run("list")
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("error: loadIssueModelContainer: "))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }
}

/// The rows of a table without its header and summary.
private struct OutputLines {
  var firstCells: [String]

  init(_ text: String) {
    firstCells = text.split(separator: "\n").dropFirst(2).dropLast().map { line in
      String(line.split(separator: "  ", maxSplits: 1)[0]).trimmingCharacters(in: .whitespaces)
    }
  }
}
