import Testing
import Trellis

@Model final class Badge {
  @Attribute(.unique, onConflict: .fail) var number: Int
  var owner: String
  init(number: Int, owner: String) {
    self.number = number
    self.owner = owner
  }
}

/// Tests of the `@Attribute` option that decides what happens to equal values.
struct BadgesTests {
  @Test func aSecondModelWithTheValueIsRejected() throws {
    let container = try ModelContainer(for: Badge.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Badge(number: 7, owner: "Ada"))
    try context.save()
    context.insert(Badge(number: 7, owner: "Ben"))
    #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(try ModelContext(container).fetch(FetchDescriptor<Badge>()).map(\.owner) == ["Ada"])
  }
}
