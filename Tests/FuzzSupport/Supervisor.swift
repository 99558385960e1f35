import Foundation

/// Runs several processes of a fuzzer and detects traps and hangs.
public final class Supervisor {
  private struct Child {
    var process: Process
    var board: Board
    var range: Range<Int>
    /// The last seen number of finished tests, and the time at which it changed.
    var seen = -1
    var since = ContinuousClock.now
    /// True if the worker was killed because of a hang.
    var hangs = false
  }

  private struct Sum {
    var done = 0, accepted = 0, completed = 0, broken = 0
    var slowest: (seconds: Double, number: Int) = (0, 0)

    mutating func add(_ board: Board) {
      done += board.done
      accepted += board.accepted
      completed += board.completed
      broken += board.broken
      if board.slowest.seconds > slowest.seconds { slowest = board.slowest }
    }
  }

  private let seed: UInt64
  /// Arguments that every worker receives.
  private let arguments: [String]
  /// A test input, what an accepted input is, and what a completed one is.
  private let words: (input: String, accepted: String, completed: String)
  private let suffix: String
  private let folder: String
  private var children: [Child] = []
  private var ended = Sum()
  private var starts = 0

  /// Longer than any realistic input takes.
  private static let patience = Duration.seconds(20)

  /// - Parameters:
  ///   - folder: The folder for inputs that fail.
  ///   - arguments: Arguments for every worker.
  ///   - suffix: The file suffix for inputs.
  ///   - words: An input, and the predicates for an accepted and a completed one, for example `("texts", "compile",
  ///     "are formatted")`.
  public init(
    seed: UInt64, folder: String, arguments: [String], suffix: String,
    words: (input: String, accepted: String, completed: String)
  ) {
    self.seed = seed
    self.folder = folder
    self.arguments = arguments
    self.suffix = suffix
    self.words = words
  }

  /// Returns zero if no test failed.
  public func run(_ range: Range<Int>, jobs: Int) -> Int32 {
    let size = max(1, (range.count + jobs - 1) / jobs)
    for first in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      start(first..<min(first + size, range.upperBound))
    }
    let clock = ContinuousClock()
    let begin = clock.now
    var next = begin
    while !children.isEmpty {
      usleep(50_000)
      look()
      guard clock.now >= next else { continue }
      next = clock.now + .seconds(10)
      note(sentence(begin.duration(to: clock.now)) + "\n")
    }
    say(sentence(begin.duration(to: clock.now)))
    if ended.broken > 0 { say("the \(words.input) are in \(folder)") }
    return ended.broken == 0 && ended.done == range.count ? 0 : 1
  }

  private func start(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    starts += 1
    let path = "\(folder)/board-\(starts)"
    guard let board = Board(path, isNew: true) else { return note("error: \(path) cannot be written\n") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    if CommandLine.arguments[0].hasPrefix("/") {
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    }
    process.arguments =
      [
        "--worker", path, "--seed", String(seed), "--from", String(range.lowerBound), "--count", String(range.count),
        "--save", folder,
      ] + arguments
    do {
      try process.run()
      children.append(Child(process: process, board: board, range: range))
    } catch {
      note("error: a worker cannot be started: \(error)\n")
    }
  }

  private func look() {
    let now = ContinuousClock.now
    for index in children.indices.reversed() {
      let worker = children[index]
      // A worker hangs if its number of finished tests has not changed for too long.
      let place = worker.board.done
      if place != worker.seen {
        children[index].seen = place
        children[index].since = now
      } else if worker.process.isRunning, now - worker.since > Self.patience {
        children[index].hangs = true
        kill(worker.process.processIdentifier, SIGKILL)
        worker.process.waitUntilExit()
      }
      guard !worker.process.isRunning else { continue }
      end(children.remove(at: index))
    }
  }

  private func end(_ worker: Child) {
    ended.add(worker.board)
    guard worker.process.terminationReason != .exit || worker.process.terminationStatus != 0 else { return }
    let number = worker.board.number
    ended.broken += 1
    ended.done += 1
    let what = worker.hangs ? "hangs" : "traps"
    save(worker.board.text, number, what)
    note("number \(number) of seed \(seed) \(what)\n")
    start((number + 1)..<worker.range.upperBound)
  }

  private func save(_ text: [UInt8], _ number: Int, _ what: String) {
    _ = FileManager.default.createFile(
      atPath: "\(folder)/\(seed)-\(number)-\(what).\(suffix)", contents: Data(text))
  }

  private func sentence(_ time: Duration) -> String {
    var sum = ended
    for worker in children { sum.add(worker.board) }
    func share(_ count: Int) -> Int { sum.done == 0 ? 0 : count * 100 / sum.done }
    return "\(sum.done) \(words.input) of seed \(seed) in \(Int(time / .seconds(1))) s: "
      + "\(share(sum.accepted)) % \(words.accepted), \(share(sum.completed)) % \(words.completed), "
      + "\(sum.broken) break something; "
      + "the slowest is \(sum.slowest.number) with \(sum.slowest.seconds) s"
  }
}

/// Writes immediately, because the next test may end the process.
public func note(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
public func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// Returns the value of a command-line option.
public func option(_ name: String) -> String? {
  CommandLine.arguments.firstIndex(of: name).flatMap { index in
    CommandLine.arguments.indices.contains(index + 1) ? CommandLine.arguments[index + 1] : nil
  }
}
