import Foundation
import Testing

@testable import SampleTrips

struct TripFileTests {
  private func read(_ text: String) -> TripFile {
    var file = TripFile(name: "plans.csv", bytes: Array(text.utf8))
    file.read { _ in }
    return file
  }

  @Test func readsEveryColumnInAnyOrder() throws {
    let file = read(
      """
      End,Start,Name,Destination,Purpose,Budget,Tags,Bucket_List,Accommodation,Booking-Reference,\
      price per night,street,postal code,city,country,confirmed
      2027-02-09,2027-02-03,Lights,Tromsø,Reunion,1800.50,"snow, family","[x] Sauna
      [ ] Dogs
      Fjord",Harbour Rooms,BR-1,160,Sjøgata 11,9008,Tromsø,Norway,yes

      """)
    #expect(file.problems == [])
    let record = try #require(file.records.first)
    #expect(record.name == "Lights")
    #expect(Day.format(record.startDate) == "2027-02-03")
    #expect(Day.format(record.endDate) == "2027-02-09")
    #expect(record.kind == .reunion)
    #expect(record.budget == Decimal(string: "1800.5"))
    #expect(record.tags == ["snow", "family"])
    #expect(record.wishes.map(\.title) == ["Sauna", "Dogs", "Fjord"])
    #expect(record.wishes.map(\.isInPlan) == [true, false, false])
    let stay = try #require(record.stay)
    #expect(stay.bookingReference == "BR-1")
    #expect(stay.address.lines == ["Sjøgata 11", "9008 Tromsø", "Norway"])
    #expect(stay.isConfirmed)
  }

  @Test func reportsLineAndColumnOfEveryError() {
    let file = read(
      """
      name,destination,start,end,purpose,budget,confirmed
      Skiing,Zermatt,2027-01-09,2027-13-40,personal,1.200,maybe
      ,Oslo,2027-02-30,2027-03-01,,,
      Short,Oslo
      Backwards,Oslo,2027-03-05,2027-03-01,fun,12,no
      """)
    #expect(
      file.problems == [
        "plans.csv:2: column 'end': '2027-13-40' is not a day; write it like 2026-03-28",
        "plans.csv:2: column 'confirmed': 'maybe' is neither yes nor no",
        "plans.csv:3: column 'name': a value is missing",
        "plans.csv:3: column 'start': '2027-02-30' is not a day; write it like 2026-03-28",
        "plans.csv:4: 2 fields, but the first line has 7",
        "plans.csv:5: column 'purpose': 'fun' is not one of personal, business, reunion",
        "plans.csv:5: column 'end': 2027-03-01 is before the start, 2027-03-05",
      ])
    #expect(file.records.isEmpty)
  }

  @Test(arguments: [
    ("", "plans.csv: the file is empty"),
    ("name,destination,start\n", "plans.csv:1: column 'end' is missing"),
    (
      "name,destinaton,destination,start,end\n",
      "plans.csv:1: unknown column 'destinaton'; did you mean 'destination'?"
    ),
    ("name,destination,start,end,Name\n", "plans.csv:1: duplicate column 'name'"),
  ])
  func rejectsAnInvalidHeader(text: String, problem: String) {
    #expect(read(text).problems == [problem])
  }

  @Test func rejectsABookingForTwoTrips() {
    let file = read(
      """
      name,destination,start,end,accommodation,booking reference
      A,Oslo,2027-01-01,2027-01-02,Park,BR-1
      B,Oslo,2027-01-05,2027-01-06,Park,BR-1
      """)
    #expect(file.problems == ["plans.csv:3: booking reference 'BR-1' is already used on line 2"])
  }

  @Test func stopsAfterManyErrors() {
    let rows = String(repeating: "x,y,no,no\n", count: 1_000)
    let file = read("name,destination,start,end\n" + rows)
    #expect(file.problems.count <= TripFile.mostProblems + 1)
  }
}
