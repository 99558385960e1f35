import Foundation
import Testing
import Trellis

/// Stores whose schema changed.
@Suite struct RenamingTests {
  @Test func S015_originalNamesKeepTheData() throws {
    let fixture = try StorageFixture()
    do {
      let context = ModelContext(try fixture.container(Draft.self))
      let first = Draft(title: "one", code: 1, place: Plot(area: 5))
      let second = Draft(title: "two", code: 2)
      let reader = Reader(name: "r")
      let other = Reader(name: "s")
      for model in [first, second] { context.insert(model) }
      for model in [reader, other] { context.insert(model) }
      first.editor = second
      first.readers = [reader, other]
      first.fans = [other, reader]
      try context.save()
    }
    let context = ModelContext(try fixture.container(Paper.self))
    let papers = try context.fetch(FetchDescriptor<Paper>(sortBy: [SortDescriptor(\.code)]))
    #expect(papers.map(\.heading) == ["one", "two"])
    #expect(papers[0].ground == Plot(area: 5))
    #expect(papers[0].reviewer === papers[1])
    #expect(Set(papers[0].subscribers.map(\.name)) == ["r", "s"])
    #expect(papers[0].admirers.map(\.name) == ["s", "r"])
    let readers = try context.all(Subscriber.self)
    #expect(readers.allSatisfy { $0.papers.map(\.code) == [1] })
    // Changes with the new names.
    papers[1].heading = "changed"
    papers[1].subscribers = papers[0].subscribers
    context.insert(Paper(heading: "three", code: 3))
    try context.save()
    #expect(try fixture.shell("SELECT heading FROM Paper ORDER BY code") == "one\nchanged\nthree")
    #expect(try fixture.shell("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
    let again = ModelContext(try fixture.container(Paper.self))
    #expect(try again.fetchCount(FetchDescriptor<Paper>()) == 3)
  }

  /// SwiftData drops the column and its values. Trellis does not open the store, and the error names the data and the
  /// solution.
  @Test func S016_removedNamesAreRejected() throws {
    let fixture = try StorageFixture()
    do {
      let context = ModelContext(try fixture.container(Before.self))
      context.insert(Before(title: "kept"))
      try context.save()
    }
    let error = #expect(throws: SwiftDataError.self) { try fixture.container(After.self) }
    #expect(error?.storeProblem == .differentSchema)
    let text = error?.explanation ?? ""
    #expect(text.contains("'After.title' is no longer in the schema, and its values would be lost"))
    #expect(text.contains("'originalName'"))
    let context = ModelContext(try fixture.container(Before.self))
    #expect(try context.only(Before.self).title == "kept")
  }

  @Test func S017_hashModifiersDistinguishSchemas() throws {
    let plain = try #require(Schema([Plain.self]).entitiesByName["Plain"]?.attributesByName["value"])
    let modified = try #require(
      Schema([Modified.self]).entitiesByName["Modified"]?.attributesByName["value"])
    #expect(plain != modified)
    #expect(modified.hashModifier == "2")
    let fixture = try StorageFixture()
    do {
      let context = ModelContext(try fixture.container(Plain.self))
      context.insert(Plain(value: 4))
      try context.save()
    }
    let before = try fixture.shell("SELECT value FROM trellis_metadata WHERE key = 'fingerprint'")
    #expect(try ModelContext(fixture.container(Modified.self)).only(Modified.self).value == 4)
    let after = try fixture.shell("SELECT value FROM trellis_metadata WHERE key = 'fingerprint'")
    #expect(before != after)
  }

  /// Properties of several classes can share a name, and the set of classes determines their columns. The values stay
  /// with their class after any change.
  @Test func classesInAHierarchyKeepTheirValues() throws {
    let fixture = try StorageFixture()
    do {
      let context = ModelContext(try fixture.container(Craft.self, Boat.self, Plane.self))
      context.insert(Boat(name: "b", weight: 1))
      context.insert(Plane(name: "p", weight: 2))
      try context.save()
    }
    for round in 0..<3 {
      let context = ModelContext(
        round == 0
          ? try fixture.container(Ship.self, Zeppelin.self, Jet.self)
          : try fixture.container(Ship.self, Zeppelin.self, Jet.self, Ark.self))
      #expect(try context.only(Zeppelin.self).mass == 1, "\(round)")
      #expect(try context.only(Jet.self).mass == 2, "\(round)")
      #expect(try context.all(Ship.self).count == (round < 2 ? 2 : 3))
      if round == 1 {
        context.insert(Ark(name: "a", mass: 3))
        try context.save()
      }
    }
  }
}
