import Foundation
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaShapes

// Mutated schemas through the whole pipeline: parse, resolve, lint, format, emit.
//
//   SchemaFuzz [--count N] [--seed N] [--from N] [--root FOLDER]
//   SchemaFuzz --size MEGABYTES
//
// Text number N of a seed is the same everywhere, so what breaks is found again by '--from N --count 1'.

func option(_ name: String) -> String? {
  CommandLine.arguments.firstIndex(of: name).flatMap { index in
    CommandLine.arguments.indices.contains(index + 1) ? CommandLine.arguments[index + 1] : nil
  }
}

/// At once: the next text may be the last one.
func note(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

if let size = option("--size").flatMap({ Double($0) }) {
  let shapes = SchemaShape.all.filter { shape in option("--shape").map { shape.name.hasPrefix($0) } ?? true }
  if let folder = option("--write") {
    for shape in shapes {
      let name = shape.name.replacing(" ", with: "-").replacing(",", with: "")
      _ = FileManager.default.createFile(atPath: "\(folder)/\(name).schema", contents: Data(shape.text(Int(size * 1_048_576))))
    }
  }
  // What everybody gets, or everything there is.
  var settings = LintSettings()
  if CommandLine.arguments.contains("--strict") {
    settings = LintSettings(profiles: Set(LintProfile.allCases))
    settings.preset = .strict
  }
  exit(Growth(megabytes: size, tool: option("--tool"), settings: settings).run(shapes) ? 0 : 1)
}

let seed = option("--seed").flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
let count = option("--count").flatMap { Int($0) } ?? 1_000_000
let first = option("--from").flatMap { Int($0) } ?? 0
let corpus = Corpus(root: option("--root") ?? FileManager.default.currentDirectoryPath)
guard !corpus.declarations.isEmpty else {
  note("error: there are no schemas below this folder; name the package: --root FOLDER\n")
  exit(2)
}
note("seed \(seed), \(count) texts from \(corpus.declarations.count) declarations and \(corpus.words.count) words\n")
var pipeline = Pipeline()
var broken = 0
var slowest: (seconds: Double, number: Int) = (0, 0)
let clock = ContinuousClock()
let start = clock.now
for number in first..<(first + count) {
  if number % 10_000 == 0 {
    let passed = (clock.now - start) / .seconds(1)
    note("\(number) texts, \(pipeline.compiled) of them compile, \(Int(passed)) s\n")
  }
  var mutation = Mutation(corpus: corpus, random: SeededGenerator(state: seed &+ UInt64(number) &* 0x9E37_79B9))
  let text = mutation.text()
  let before = clock.now
  let problems = pipeline.run(text)
  let seconds = (clock.now - before) / .seconds(1)
  if seconds > slowest.seconds { slowest = (seconds, number) }
  // Nothing a person could write in a minute takes long.
  let isSlow = seconds > 2
  guard !problems.isEmpty || isSlow else { continue }
  broken += 1
  note("text \(number) of seed \(seed): \(problems.joined(separator: "; "))\(isSlow ? "; it took \(seconds) s" : "")\n")
  if broken == 1 || count == 1 { note(String(decoding: text, as: UTF8.self) + "\n") }
}
print(
  "\(count) texts of seed \(seed): \(pipeline.compiled) compile, \(broken) break something; "
    + "the slowest is \(slowest.number) with \(slowest.seconds) s")
exit(broken == 0 ? 0 : 1)
