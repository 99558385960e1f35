import Foundation
import TestSupport
import Testing
import Trellis

/// Random batches produce the same rows and errors as saves of equal models.
@Suite struct DifferentialTests {
  /// The values to insert, as a snapshot or as a model.
  private struct Draft {
    var name: String
    var age: Int
    var notes: String?
    /// The position of another draft, a saved person, or neither.
    var mentor: Reference
    var clubs: [Int]

    enum Reference { case nobody, draft(Int), saved(Int) }
  }

  private struct Generator {
    var random: SeededGenerator
    /// Some names are equal but have different bytes; others differ only in case.
    let names =
      ["Ada", "ada", "Caf\u{E9}", "Cafe\u{301}", "K", "\u{212A}", "", "x", "Zoë"]
      + (0..<30).map { "p\($0)" }

    mutating func drafts(saved: Int, clubs: Int) -> [Draft] {
      let count = Int.random(in: 0...40, using: &random)
      return (0..<count).map { _ in
        let mentor: Draft.Reference =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: .draft(Int.random(in: 0..<count, using: &random))
          case 1 where saved > 0: .saved(Int.random(in: 0..<saved, using: &random))
          default: .nobody
          }
        return Draft(
          name: names.randomElement(using: &random) ?? "", age: Int.random(in: 0...5, using: &random),
          notes: Bool.random(using: &random) ? nil : "n", mentor: mentor,
          clubs: clubs == 0 || Bool.random(using: &random)
            ? [] : [Int.random(in: 0..<clubs, using: &random)])
      }
    }
  }

  private func describe(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.persistentModelID)])).map {
      let clubs = $0.clubs.map(\.title).sorted().joined(separator: ",")
      let pupils = $0.pupils.map(\.name).sorted().joined(separator: ",")
      return "\($0.name) \($0.age) \($0.notes ?? "-") <\($0.mentor?.name ?? "-")> [\(clubs)] (\(pupils))"
    }
  }

  private func saved(_ context: ModelContext) throws -> [Person] {
    try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.persistentModelID)]))
  }

  @Test func batchesMatchIndividualInsertions() throws {
    let seed = SeededGenerator.seed()
    var generator = Generator(random: SeededGenerator(seed: seed))
    for round in 0..<Repetitions.scaled(10, upTo: 100) {
      let batches = try BatchFixture()
      let models = try BatchFixture()
      for fixture in [batches, models] {
        for title in ["one", "two"] { fixture.context.insert(Club(title: title)) }
        try fixture.context.save()
      }
      for step in 0..<4 {
        let known = try saved(batches.context)
        let drafts = generator.drafts(saved: known.count, clubs: 2)
        let clubs = try batches.context.all(Club.self).map(\.persistentModelID)
        let identifiers = drafts.map { Person.Snapshot(name: $0.name).persistentIdentifier }
        let snapshots = drafts.enumerated().map { number, draft in
          let mentor: PersistentIdentifier? =
            switch draft.mentor {
            case .nobody: nil
            case .draft(let other): identifiers[other]
            case .saved(let other): known[other].persistentModelID
            }
          return Person.Snapshot(
            persistentIdentifier: identifiers[number], name: draft.name, age: draft.age,
            notes: draft.notes, mentor: mentor, clubs: draft.clubs.map { clubs[$0] })
        }
        let context = ModelContext(models.container)
        let others = try saved(context)
        let theirClubs = try context.all(Club.self)
        let people = drafts.map { Person(name: $0.name, age: $0.age, notes: $0.notes) }
        for person in people { context.insert(person) }
        for (person, draft) in zip(people, drafts) {
          switch draft.mentor {
          case .nobody: break
          case .draft(let other): person.mentor = people[other]
          case .saved(let other): person.mentor = others[other]
          }
          person.clubs = draft.clubs.map { theirClubs[$0] }
        }
        let one = failure { try batches.context.insert(contentsOf: snapshots) }
        let two = failure { try context.save() }
        let comment: Comment = "TRELLIS_SEED=\(seed), round \(round), step \(step)"
        #expect(one?.details.map(\.rule) == two?.details.map(\.rule), comment)
        let rows = try describe(batches.other)
        let theirs = try describe(models.other)
        guard rows == theirs else {
          let place = zip(rows, theirs).enumerated().first { $1.0 != $1.1 }
          Issue.record(
            "\(comment): \(rows.count) rows, not \(theirs.count); \(String(describing: place))")
          return
        }
        #expect(try describe(batches.context) == rows, comment)
      }
    }
  }

  @Test func batchesAndModelsProduceTheSameErrors() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<Repetitions.scaled(20, upTo: 200) {
      let batches = try BatchFixture(inMemory: true)
      let models = try BatchFixture(inMemory: true)
      for step in 0..<3 {
        let numbers = (0..<Int.random(in: 1...12, using: &random)).map { _ in
          Int.random(in: 0..<30, using: &random)
        }
        let snapshots = numbers.map { Ticket.Snapshot(number: $0) }
        let context = ModelContext(models.container)
        let tickets = numbers.map { Ticket(number: $0) }
        for ticket in tickets { context.insert(ticket) }
        let positions = Dictionary(
          uniqueKeysWithValues: snapshots.enumerated().map { ($1.persistentIdentifier, $0) })
        let theirs = Dictionary(
          uniqueKeysWithValues: tickets.enumerated().map { ($1.persistentModelID, $0) })
        func text(
          _ error: SwiftDataError?, _ positions: [PersistentIdentifier: Int]
        ) -> [String] {
          (error?.details ?? []).map { violation in
            let others = violation.others.map { other in positions[other].map(String.init) ?? "row" }
            return "\(positions[violation.model] ?? -1) \(violation.properties) \(others)"
          }.sorted()
        }
        let one = failure { try batches.context.insert(contentsOf: snapshots) }
        let two = failure { try context.save() }
        let comment: Comment = "TRELLIS_SEED=\(seed), round \(round), step \(step)"
        #expect(text(one, positions) == text(two, theirs), comment)
        #expect(
          try batches.other.all(Ticket.self).map(\.number)
            == models.other.all(Ticket.self).map(\.number), comment)
      }
    }
  }
}
