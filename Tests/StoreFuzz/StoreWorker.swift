import Foundation
import FuzzSupport
import SchemaCommands
import SchemaDriver
import StoreCommands
import TestSupport

/// Runs verbs on mutated files one by one and records the progress on the board.
struct StoreWorker {
  let seed: UInt64
  let board: Board?
  /// The folder for files that fail.
  let folder: String?
  private let subjects: [Subject]
  /// Contains `source`, which no verb may change, and `target`.
  private let work: URL

  /// - Parameter work: A folder that does not exist yet.
  init(seed: UInt64, work: URL, board: Board?, folder: String?) throws {
    self.seed = seed
    self.board = board
    self.folder = folder
    self.work = work
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    subjects = try Subject.all(in: work)
    for name in try FileManager.default.contentsOfDirectory(atPath: work.path) {
      try FileManager.default.removeItem(at: work.appendingPathComponent(name))
    }
  }

  /// File number N of a seed, which is the same on all machines.
  func mutated(_ number: Int) -> (subject: Subject, file: Int, bytes: [UInt8]) {
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    let subject = random.pick(subjects)
    let file = random.roll(subject.files.count)
    var mutation = ByteMutation(random: random)
    let bytes = mutation.mutate(subject.files[file].bytes, as: subject.files[file].kind)
    return (subject, file, bytes)
  }

  /// Returns the number of failing files.
  mutating func run(_ range: Range<Int>) throws -> Int {
    var broken = 0
    let clock = ContinuousClock()
    for number in range {
      let (subject, file, bytes) = mutated(number)
      board?.begin(number, bytes)
      let start = clock.now
      let (statuses, problems) = try test(subject, replacing: file, by: bytes)
      let seconds = (clock.now - start) / .seconds(1)
      board?.end(
        accepted: statuses.allSatisfy { $0 == .clean }, completed: statuses.contains(.findings),
        broken: !problems.isEmpty, seconds: seconds)
      guard !problems.isEmpty else { continue }
      broken += 1
      note("file \(number) of seed \(seed), \(subject.name): \(problems.joined(separator: "; "))\n")
      if let folder {
        _ = FileManager.default.createFile(atPath: "\(folder)/\(seed)-\(number).bin", contents: Data(bytes))
      }
    }
    return broken
  }

  /// Runs the subject's verbs, and checks that they change nothing but the target.
  private func test(
    _ subject: Subject, replacing file: Int, by bytes: [UInt8]
  ) throws -> (statuses: [ExitStatus], problems: [String]) {
    var files = subject.files
    files[file].bytes = bytes
    let manager = FileManager.default
    for name in ["source", "target"] {
      let place = work.appendingPathComponent(name)
      if manager.fileExists(atPath: place.path) { try manager.removeItem(at: place) }
      try manager.createDirectory(at: place, withIntermediateDirectories: true)
    }
    for file in files {
      let url = work.appendingPathComponent("source/\(file.path)")
      try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.contents(file.bytes)).write(to: url)
    }
    let before = try contents(of: "source")
    var statuses: [ExitStatus] = []
    var problems: [String] = []
    for verb in subject.verbs {
      let outcome = StoreVerbs.run(verb, in: work.path)
      statuses.append(outcome.status)
      if outcome.status == .internalError {
        problems.append("'\(verb.joined(separator: " "))': \(outcome.progress.suffix(400))")
      }
    }
    if try contents(of: "source") != before { problems.append("the source files were changed") }
    for name in try manager.contentsOfDirectory(atPath: work.path) where !["source", "target"].contains(name) {
      problems.append("'\(name)' was written")
    }
    return (statuses, problems)
  }

  /// The bytes of a folder's files by path.
  private func contents(of folder: String) throws -> [String: Data?] {
    let root = work.appendingPathComponent(folder).path
    var result: [String: Data?] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
      result[path] = .some(FileManager.default.contents(atPath: "\(root)/\(path)"))
    }
    return result
  }
}
