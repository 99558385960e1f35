import Testing
import Trellis

/// A chain of models that retain each other must not be released recursively.
@Suite struct LongChainTests {
  static let length = 100_000

  @Test func draftsInALongChainAreReleased() {
    var head: ChainLink? = ChainLink(number: 0)
    weak let last = head
    for number in 1..<Self.length {
      let link = ChainLink(number: number)
      if number % 2 == 0 { link.next = head } else { link.parts = [head].compactMap { $0 } }
      head = link
    }
    #expect(last != nil)
    head = nil
    #expect(last == nil)
  }

  @Test(arguments: [false, true])
  func modelsOfAContextInALongChainAreReleased(_ saves: Bool) throws {
    weak var last: ChainLink?
    do {
      let context = ModelContext(
        try ModelContainer(
          for: ChainLink.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
      var head = ChainLink(number: 0)
      last = head
      for number in 1..<Self.length {
        let link = ChainLink(number: number)
        link.parts = [head]
        head = link
      }
      context.insert(head)
      #expect(context.insertedModelsArray.count == Self.length)
      if saves { try context.save() }
    }
    #expect(last == nil)
  }
}
