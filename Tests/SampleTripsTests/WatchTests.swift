import Foundation
import Testing

/// A process shows the saves of another process immediately.
struct WatchTests {
  private let programs: Programs

  init() throws {
    programs = try Programs()
    try add("Lights", "--stay", "Park", "--booking", "BR-1")
  }

  private func add(_ name: String, _ more: String...) throws {
    let words = ["add", name, "--destination", "Oslo", "--start", "2027-02-03", "--end", "2027-02-09"]
    let outcome = try programs.start("trips", words + more + ["--store", programs.store]).outcome()
    #expect(outcome.status == 0, "\(outcome)")
  }

  /// Starts a process that shows a number of changes, and waits until it is ready.
  private func watch(_ count: Int) throws -> Programs.Running {
    // The time limit applies to failing tests only.
    let words = ["watch", "--count", "\(count)", "--for", "300", "--store", programs.store]
    let watcher = try programs.start("trips", words)
    #expect(watcher.lines() == "Watching \(programs.store)\n")
    return watcher
  }

  @Test func eachChangeIsShownOnOneLine() throws {
    let watcher = try watch(9)
    _ = try programs.text("trips-widget", "BR-1")
    #expect(watcher.lines() == "widget: confirmed Park, for 'Lights'\n")
    _ = try programs.text("trips", "confirm", "BR-1", "--undo")
    #expect(watcher.lines() == "trips: no longer confirms Park, for 'Lights'\n")
    try add("Audit", "--wish", "Dom")
    #expect(watcher.lines(2) == "trips: planned 'Audit'\ntrips: wished for Dom, for 'Audit'\n")
    try add("Fair", "--stay", "Ibis")
    #expect(watcher.lines(2) == "trips: planned 'Fair'\ntrips: added Ibis, for 'Fair'\n")
    let plans = programs.folder.appending(path: "plans.csv")
    try Data("name,destination,start,end,budget\nLights,Bergen,2027-02-03,2027-02-09,90\n".utf8).write(to: plans)
    _ = try programs.text("trips", "import", plans.path)
    #expect(watcher.lines() == "trips: changed destination, budget of 'Lights'\n")
    _ = try programs.text("trips", "delete", "Audit")
    let outcome = watcher.outcome()
    // The trip is shown before the models deleted with it.
    #expect(outcome.out == "trips: deleted 'Audit', 3 – 9 Feb 2027\ntrips: deleted a wish\n")
    #expect(outcome.status == 0 && outcome.error == "")
  }

  @Test func savesWithManyChangesAreTruncated() throws {
    let watcher = try watch(15)
    let rows = (1...15).map { "Trip \($0),Oslo,2027-03-01,2027-03-02\n" }.joined()
    let plans = programs.folder.appending(path: "plans.csv")
    try Data("name,destination,start,end\n\(rows)".utf8).write(to: plans)
    _ = try programs.text("trips", "import", plans.path)
    let lines = watcher.outcome().out.split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines.last == "trips: and 5 more changes")
  }

  @Test func ctrlCEndsTheProgram_withTheStoreClosed() throws {
    let watcher = try watch(9)
    _ = try programs.text("trips-widget", "BR-1")
    #expect(watcher.lines() == "widget: confirmed Park, for 'Lights'\n")
    #expect(FileManager.default.fileExists(atPath: programs.store + "-wal"))
    watcher.interrupt()
    #expect(watcher.outcome() == Programs.Outcome(status: 0, out: "", error: ""))
    #expect(!FileManager.default.fileExists(atPath: programs.store + "-wal"))
  }

  @Test func endsAfterTheGivenDuration() throws {
    let words = ["watch", "--for", "0", "--store", programs.store]
    #expect(try programs.start("trips", words).outcome().out == "Watching \(programs.store)\n")
  }
}
