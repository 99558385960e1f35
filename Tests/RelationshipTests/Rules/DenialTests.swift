import Testing
import Trellis

@Suite struct DenialTests {
  @Test(arguments: StoreKind.allCases)
  func S026_denialsNameEveryBlockerAndEndWhenTheyAreGone(_ store: StoreKind) throws {
    let home = try StorePlace(store, Team.self, Contract.self)
    let context = home.fresh()
    let players = (0..<3).map { Player(name: "\($0)") }
    let team = Team(name: "t", players: players, members: players)
    let contracts = (0..<3).map { Contract(number: $0, team: team, player: players[$0]) }
    let other = Team(name: "u", players: (0..<2).map { Player(name: "u\($0)") }, members: players)
    for model in [team, other] { context.insert(model) }
    try context.save()

    context.delete(team)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    let violation = try #require(error?.details.first)
    #expect(error?.details.count == 1 && violation.rule == .deny)
    #expect(violation.model == team.persistentModelID && violation.property == "contracts")
    #expect(Set(violation.others) == Set(contracts.map(\.persistentModelID)))
    #expect(violation.reason == "has \"valid\" contracts")
    #expect("\(error ?? .unknownSchema)".contains("\(contracts[1].persistentModelID)"))
    #expect(context.deletedModelsArray.count == 1 && team.isDeleted)

    // One member changes to another team, one is removed, and one is deleted with the team.
    contracts[0].team = other
    contracts[1].team = nil
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.delete(contracts[2])
    try context.save()
    let read = home.fresh()
    #expect(try read.fetch(FetchDescriptor<Team>()).map(\.name) == ["u"])
    let left = try read.fetch(FetchDescriptor<Contract>(sortBy: [SortDescriptor(\.number)]))
    #expect(left.map { $0.team?.name } == ["u", nil])
  }

  @Test func everyDenialInASaveIsNamed() throws {
    let home = try StorePlace(.disk, Team.self, Contract.self)
    let context = home.fresh()
    let players = (0..<2).map { Player(name: "\($0)") }
    let teams = (0..<3).map { Team(name: "\($0)", members: players) }
    for (index, team) in teams.enumerated() {
      team.players = (0..<2).map { Player(name: "\(index) \($0)") }
      team.contracts = [Contract(number: index, player: players[0])]
      context.insert(team)
    }
    try context.save()
    try context.delete(model: Team.self)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(Set(error?.details.map(\.model) ?? []) == Set(teams.map(\.persistentModelID)))
    context.rollback()
    try context.delete(model: Contract.self)
    try context.delete(model: Team.self)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Team>()) == 0)
  }

  /// A dangling reference that `.noAction` leaves reads as nil in objects, predicates and SQL.
  @Test(arguments: StoreKind.allCases)
  func S027_danglingReferencesReadAsNil(_ store: StoreKind) throws {
    let home = try StorePlace(store, NoActionNullifyA.self)
    let context = home.fresh()
    let owner = NoActionNullifyA(0, "owner")
    let members = (0..<3).map { NoActionNullifyB($0, "m\($0)") }
    owner.many = members
    context.insert(owner)
    try context.save()
    context.delete(owner)
    try context.save()
    // The rule does not change the members, so nothing is pending.
    #expect(!context.hasChanges && members.allSatisfy { !$0.hasChanges && $0.owner == nil })
    for context in [context, home.fresh()] {
      func count(_ predicate: Predicate<NoActionNullifyB>) throws -> Int {
        try context.fetchCount(FetchDescriptor(predicate: predicate))
      }
      #expect(try count(#Predicate { $0.owner == nil }) == 3)
      #expect(try count(#Predicate { $0.owner != nil }) == 0)
      #expect(try count(#Predicate { $0.owner?.name == "owner" }) == 0)
    }
    members[0].name = "changed"
    try context.save()
    #expect(members[0].owner == nil)
  }
}
