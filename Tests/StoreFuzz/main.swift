import Foundation
import FuzzSupport

// Runs the verbs that read foreign files on mutated databases, stores, property lists and CSV files.
//
//     StoreFuzz [--count N] [--seed N] [--from N] [--jobs N] [--save FOLDER] [--work FOLDER]
//     StoreFuzz --show N --seed N
//
// File number N of a seed is the same on all machines, so '--from N --count 1' repeats a failure. Several processes test
// separate ranges. A file that causes a trap or a hang is saved.

let seed = option("--seed").flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
let count = max(1, option("--count").flatMap { Int($0) } ?? 1_000_000)
let first = option("--from").flatMap { Int($0) } ?? 0
// Stores are synchronized with the disk, which memory does without.
let memory = "/dev/shm"
let parent =
  option("--work")
  ?? (FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path)
let work = URL(fileURLWithPath: parent).appendingPathComponent("trellis-fuzz-\(getpid())")

func run() throws -> Int32 {
  if option("--worker") != nil || option("--show") != nil || count == 1 {
    defer { try? FileManager.default.removeItem(at: work) }
    let board = option("--worker").flatMap { Board($0, isNew: false) }
    var worker = try StoreWorker(seed: seed, work: work, board: board, folder: option("--save"))
    if let number = option("--show").flatMap({ Int($0) }) {
      FileHandle.standardOutput.write(Data(worker.mutated(number).bytes))
      return 0
    }
    let broken = try worker.run(first..<(first + count))
    // The supervisor reads the number of failures from the board.
    return option("--worker") == nil && broken > 0 ? 1 : 0
  }
  let folder =
    option("--save") ?? FileManager.default.temporaryDirectory.appendingPathComponent("trellis-fuzz-\(seed)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let jobs = option("--jobs").flatMap { Int($0) } ?? ProcessInfo.processInfo.activeProcessorCount
  note("seed \(seed), \(count) files\n")
  let supervisor = Supervisor(
    seed: seed, folder: folder, arguments: ["--work", parent], suffix: "bin",
    words: ("files", "are accepted", "have findings"))
  return supervisor.run(first..<(first + count), jobs: max(1, jobs))
}

do {
  exit(try run())
} catch {
  note("error: \(error)\n")
  exit(2)
}
