import Foundation

@testable import SampleTrips

/// Runs the application in this process with a temporary store.
final class Program {
  let folder: URL
  /// The prefix of the store argument.
  private let kind: String

  /// - Parameter kind: The prefix before the path of the store.
  init(kind: String = "") throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory
      .appending(path: "trips-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  struct Outcome {
    var status: Int32
    var out: String
    var error: String
  }

  /// Noon on 21 November 2026, so that upcoming trips do not depend on the current day.
  static let now = Date(timeIntervalSince1970: 1_795_262_400)

  func run(_ words: String...) -> Outcome { run(words: words) }

  func run(words: [String]) -> Outcome {
    let output = Output()
    let console = Console(out: { output.out += $0 }, error: { output.error += $0 })
    let status = Trips.run(
      words + ["--store", kind + path("trips.store")], console: console, now: Self.now)
    return Outcome(status: status, out: output.out, error: output.error)
  }

  /// Writes a file of trips and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  private final class Output {
    var out = ""
    var error = ""
  }
}
