import Foundation
import Testing

@testable import SampleTrips

struct ImportTests {
  private static let plans = """
    name,destination,start,end,purpose,budget,tags,bucket list,accommodation,booking reference,confirmed
    Lights,Tromsø,2027-02-03,2027-02-09,personal,1800,snow,"[x] Sauna
    Dogs",Harbour Rooms,BR-1,no
    Audit,Oslo,2027-03-01,2027-03-03,business,,,,Park,BR-2,yes
    Class of 1998,Bergen,2027-06-01,2027-06-05,reunion,300,,,,,

    """

  @Test func repeatedImportsAddNothing() throws {
    let program = try Program()
    let file = try program.file("plans.csv", Self.plans)
    let first = program.run("import", file)
    #expect(first.error == "")
    #expect(first.out.contains(/^Imported 3 trips in .*: 3 new, 0 changed, 0 unchanged\.\n/))
    #expect(first.out.hasSuffix("Includes 2 bucket-list items and 2 places to stay.\n"))
    let second = program.run("import", file)
    #expect(second.out.contains(/^Imported 3 trips in .*: 0 new, 0 changed, 3 unchanged\.\n$/))
    #expect(program.run("stats").out.hasPrefix("3 trips, 3 upcoming.\n2 bucket"))
  }

  @Test func updatesTripsWithoutRemovingData() throws {
    let program = try Program()
    _ = program.run("import", try program.file("plans.csv", Self.plans))
    _ = program.run("confirm", "BR-1")
    let changed = Self.plans.replacing("1800,snow", with: "2000,snow")
      .replacing("Dogs", with: "[x] Fjord")
    let outcome = program.run("import", try program.file("changed.csv", changed))
    #expect(outcome.out.contains(": 0 new, 1 changed, 2 unchanged."))
    let page = program.run("show", "Lights").out
    #expect(page.contains("2,000.00"))
    #expect(page.contains("Harbour Rooms, confirmed"))
    #expect(page.hasSuffix("  · Dogs\n  ✓ Fjord\n  ✓ Sauna\n"))
  }

  @Test func aDryRunSavesNothing() throws {
    let program = try Program()
    let file = try program.file("plans.csv", Self.plans)
    #expect(program.run("import", "--dry-run", file).out.hasPrefix("Would import 3 trips in "))
    #expect(program.run("list").out == "No trips.\n")
  }

  @Test func filesWithErrorsSaveNothing() throws {
    let program = try Program()
    let file = try program.file("plans.csv", Self.plans.replacing("2027-03-03", with: "soon"))
    let outcome = program.run("import", file)
    #expect(outcome.status == 1)
    #expect(
      outcome.error == """
        \(file):4: column 'end': 'soon' is not a day; write it like 2026-03-28
        error: nothing was imported: 1 problem in \(file)

        """)
    #expect(program.run("list").error.contains("no store exists at "))
  }

  @Test func theSampleFileHasTheDocumentedSize() throws {
    let program = try Program()
    let file = URL(filePath: #filePath)
      .appending(path: "../../../Schemas/SampleTrips/trips.csv").standardized.path
    let outcome = program.run("import", file)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.out.contains(": 2,400 new, 0 changed, 0 unchanged."))
    #expect(program.run("import", file).out.contains(": 0 new, 0 changed, 2,400 unchanged."))
  }
}
