import Testing
import Trellis

@Suite struct CountTests {
  let home: StorePlace
  let context: ModelContext

  init() throws {
    home = try StorePlace(.disk, Team.self, Contract.self)
    context = home.fresh()
  }

  private func players(_ count: Int) -> [Player] { (0..<count).map { Player(name: "\($0)") } }

  private func refusal(_ context: ModelContext) -> [String] {
    do {
      try context.save()
      return []
    } catch let error as SwiftDataError where error == .modelValidationFailure {
      return error.details.map { "\($0.property ?? "") \($0.rule.rawValue)" }.sorted()
    } catch {
      return ["\(error)"]
    }
  }

  @Test(arguments: [
    (0, ["players minimumModelCount"]), (1, ["players minimumModelCount"]), (2, []), (3, []),
    (4, ["players maximumModelCount"]),
  ])
  func S030_countsAreEnforced(_ count: Int, _ expected: [String]) throws {
    let team = Team(name: "t", players: players(count), members: players(1))
    context.insert(team)
    #expect(refusal(context) == expected)
    #expect(try home.fresh().fetchCount(FetchDescriptor<Team>()) == (expected.isEmpty ? 1 : 0))
  }

  @Test(arguments: [
    (0, []), (1, ["captains minimumModelCount"]), (2, []), (3, ["captains maximumModelCount"]),
  ])
  func S031_countsApplyToNonemptyOptionalLists(
    _ count: Int, _ expected: [String]
  ) throws {
    let team = Team(
      name: "t", players: players(2), members: players(1),
      captains: count == 0 ? nil : players(count))
    context.insert(team)
    #expect(refusal(context) == expected)
  }

  /// Every removal from a list is checked, whether the list is loaded or not.
  @Test(
    arguments: [
      "deleted", "moved", "parted", "emptied", "by predicate",
    ], [true, false])
  func countsAreValidatedForEveryKindOfRemoval(_ way: String, _ isLoaded: Bool) throws {
    let maker = home.fresh()
    let made = Team(name: "t", players: players(2), members: players(1))
    maker.insert(made)
    maker.insert(Team(name: "u", players: players(2), members: players(1)))
    try maker.save()
    let member = made.players[0].persistentModelID
    let context = isLoaded ? maker : home.fresh()
    let player = try #require(context.model(for: member) as? Player)
    switch way {
    case "deleted": context.delete(player)
    case "moved":
      player.team = try context.fetch(
        FetchDescriptor<Team>(predicate: #Predicate { $0.name == "u" })
      ).first
    case "parted": player.team = nil
    case "emptied": player.team?.players = []
    default:
      let id = player.persistentModelID
      try context.delete(model: Player.self, where: #Predicate { $0.persistentModelID == id })
    }
    #expect(refusal(context) == ["players minimumModelCount"])
    #expect(context.hasChanges)
    // Without the team, no minimum count applies.
    if let team = context.model(for: made.persistentModelID) as? Team { context.delete(team) }
    #expect(refusal(context) == [])
  }

  @Test func everyShortenedListOfAModelIsChecked() throws {
    let team = Team(name: "t", players: players(2), members: players(1), captains: players(2))
    context.insert(team)
    try context.save()
    let leaving = [team.players[0], team.members[0], try #require(team.captains?.first)]
    for player in leaving { context.delete(player) }
    #expect(
      refusal(context) == [
        "captains minimumModelCount", "members minimumModelCount", "players minimumModelCount",
      ])
  }

  @Test func allViolationsAreReportedAndNothingIsWritten() throws {
    let kept = Team(name: "kept", players: players(2), members: players(1))
    let gone = Team(name: "gone", players: players(2), members: players(1))
    let player = Player(name: "needed")
    gone.contracts = [Contract(number: 1, player: player)]
    for team in [kept, gone] { context.insert(team) }
    try context.save()

    let short = Team(name: "short", players: players(1), members: [])
    let long = Team(name: "long", players: players(5), members: players(1))
    for team in [short, long] { context.insert(team) }
    let orphan = Contract(number: 2, player: Player(name: "dropped"))
    context.insert(orphan)
    context.delete(orphan.player)
    context.delete(kept.players[0])
    context.delete(gone)
    kept.name = "renamed"
    let before = pending
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    let found = error?.details.map { "\(name($0.model)) \($0.property ?? "-") \($0.rule.rawValue)" }
    #expect(
      found?.sorted() == [
        "contract 2 player required", "gone contracts deny", "long players maximumModelCount",
        "renamed players minimumModelCount", "short members minimumModelCount",
        "short players minimumModelCount",
      ])
    #expect(error?.details.allSatisfy { !$0.reason.isEmpty } == true)
    #expect(pending == before)
    #expect(kept.players.count == 1 && gone.contracts.count == 1 && kept.name == "renamed")
    let fresh = home.fresh()
    let teams = try fresh.fetch(FetchDescriptor<Team>(sortBy: [SortDescriptor(\.name)]))
    #expect(teams.map(\.name) == ["gone", "kept"] && teams[1].players.count == 2)
    #expect(try fresh.fetchCount(FetchDescriptor<Contract>()) == 1)
    context.rollback()
    #expect(!context.hasChanges && kept.players.count == 2)
  }

  private var pending: [[PersistentIdentifier]] {
    [context.insertedModelsArray, context.changedModelsArray, context.deletedModelsArray].map {
      $0.map(\.persistentModelID)
    }
  }

  private func name(_ identifier: PersistentIdentifier) -> String {
    switch context.model(for: identifier) {
    case let team as Team: team.name
    case let contract as Contract: "contract \(contract.number)"
    default: "\(identifier)"
    }
  }

  @Test func S036_twoOwnersOfOneModelAreRejected() throws {
    let players = players(3)
    let contracts = (0..<2).map { Contract(number: $0, player: players[2], seat: players[$0]) }
    for contract in contracts { context.insert(contract) }
    try context.save()
    let third = Contract(number: 3, player: players[2], seat: players[0])
    context.insert(third)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.details.map(\.rule) == [.unique] && error?.details.first?.property == "seat")
    #expect(error?.details.first?.others == [contracts[0].persistentModelID])
    third.seat = nil
    // Two models exchange their seats.
    (contracts[0].seat, contracts[1].seat) = (contracts[1].seat, contracts[0].seat)
    try context.save()
    let read = try home.fresh().fetch(
      FetchDescriptor<Contract>(sortBy: [SortDescriptor(\.number)]))
    #expect(read.map { $0.seat?.name } == ["1", "0", nil])
  }
}
