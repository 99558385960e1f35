import Foundation
import Testing
import Trellis

/// Related models whose classes are nested in types.
struct NestedTests {
  @Test func modelsInDifferentTypesAreRelated() throws {
    let container = try ModelContainer(
      for: Towns.Town.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let town = Towns.Town(name: "Ulm")
    context.insert(town)
    let voter = Residents.Voter(name: "a")
    town.voters = [voter]
    let ballot = Ballot(title: "b")
    ballot.town = town
    let slip = Ballot.Slip(choice: 2)
    ballot.slips = [slip]
    slip.voter = voter
    try context.save()
    let other = ModelContext(container)
    let descriptor = FetchDescriptor<Ballot.Slip>(predicate: #Predicate { $0.choice == 2 })
    let found = try #require(try other.fetch(descriptor).first)
    #expect(found.voter?.town?.name == "Ulm" && found.ballot?.town?.ballots.map(\.title) == ["b"])
    #expect(found.voter?.slips.map(\.choice) == [2] && found.ballot?.town?.kind == .small)
    #expect(container.schema.entities.map(\.name).sorted() == ["Ballot", "Slip", "Town", "Voter"])
    other.delete(try #require(found.ballot))
    try other.save()
    #expect(try other.fetchCount(FetchDescriptor<Ballot.Slip>()) == 0)
  }
}
