import Foundation
import Testing
import Trellis

@Suite struct InheritanceBehaviourTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func S130_subclassInstancesHaveInheritedProperties() throws {
    let container = try ModelContainer(
      for: Vessel.self, Ferry.self, Tug.self,
      configurations: ModelConfiguration(url: scratch.url("vessels")))
    let context = ModelContext(container)
    let owner = Owner(name: "Fjord1")
    let ferry = Ferry(name: "Ampere", owner: owner)
    ferry.lanes = 4
    context.insert(ferry)
    try context.save()
    #expect(owner.vessels.first === ferry)
    let other = ModelContext(container)
    let twin = try #require(try other.fetch(FetchDescriptor<Ferry>()).first)
    #expect(twin.name == "Ampere" && twin.lanes == 4 && twin.owner?.name == "Fjord1")
    #expect(twin.owner?.vessels.first === twin)
  }

  /// The test inspects the save request, which the history records.
  @Test func S134_changesOfSubclassInstancesCarryTheirTypeAndPreservedValues() throws {
    let configuration = RecordingStore.Configuration()
    let container = try ModelContainer(
      for: Vessel.self, Ferry.self, Tug.self, configurations: configuration)
    let context = ModelContext(container)
    let tug = Tug(name: "Bamse")
    context.insert(tug)
    try context.save()
    tug.pull = 55
    try context.save()
    context.delete(tug)
    try context.save()
    let lines = configuration.log.takeAll()
    #expect(lines.map { $0.prefix(6) } == ["insert", "update", "delete"])
    for line in lines {
      #expect(line.contains("Tug") && line.contains(#""name":"Bamse""#), "\(line)")
    }
    #expect(lines.last?.contains(#""pull":55"#) == true)
    let tugs = try #require(container.schema.entity(for: Tug.self))
    let preserved = tugs.attributes.filter { $0.options.contains(.preserveValueOnDeletion) }
    #expect(preserved.map(\.name).sorted() == ["name", "pull"])
  }

  @Test func S135_subclassesCanBeAddedToAnExistingStore() throws {
    let configuration = ModelConfiguration(url: scratch.url("vessels"))
    do {
      let context = ModelContext(
        try ModelContainer(for: Vessel.self, configurations: configuration))
      context.insert(Vessel(name: "Fram"))
      try context.save()
    }
    do {
      // The first subclass, then another one.
      let context = ModelContext(
        try ModelContainer(for: Vessel.self, Ferry.self, configurations: configuration))
      #expect(try context.fetch(FetchDescriptor<Vessel>()).map(\.name) == ["Fram"])
      #expect(try context.fetchCount(FetchDescriptor<Ferry>()) == 0)
      context.insert(Ferry(name: "Ampere"))
      try context.save()
    }
    let container = try ModelContainer(
      for: Vessel.self, Ferry.self, Tug.self, configurations: configuration)
    let context = ModelContext(container)
    context.insert(Tug(name: "Bamse"))
    try context.save()
    let all = try ModelContext(container).fetch(
      FetchDescriptor<Vessel>(sortBy: [SortDescriptor(\.name)]))
    #expect(all.map(\.name) == ["Ampere", "Bamse", "Fram"])
    #expect(all.map { "\(type(of: $0))" } == ["Ferry", "Tug", "Vessel"])
    #expect((all[1] as? Tug)?.pull == 40)
  }
}
