import Foundation
import Testing
import Trellis

/// Properties that are added while rows exist. Only rows that require a value receive one.
@Suite struct AddedPropertyTests {
  private func writeBeasts(_ fixture: StorageFixture) throws {
    let context = ModelContext(
      try fixture.container(Beast.self, Bird.self, Falcon.self, Fish.self, Shoal.self))
    let fish = Fish(name: "fish", fins: 4)
    for model in [Beast(name: "beast"), Bird(name: "bird"), fish, Fish(name: "finless")] {
      context.insert(model)
    }
    context.insert(Falcon(name: "falcon", prey: fish))
    context.insert(Shoal(name: "shoal", members: [fish]))
    try context.save()
  }

  /// The classes are also renamed, and their rows are found under the new names.
  @Test func S120_subclassRowsGetTheDefaultOfANewProperty() throws {
    let fixture = try StorageFixture()
    try writeBeasts(fixture)
    let context = ModelContext(
      try fixture.container(Animal.self, Fowl.self, Hawk.self, Trout.self, Swarm.self))
    #expect(try context.all(Animal.self).count == 6)
    let fowls = try context.fetch(FetchDescriptor<Fowl>(sortBy: [SortDescriptor(\.name)]))
    #expect(fowls.map(\.name) == ["bird", "falcon"])
    for fowl in fowls {
      #expect(fowl.wings == 2)
      #expect(fowl.call == "it's me")
      #expect(fowl.nest == nil)
      #expect(fowl.egg == Egg(size: 0.5, colour: "white"))
    }
    let hawk = try context.only(Hawk.self)
    #expect(hawk.speed == 1.5)
    #expect(hawk.prey?.fins == 4)
    #expect(try context.only(Swarm.self).members.map(\.name) == ["fish"])
    #expect(try context.fetchCount(FetchDescriptor<Fowl>(predicate: #Predicate { $0.wings == 2 })) == 2)
    // Rows of other classes have no value.
    let columns = "count(wings), count(call), count(egg_size), count(egg_colour), count(speed)"
    #expect(try fixture.shell("SELECT \(columns) FROM Animal") == "2|2|2|2|1")
    context.insert(Trout(name: "late"))
    try context.save()
    #expect(try fixture.shell("SELECT \(columns) FROM Animal") == "2|2|2|2|1")
    #expect(try fixture.shell("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
  }

  @Test func requiredPropertiesWithoutADefaultAreRejectedInSubclasses() throws {
    let fixture = try StorageFixture()
    do {
      let context = ModelContext(try fixture.container(Beast.self, Fish.self))
      context.insert(Beast(name: "beast"))
      context.insert(Fish(name: "fish", fins: 4))
      try context.save()
    }
    let error = #expect(throws: SwiftDataError.self) {
      try fixture.container(Creature.self, Shark.self)
    }
    #expect(error?.storeProblem == .differentSchema)
    let text = error?.explanation ?? ""
    #expect(text.contains("'Shark.teeth' is new and required, but has no default value"))
    #expect(try ModelContext(fixture.container(Beast.self, Fish.self)).only(Fish.self).fins == 4)
  }

  @Test func optionalStructsGetTheDefaultOfTheirNewProperty() throws {
    let fixture = try StorageFixture()
    do {
      let context = ModelContext(try fixture.container(Cave.self))
      context.insert(Cave(den: Plot(area: 5)))
      context.insert(Cave())
      try context.save()
    }
    let error = #expect(throws: SwiftDataError.self) { try fixture.container(Pit.self) }
    #expect(error?.explanation?.contains("'Pit.den.depth' is new and required") == true, "\(error?.explanation ?? "")")
    let context = ModelContext(try fixture.container(Lair.self))
    let dens = try context.all(Lair.self).map(\.den)
    #expect(Set(dens) == [DeepDen(area: 5, depth: 3), nil])
    #expect(try fixture.shell("SELECT count(den_depth) FROM Lair") == "1")
  }

  /// The generated structs of such subclasses have one initialiser without parameters.
  @Test func subclassesCanHaveOnlyOptionalProperties() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(
      try fixture.container(Beast.self, Bird.self, Falcon.self, Fish.self, Shoal.self))
    let fish = Fish(name: "fish")
    #expect(fish.fins == nil)
    context.insert(Falcon(name: "falcon", prey: fish))
    context.insert(Shoal(name: "shoal", members: [fish]))
    try context.save()
    fish.fins = 2
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.only(Falcon.self).prey?.fins == 2)
    #expect(try other.only(Shoal.self).members.map(\.fins) == [2])
  }
}
