import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Names and values that would alter a statement if they were part of it. `TRELLIS_SEED` repeats a run.
@Suite(.waiting) struct HostileTests {
  static let seed = SeededGenerator.seed("HostileTests")

  /// Names that contain SQL fragments.
  private enum Fragments: HostileNames {
    static let names = [
      "a\"; DROP SCHEMA public CASCADE; --", "\"\u{301}", "'\u{308}", "\\", "$1", "?1", "--", "/*", "xmin", "xmin$",
      "\t\u{1}\u{7F}",
      "\u{301}", "; ? $2 \"\"",
    ]
    static let definition = ModelDefinition(Hostile<Fragments>.Snapshot.self, name: names[0], codec: 1)
  }

  /// Long names with a common prefix, and SQL keywords.
  private enum Words: HostileNames {
    static let long = String(repeating: "long \"name\" ", count: 20)
    static let names = [
      long, long + "1", long + "2", "select", "FROM", "user", "table", "ctid", "oid", "order", "id", "value",
      long + "3",
    ]
    static let definition = ModelDefinition(Hostile<Words>.Snapshot.self, name: names[0], codec: 1)
  }

  private enum First: HostileNames {
    static let names = {
      var random = SeededGenerator(seed: seed)
      return HostileTexts.names(13, &random)
    }()
    static let definition = ModelDefinition(Hostile<First>.Snapshot.self, name: names[0], codec: 1)
  }

  private enum Second: HostileNames {
    static let names = {
      var random = SeededGenerator(seed: seed &+ 1)
      return HostileTexts.names(13, &random)
    }()
    static let definition = ModelDefinition(Hostile<Second>.Snapshot.self, name: names[0], codec: 1)
  }

  @Test func sqlFragmentsAsNames() throws { try check(Fragments.self) }
  @Test func longNamesAndKeywords() throws { try check(Words.self, copies: Repetitions.isThorough) }
  @Test func randomNames() throws { try check(First.self) }
  @Test func otherRandomNames() throws { try check(Second.self, copies: Repetitions.isThorough) }

  /// - Parameter copies: True to save enough rows for the store to use COPY.
  private func check<Names: HostileNames>(_: Names.Type, copies: Bool = true) throws {
    var random = SeededGenerator(seed: Self.seed &+ 2)
    let server = try PostgresServer.shared.get()
    var configuration = server.configuration()
    configuration.schemaName = HostileTexts.text(&random, parts: 4) + (configuration.schemaName ?? "")
    let names = Comment(rawValue: "\(Names.names)")
    let container = try ModelContainer(
      for: Schema([Hostile<Names>.self]), configurations: [configuration])
    let context = ModelContext(container)
    let author = HostileTexts.text(&random, parts: 6)
    context.author = author

    // A few rows are inserted one by one, larger numbers with array parameters, and many rows with COPY.
    var expected: [String: String] = [:]
    var texts: [String] = []
    for count in [5, 60, copies ? 1_050 : 61] {
      var models: [Hostile<Names>] = []
      for _ in 0..<count {
        // This accent combines with a preceding space in another string.
        let start = texts.count == 1 ? "\u{301}" : HostileTexts.text(&random, parts: 3)
        let model = Hostile<Names>(text: start + " \(texts.count)")
        model.fill(&random)
        // Either a new model from the same save or nil.
        model.parent = models.isEmpty ? nil : random.perhaps(models)
        if random.roll(4) == 0, let friend = models.last, let other = models.first {
          model.friends = models.count > 1 ? [friend, other] : [friend]
        }
        context.insert(model)
        models.append(model)
        texts.append(model.text)
      }
      for model in models { expected[HostileBits.text(model.text)] = model.bits }
      try context.save()
    }
    try compare(expected, Names.self, container, names)

    try predicates(texts, Names.self, container, &random, names)

    // Change all properties of some rows.
    let changed = ModelContext(container)
    changed.author = author
    for model in try changed.fetch(FetchDescriptor<Hostile<Names>>()) where random.roll(10) == 0 {
      model.fill(&random)
      expected[HostileBits.text(model.text)] = model.bits
    }
    try changed.save()
    try compare(expected, Names.self, container, names)

    // The new model replaces the row with the same unique value.
    let again = Hostile<Names>(text: texts[0])
    changed.insert(again)
    again.note = "again"
    try changed.save()
    let first = texts[0]
    let found = try ModelContext(container).fetch(
      FetchDescriptor<Hostile<Names>>(predicate: #Predicate { $0.text == first }))
    #expect(found.map(\.note) == ["again"], names)

    try deletion(texts, Names.self, container, author, names)
    #expect(try server.psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'public'") == "1")
  }

  private func compare<Names: HostileNames>(
    _ expected: [String: String], _: Names.Type, _ container: ModelContainer, _ names: Comment
  ) throws {
    let models = try ModelContext(container).fetch(FetchDescriptor<Hostile<Names>>())
    #expect(models.count == expected.count, names)
    let differing = models.filter { expected[HostileBits.text($0.text)] != $0.bits }
    #expect(
      differing.isEmpty,
      "\(differing.first?.bits ?? "") instead of \(differing.first.flatMap { expected[HostileBits.text($0.text)] } ?? "nothing") \(names)"
    )
  }

  /// Fetches with hostile values return the same results as the predicates in memory.
  private func predicates<Names: HostileNames>(
    _ texts: [String], _: Names.Type, _ container: ModelContainer, _ random: inout SeededGenerator, _ names: Comment
  ) throws {
    typealias Model = Hostile<Names>
    let context = ModelContext(container)
    let all = try context.fetch(FetchDescriptor<Model>())
    func check(_ predicate: Predicate<Model>, line: Int = #line) throws {
      let found = try Set(context.fetch(FetchDescriptor(predicate: predicate)).map(\.text))
      let expected = try Set(all.filter(predicate.evaluate).map(\.text))
      #expect(found == expected, "line \(line), \(found.symmetricDifference(expected).map(HostileBits.text)), \(names)")
    }
    for _ in 0..<Repetitions.scaled(1, upTo: 5) {
      let text = random.pick(texts)
      try check(#Predicate { $0.text == text })
      try check(#Predicate { $0.text < text })
      let some = (0..<5).map { _ in random.pick(texts) }
      try check(#Predicate { some.contains($0.text) })
      let note = HostileTexts.text(&random, parts: 1)
      try check(#Predicate { $0.note == note })
      try check(#Predicate { $0.note?.contains(note) == true })
      try check(#Predicate { $0.note?.starts(with: note) == true })
      let (number, big) = (random.pick(HostileTexts.numbers), random.pick(HostileTexts.bigs))
      try check(#Predicate { $0.number <= number && $0.big >= big })
      let size = random.pick(HostileTexts.doubles)
      try check(#Predicate { $0.size < size })
      let date = Date(timeIntervalSinceReferenceDate: random.pick(HostileTexts.doubles))
      try check(#Predicate { $0.date == date })
      let price = random.pick(HostileTexts.decimals)
      try check(#Predicate { $0.price == price })
      let kind = random.pick(HostileKind.allCases)
      try check(#Predicate { $0.kind == kind })
    }
    let sorted = try context.fetch(FetchDescriptor<Model>(sortBy: [SortDescriptor(\.text)])).map(\.text)
    #expect(sorted.map(HostileBits.text) == texts.sorted().map(HostileBits.text), names)
    let reversed = try context.fetch(
      FetchDescriptor<Model>(sortBy: [SortDescriptor(\.big, order: .reverse), SortDescriptor(\.number)]))
    #expect(zip(reversed, reversed.dropFirst()).allSatisfy { ($1.big, $0.number) <= ($0.big, $1.number) }, names)
  }

  /// Deletes rows. The history contains the author, the property names and the preserved values.
  private func deletion<Names: HostileNames>(
    _ texts: [String], _: Names.Type, _ container: ModelContainer, _ author: String, _ names: Comment
  ) throws {
    typealias Model = Hostile<Names>
    let context = ModelContext(container)
    context.author = author
    let doomed = Set(texts[1..<20])
    for model in try context.fetch(FetchDescriptor<Model>()) where doomed.contains(model.text) { context.delete(model) }
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Model>()) == texts.count - doomed.count, names)
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.count == 6 && history.allSatisfy { $0.author == author }, names)
    let byAuthor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == author })
    #expect(try context.fetchHistory(byAuthor).count == 6, names)
    var buried = Set<String>()
    for case .delete(let change as DefaultHistoryDelete<Model>) in history.last?.changes ?? [] {
      if let text = change.tombstone[\.text] as? String { buried.insert(HostileBits.text(text)) }
    }
    #expect(buried == Set(doomed.map(HostileBits.text)), names)
    let updates = history[3].changes.compactMap { change -> DefaultHistoryUpdate<Model>? in
      if case .update(let update as DefaultHistoryUpdate<Model>) = change { update } else { nil }
    }
    #expect(!updates.isEmpty && updates.contains { $0.updatedAttributes.contains(\Model.number) }, names)
  }

  /// Text that contains U+0000 is an error, because the server would cut it off there.
  @Test func textsWithNullCharactersAreErrors() throws {
    let container = try ModelContainer(
      for: Schema([Hostile<Fragments>.self]), configurations: [try PostgresServer.shared.get().configuration()])
    func failure(_ change: (ModelContext, Hostile<Fragments>) -> Void) throws -> PostgresError.Code? {
      let context = ModelContext(container)
      let model = Hostile<Fragments>(text: "text")
      change(context, model)
      context.insert(model)
      do {
        try context.save()
        return nil
      } catch {
        return (error as? PostgresError)?.code
      }
    }
    #expect(try failure { $1.text = "a\0b" } == .nullCharacter)
    #expect(try failure { $1.note = "a\0b" } == .nullCharacter)
    #expect(try failure { context, _ in context.author = "a\0b" } == .nullCharacter)
    let context = ModelContext(container)
    #expect(try context.fetchCount(FetchDescriptor<Hostile<Fragments>>()) == 0)
    // JSON escapes this character.
    let model = Hostile<Fragments>(text: "text")
    model.payload = ["a\0b": "\0"]
    context.insert(model)
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<Hostile<Fragments>>())
    #expect(found.map(\.payload) == [["a\0b": "\0"]])
    let text = "te\0xt"
    let wanted = FetchDescriptor<Hostile<Fragments>>(predicate: #Predicate { $0.text == text })
    #expect(try context.fetchCount(wanted) == 0)
    #expect(try "\(wanted.explain(in: context))".contains("U+0000"))
  }
}
