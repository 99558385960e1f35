import Foundation
import Trellis

/// `trips import FILE.csv`: imports trips from comma-separated values.
struct Import: Verb {
  static let name = "import"
  static let operands = "FILE.csv"
  static let summary = "import trips from a CSV file"
  static let discussion = """
    The first line contains the column names. Required: name, destination, start and end (days such as
    2026-03-28). Optional: purpose (\(TripKind.list)), budget, tags, bucket list (one wish per line,
    '[x] ' before planned wishes), accommodation, booking reference, price per night, street, postal code,
    city, country and confirmed (yes or no). '-' reads standard input.

    Existing trips with the same name and days are updated. Nothing is removed, and nothing is saved if the
    file contains an error.
    """
  static let options: [Option] = [.dryRun]
  static let examples = ["import Schemas/SampleTrips/trips.csv", "import --dry-run plans.csv"]

  private let path: String
  private let isDry: Bool

  init(_ arguments: Arguments) throws {
    path = try arguments.operand("FILE.csv")
    isDry = arguments.has("--dry-run")
  }

  func run(_ session: Session) throws {
    let began = ContinuousClock.now
    let console = session.console
    let file = try read(console)
    let context = try session.makeContext()
    var importer = try Importer(context: context)
    for (number, record) in file.records.enumerated() {
      importer.take(record)
      if number % 100 == 0 {
        console.progress("\(number.grouped) of \(file.records.count.of("trip"))")
      }
    }
    if !isDry {
      console.progress("saving \(file.records.count.of("trip")) …")
      try context.save()
    }
    console.progress(nil)
    report(importer.summary, ContinuousClock.now - began, console)
  }

  private func read(_ console: Console) throws -> TripFile {
    var file = TripFile(name: path, bytes: try bytes())
    file.read { console.progress("reading \(path) … \(Int($0 * 100)) %") }
    console.progress(nil)
    guard file.problems.isEmpty else {
      for problem in file.problems { console.error(problem + "\n") }
      let more = file.problems.count >= TripFile.mostProblems ? " or more" : ""
      throw Failure(
        message: "nothing was imported: \(file.problems.count.of("problem"))\(more) in \(path)")
    }
    return file
  }

  private func bytes() throws -> [UInt8] {
    if path == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Failure(message: "the file '\(path)' does not exist")
    }
    guard !isFolder.boolValue else { throw Failure(message: "'\(path)' is a folder, not a file") }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(message: "'\(path)' cannot be read", hint: "check its permissions")
    }
    return Array(data)
  }

  private func report(_ summary: Importer.Summary, _ time: Duration, _ console: Console) {
    let seconds = (time / .seconds(1)).formatted(
      .number.precision(.fractionLength(2)).locale(Locale(identifier: "en_US")))
    let verb = isDry ? "Would import" : "Imported"
    console.print(
      "\(verb) \(summary.trips.of("trip")) in \(seconds) s: "
        + "\(summary.new.grouped) new, \(summary.changed.grouped) changed, "
        + "\(summary.unchanged.grouped) unchanged.")
    if summary.wishes + summary.stays > 0 {
      console.print(
        "Includes \(summary.wishes.of("bucket-list item")) "
          + "and \(summary.stays.of("place to stay", "places to stay")).")
    }
  }
}
