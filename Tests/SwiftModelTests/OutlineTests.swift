import Testing
import Trellis

/// Tests of values of recursive types, and of members that are followed by directives.
struct OutlineTests {
  @Test func recursiveValues() throws {
    let container = try ModelContainer(
      for: Outline.self, Appendix.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let outline = Outline("a")
    outline.items = [OutlineItem(name: "b", parts: [OutlineItem(name: "c")]), .none]
    let block = OutlineBlock(text: "d", children: [OutlineBlock(text: "e")])
    outline.content = .list(items: [.text("f"), .block(block)])
    context.insert(outline)
    context.insert(Appendix("B"))
    try context.save()

    let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Outline>()).first)
    #expect(found.items == outline.items && found.content == outline.content)
    #expect(found.count == 2 && !found.isEmpty && found.firstItem()?.name == "b" && found.last == OutlineItem.none)
    #expect(Outline.preview == "preview")
    let appendix = try ModelContext(container).fetch(FetchDescriptor<Appendix>())
    #expect(appendix.map(\.pages) == [13] && appendix.map(\.letter) == ["B"])
  }
}
