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
      try Data(file.bytes).write(to: url)
    }
    var statuses: [ExitStatus] = []
    var problems: [String] = []
    for verb in subject.verbs {
      let outcome = StoreVerbs.run(verb, in: work.path)
      statuses.append(outcome.status)
      if outcome.status == .internalError {
        problems.append("'\(verb.joined(separator: " "))': \(outcome.progress.suffix(400))")
      }
    }
    problems += changes(of: files)
    return (statuses, problems)
  }

  /// Returns the differences of the source folder from what was written, and other new files.
  private func changes(of files: [Subject.File]) -> [String] {
    let source = work.appendingPathComponent("source")
    var problems: [String] = []
    for file in files where (try? Data(contentsOf: source.appendingPathComponent(file.path))) != Data(file.bytes) {
      problems.append("the source file '\(file.path)' was changed")
    }
    let known = Set(files.map(\.path))
    for case let path as String in FileManager.default.enumerator(atPath: source.path) ?? .init() {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: source.appendingPathComponent(path).path, isDirectory: &isFolder)
      if !isFolder.boolValue, !known.contains(path) { problems.append("'\(path)' was added to the source") }
    }
    let others = (try? FileManager.default.contentsOfDirectory(atPath: work.path)) ?? []
    for name in others where !["source", "target"].contains(name) { problems.append("'\(name)' was written") }
    return problems
  }
}
