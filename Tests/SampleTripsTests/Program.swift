import Foundation

@testable import SampleTrips

/// The application over a store of its own, without a process and without a terminal.
final class Program {
  let folder: URL
  /// What `--store` is given, apart from the folder.
  private let kind: String

  /// - Parameter kind: what stands before the path of the store.
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

  /// Noon on 21 November 2026, so that what is upcoming does not change with the day.
  static let now = Date(timeIntervalSince1970: 1_795_262_400)

  func run(_ words: String...) -> Outcome { run(words: words) }

  func run(words: [String]) -> Outcome {
    let output = Output()
    let console = Console(out: { output.out += $0 }, error: { output.error += $0 })
    let status = Trips.run(
      words + ["--store", kind + path("trips.store")], console: console, now: Self.now)
    return Outcome(status: status, out: output.out, error: output.error)
  }

  /// Writes a file of trips and gives back its path.
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
