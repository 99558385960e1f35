import Foundation
import FuzzSupport
import TestSupport

/// Tests mutated schemas one by one and records the progress on the board.
struct Worker {
  let seed: UInt64
  let corpus: Corpus
  let board: Board?
  /// The folder for schemas that fail.
  let folder: String?

  /// Mutated schema number N of a seed, which is the same on all machines.
  func text(_ number: Int) -> (origin: [UInt8], text: [UInt8]) {
    var mutation = Mutation(
      corpus: corpus, random: SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9))
    return mutation.text()
  }

  /// Sends edits of each text to the language server. Returns the number of texts that fail.
  func edit(_ range: Range<Int>) -> Int {
    // The server looks for files beside the document.
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("trellis-editor-\(getpid())")
    defer { try? FileManager.default.removeItem(at: place) }
    try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var editor = Editor(corpus, folder: place)
    var broken = 0
    let clock = ContinuousClock()
    for number in range {
      let (_, text) = text(number)
      board?.begin(number, text)
      let start = clock.now
      var random = SeededGenerator(seed: seed &+ UInt64(number))
      editor.run(text, &random)
      let isBroken = !editor.problems.isEmpty
      board?.end(
        accepted: editor.isCompiled, completed: editor.isAnswered, broken: isBroken,
        seconds: (clock.now - start) / .seconds(1))
      guard isBroken else { continue }
      broken += 1
      note("text \(number) of seed \(seed): \(editor.problems.joined(separator: "; "))\n")
      if let folder {
        _ = FileManager.default.createFile(atPath: "\(folder)/\(seed)-\(number).schema", contents: Data(text))
      }
    }
    return broken
  }

  /// Returns the number of failing schemas.
  func run(_ range: Range<Int>) -> Int {
    var pipeline = Pipeline()
    var broken = 0
    let clock = ContinuousClock()
    for number in range {
      let (origin, text) = text(number)
      board?.begin(number, text)
      let start = clock.now
      pipeline.run(text, origin: origin, number: number)
      let seconds = (clock.now - start) / .seconds(1)
      let isBroken = !pipeline.problems.isEmpty
      board?.end(accepted: pipeline.isCompiled, completed: pipeline.isFormatted, broken: isBroken, seconds: seconds)
      guard isBroken else { continue }
      broken += 1
      note("text \(number) of seed \(seed): \(pipeline.problems.joined(separator: "; "))\n")
      if let folder {
        _ = FileManager.default.createFile(
          atPath: "\(folder)/\(seed)-\(number).schema", contents: Data(text))
      }
    }
    return broken
  }
}
