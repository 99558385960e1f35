import Foundation
import TestSupport
import Testing
import Trellis

/// Two containers with one file simulate two programs that do not notify each other.
@Suite struct PairRaceTests {
  private let home: StorePlace
  private let second: ModelContainer

  init() throws {
    let schema = Schema([Person.self, Badge.self])
    home = try StorePlace(.disk, schema)
    let url = try #require(home.container.configurations.first?.url)
    second = try ModelContainer(for: schema, configurations: [ModelConfiguration(url: url)])
  }

  private func people(_ context: ModelContext) throws -> [Person] {
    try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
  }

  private func pairs() throws -> String {
    try people(home.fresh()).map { person in
      guard let spouse = person.spouse else { return "\(person.name)-" }
      return spouse.spouse === person ? "\(person.name)\(spouse.name)" : "\(person.name)?\(spouse.name)"
    }.joined(separator: " ")
  }

  private func prepare(_ names: String) throws {
    let context = home.fresh()
    for name in names { context.insert(Person(name: String(name))) }
    try context.save()
  }

  @Test func theLastSaveOfAPairWins() throws {
    try prepare("abcd")
    let (one, other) = (home.fresh(), ModelContext(second))
    let (mine, theirs) = (try people(one), try people(other))
    for (mine, theirs) in zip(mine, theirs) { _ = (mine.spouse, theirs.spouse) }
    mine[0].spouse = mine[1]
    theirs[1].spouse = theirs[2]
    try one.save()
    #expect(try pairs() == "ab ba c- d-")
    try other.save()
    #expect(try pairs() == "a- bc cb d-")
    // This context still has the pair a and b in memory, and separates them.
    mine[1].spouse = nil
    try one.save()
    #expect(try pairs() == "a- b- c- d-")
  }

  @Test func formerPartnersOfAPairAreCleared() throws {
    try prepare("abcd")
    let (one, other) = (home.fresh(), ModelContext(second))
    let (mine, theirs) = (try people(one), try people(other))
    for (mine, theirs) in zip(mine, theirs) { _ = (mine.spouse, theirs.spouse) }
    mine[0].spouse = mine[1]
    mine[2].spouse = mine[3]
    try one.save()
    theirs[0].spouse = theirs[2]
    try other.save()
    #expect(try pairs() == "ac b- ca d-")
    #expect(theirs[0].spouse === theirs[2] && theirs[1].spouse == nil)
    // This context reads the current state on its next fetch.
    #expect(try people(home.fresh()).map { $0.spouse?.name } == ["c", nil, "a", nil])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func pairsRemainPairsAfterRandomSaves(_ seed: UInt64) throws {
    let seed = SeededGenerator.seed(otherwise: seed)
    var generator = SeededGenerator(seed: seed)
    func random(_ count: Int) -> Int { generator.roll(count) }
    try prepare("abcdefgh")
    let contexts = [home.fresh(), ModelContext(second)]
    let models = try contexts.map { try people($0) }
    for step in 0..<150 {
      let side = random(2)
      for _ in 0...random(3) {
        let person = models[side][random(8)]
        person.spouse = random(4) == 0 ? nil : models[side][random(8)]
      }
      try contexts[side].save()
      let found = try pairs()
      #expect(!found.contains("?"), "seed \(seed), step \(step)")
      if found.contains("?") { return }
    }
  }
}
