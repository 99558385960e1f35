import Foundation
import Testing
import Trellis

@testable import SampleTrips

/// The application and its widget run as processes. Each change of the widget is shown once.
struct UnreadTests {
  private let programs: Programs

  init() throws {
    programs = try Programs()
    for (name, booking) in [("Lights", "BR-1"), ("Audit", "BR-2")] {
      _ = try programs.text(
        "trips", "add", name, "--destination", "Oslo", "--start", "2027-02-03", "--end", "2027-02-09",
        "--stay", "Park \(booking)", "--booking", booking)
    }
  }

  @Test func theBadgeShowsOnce_andOnlyOnThatTrip() throws {
    #expect(try programs.text("trips", "unread") == "Nothing new.\n")
    #expect(try programs.text("trips-widget", "BR-1") == "Park BR-1 has confirmed.\n")
    // Changes of the application are not shown.
    _ = try programs.text("trips", "confirm", "BR-2")
    #expect(try programs.text("trips", "unread") == "● Lights, 3 – 9 Feb 2027: Park BR-1, confirmed\n")
    #expect(try programs.text("trips", "unread") == "Nothing new.\n")
    // Confirming a confirmed booking changes nothing.
    #expect(try programs.text("trips-widget", "BR-1") == "Park BR-1 has confirmed.\n")
    #expect(try programs.text("trips", "unread") == "Nothing new.\n")
    _ = try programs.text("trips", "confirm", "BR-2", "--undo")
    _ = try programs.text("trips-widget", "BR-2")
    #expect(try programs.text("trips", "unread") == "● Audit, 3 – 9 Feb 2027: Park BR-2, confirmed\n")
  }

  @Test func theFirstRunShowsAllChangesOfTheWidget() throws {
    _ = try programs.text("trips-widget", "BR-2")
    #expect(try programs.text("trips", "unread") == "● Audit, 3 – 9 Feb 2027: Park BR-2, confirmed\n")
    #expect(try programs.text("trips", "unread") == "Nothing new.\n")
    // A damaged file is treated as a missing file.
    let file = programs.folder.appending(path: "trips.unread")
    try Data("{".utf8).write(to: file)
    #expect(try programs.text("trips", "unread") == "● Audit, 3 – 9 Feb 2027: Park BR-2, confirmed\n")
  }

  @Test func deletedTripsHaveNoBadge() throws {
    _ = try programs.text("trips-widget", "BR-2")
    _ = try programs.text("trips", "delete", "Audit")
    #expect(try programs.text("trips", "unread") == "Nothing new.\n")
  }

  @Test(arguments: [false, true])
  func expiredTokensStartOver(somethingFollows: Bool) throws {
    #expect(try programs.text("trips", "unread") == "Nothing new.\n")
    _ = try programs.text("trips-widget", "BR-1")
    do {
      let context = ModelContext(try TripsStore.container(TripsStore.configuration(programs.store)))
      try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
    if somethingFollows { _ = try programs.text("trips", "confirm", "BR-1", "--undo") }
    #expect(
      try programs.text("trips", "unread") == """
        Part of the history since the last call was deleted, so the new changes are unknown.
        'trips list' shows all trips; later changes are shown here again.

        """)
    #expect(try programs.text("trips", "unread") == "Nothing new.\n")
    _ = try programs.text("trips-widget", "BR-2")
    #expect(try programs.text("trips", "unread") == "● Audit, 3 – 9 Feb 2027: Park BR-2, confirmed\n")
  }

  @Test func bothProgramsFindTheStoreInTheDataFolder() throws {
    let words = [
      "add", "Fair", "--destination", "Köln", "--start", "2027-08-01", "--end", "2027-08-03", "--stay", "Ibis",
      "--booking", "BR-9",
    ]
    #expect(try programs.start("trips", words).outcome().status == 0)
    #expect(try programs.start("trips-widget", ["BR-9"]).outcome().out == "Ibis has confirmed.\n")
    #expect(
      try programs.start("trips", ["unread"]).outcome().out == "● Fair, 1 – 3 Aug 2027: Ibis, confirmed\n")
  }

  /// The store's file can be copied alone after each of them.
  @Test(arguments: [
    ["trips", "list"], ["trips", "show", "Lights"], ["trips", "show", "nothing"], ["trips", "unread"],
    ["trips", "watch", "--for", "0"], ["trips", "confirm", "BR-1"], ["trips-widget", "BR-1"], ["trips-widget", "BR-7"],
  ])
  func programsCloseTheStoreOnExit(words: [String]) throws {
    let outcome = try programs.start(words[0], words.dropFirst() + ["--store", programs.store]).outcome()
    #expect(outcome.out.isEmpty != outcome.error.isEmpty)
    let files = try FileManager.default.contentsOfDirectory(atPath: programs.folder.path)
    #expect(files.filter { $0.hasPrefix("trips.store") } == ["trips.store"])
  }

  @Test func widgetErrors() throws {
    #expect(
      try programs.run("trips-widget", "BR-7")
        == Programs.Outcome(status: 1, out: "", error: "error: the booking 'BR-7' does not exist\n"))
    let usage = "error: usage: trips-widget BOOKING [--store PATH]\n"
    #expect(try programs.run("trips-widget") == Programs.Outcome(status: 2, out: "", error: usage))
    let other = try Programs()
    #expect(
      try other.run("trips-widget", "BR-1")
        == Programs.Outcome(status: 1, out: "", error: "error: no store exists at \(other.store)\n"))
    #expect(!FileManager.default.fileExists(atPath: other.store))
  }

  @Test(arguments: ["unread", "watch"]) func onlySQLiteStoresHaveAHistory(verb: String) throws {
    let outcome = try Program(kind: "json:").run(verb)
    #expect(outcome.status == 1)
    #expect(outcome.error == "error: a JSON file does not have this kind of history\n")
    #expect(try Program().run(verb).error.hasPrefix("error: no store exists at "))
  }
}
