import Foundation
import SchemaDiagnostics
import SchemaFormat
import SchemaSyntax
import TestSupport
import Testing

/// Formatting must preserve the meaning of all schemas in the package, and of copies with random layouts.
struct MeaningTests {
  /// Formats a file and checks the result.
  private func format(_ file: SourceFile, _ note: Comment) throws -> SourceFile {
    let (tree, diagnostics) = Parser.parse(file, index: 0)
    #expect(!diagnostics.hasErrors, note)
    let new = SourceFile(path: file.path, bytes: try #require(SchemaFormatter.format(tree), note))
    let (newTree, _) = Parser.parse(new, index: 0)
    #expect(SchemaFormatter.format(newTree) == new.bytes, note)
    #expect(Meaning.tokens(of: new) == Meaning.tokens(of: file), note)
    #expect(Meaning.comments(in: new) == Meaning.comments(in: file), note)
    if let problem = Self.problem(newTree) { Issue.record("\(problem): \(note)") }
    return new
  }

  /// Finds trailing spaces, repeated blank lines and foreign line breaks outside of literals.
  private static func problem(_ tree: SyntaxTree) -> String? {
    var start = 0
    for token in tree.tokens {
      let trivia = Array(tree.file.bytes[start..<Int(token.start)])
      for (index, byte) in trivia.enumerated() {
        if byte == 0x0D { return "a carriage return" }
        guard byte == 0x0A else { continue }
        if index > 0, trivia[index - 1] == 0x20 || trivia[index - 1] == 0x09 { return "a space at the end of a line" }
        let isComment = trivia.contains(0x2A)
        if !isComment, index > 1, trivia[index - 1] == 0x0A, trivia[index - 2] == 0x0A { return "two blank lines" }
      }
      start = Int(token.end)
    }
    let bytes = tree.file.bytes
    if !bytes.isEmpty, bytes.last != 0x0A || bytes.dropLast().last == 0x0A { return "no one line break at the end" }
    return nil
  }

  /// A short run omits the two largest schemas, which repeat one kind of model.
  @Test(arguments: Corpus.groups.filter { Repetitions.isThorough || $0.size < 20_000 })
  func formattingPreservesEverySchema(_ group: Corpus.Group) throws {
    let new = try group.files.map { try format($0, "\($0.path)") }
    // Emission takes most of the time. The schemas in `Schemas` contain all kinds of declarations.
    let isTypical =
      group.folder.hasPrefix("/Schemas/") && !group.folder.contains("/versions/") && group.size < 5_000
    let isEmitted = Repetitions.isThorough ? group.size < 20_000 : isTypical
    #expect(Meaning(new, isEmitted: isEmitted) == Meaning(group.files, isEmitted: isEmitted), "\(group)")
  }

  @Test func formattingPreservesRandomLayouts() throws {
    let seed = SeededGenerator.seed()
    // `./run fuzz` does so with a million inputs.
    let groups = Corpus.groups.filter { $0.size < 1500 }
    #expect(groups.count > 10)
    var mutation = Mutation(seed: seed)
    for round in 0..<Repetitions.scaled(150, upTo: 1_500) {
      let group = groups[round % groups.count]
      let position = Int.random(in: 0..<group.files.count, using: &mutation.random)
      var files = group.files
      guard let file = mutation.apply(to: files[position]) else { continue }
      let note: Comment = "seed \(seed), round \(round), \(file.path):\n\(String(decoding: file.bytes, as: UTF8.self))"
      files[position] = file
      let isEmitted = round % 25 == 0
      let before = Meaning(files, isEmitted: isEmitted)
      files[position] = try format(file, note)
      let after = Meaning(files, isEmitted: isEmitted)
      guard after == before else {
        Issue.record(note)
        #expect(after.problems == before.problems)
        #expect(after.fingerprints == before.fingerprints)
        for (new, old) in zip(after.swift, before.swift) where new != old {
          let place = zip(new, old).enumerated().first { $0.element.0 != $0.element.1 }
          Issue.record("Swift differs: \(String(describing: place))")
        }
        return
      }
    }
  }

  /// Inputs that `./run fuzz` found.
  @Test(arguments: [
    "migration from 1.0.0 { fill A. .b = old.c }", "migration from 1.0.0 { accept MIG011;A.b -- \"gone\" }",
    "enum A: Int, [Set<Int>  ] { case a }", "enum A: Double, [Codable\n\n] { case a }",
    "enum A: String, Codable ? { case a }",
    "enum A: Int, [String: Int\n  /* c */ ] { case a }",
    "@Model class A { var a: Int =?\n    @Attribute(.unique) var b: Int }",
    "@Model class A { var a: Int = make\n\n{ 1 } }", "@Model class A { var a: Int = 1\n{ didSet { } } }",
  ])
  func stayWhatTheyMean(_ text: String) throws {
    let file = SourceFile(path: "S.schema", text: "schema S 2.0.0\n" + text)
    let new = try format(file, "\(text)")
    #expect(Meaning([new], isEmitted: false) == Meaning([file], isEmitted: false))
  }

  /// Returns the CPU time of this thread.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// One input for each construct that can cause superlinear time.
  @Test(arguments: [
    "struct S { #}|var a: Int; ", "enum E { case a#}|, b", "struct S { var a: Int#}|, b = {\n1 }()",
    "@Model class A { #Unique<A>([\\.a#]) }|, \\.a", "@Model class A { #var a: Int }|@B(.c) ",
    "struct S { #var a: Int }|/* c */ ", "migration from 1.0.0 { #}|custom a; ", "struct S { var a: Int #}|;",
    "struct S { func f() {\n#} }|  x()\n", "#|enum A { case a }\n", "enum E { case a(#) }|x: Int, ",
    "@Model class A { @B(#x) var a: Int }|.c, ", "struct S { var a = #1 }|(1) + ",
  ])
  func workGrowsWithTheText(_ shape: String) throws {
    let parts = shape.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    // The number sign of `#Unique` is not a separator.
    let frame: [String] = parts[0].replacing("#Unique", with: "\u{1}").split(
      separator: "#", omittingEmptySubsequences: false
    )
    .map { String($0).replacing("\u{1}", with: "#Unique") }
    func seconds(_ count: Int, times: Int) throws -> Double {
      let text = frame[0] + String(repeating: parts[1], count: count) + frame[1]
      let (tree, _) = Parser.parse(SourceFile(path: "S.schema", text: text), index: 0)
      var best = Double.infinity
      for _ in 0..<times {
        let start = Self.processorTime()
        _ = SchemaFormatter.format(tree)
        best = min(best, Self.processorTime() - start)
      }
      return best
    }
    let count = Repetitions.isThorough ? 300 : 80
    let small = max(try seconds(count, times: 3), 0.0002)
    // The input is sixteen times as large, so quadratic time would be 256 times as long. Measure again in case a busy
    // machine slowed down the first run.
    var large = try seconds(16 * count, times: 1)
    if large >= 80 * small { large = try seconds(16 * count, times: 3) }
    #expect(large < 80 * small, "\(small) s, then \(large) s")
  }
}
