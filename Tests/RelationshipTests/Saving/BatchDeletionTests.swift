import Foundation
import Testing
import Trellis

@Suite struct BatchDeletionTests {
  private func prepare(_ store: StoreKind) throws -> (StorePlace, ModelContext) {
    let home = try StorePlace(store, Vehicle.self, Truck.self, Team.self, Contract.self)
    let context = home.fresh()
    for number in 0..<4 {
      context.insert(
        Vehicle(name: "v\(number)", wheels: (0..<4).map { Wheel(size: $0 + 10 * number) }))
      context.insert(
        Truck(name: "t\(number)", wheels: [Wheel(size: 100 + number)], load: number))
    }
    try context.save()
    return (home, context)
  }

  private func names(_ context: ModelContext) throws -> String {
    try context.fetch(FetchDescriptor<Vehicle>()).map(\.name).sorted().joined(separator: " ")
  }

  @Test(arguments: StoreKind.allCases)
  func S029_S062_S063_deletionByTypeFollowsTheRules(_ store: StoreKind) throws {
    let (home, _) = try prepare(store)
    let context = home.fresh()
    try context.delete(model: Vehicle.self, where: #Predicate { $0.name < "v1" })
    #expect(try names(context) == "v1 v2 v3")
    #expect(context.deletedModelsArray.count == 5)
    // The store is unchanged before the save.
    #expect(try home.fresh().fetchCount(FetchDescriptor<Vehicle>()) == 8)
    try context.save()
    let fresh = home.fresh()
    #expect(try names(fresh) == "v1 v2 v3")
    #expect(try fresh.fetchCount(FetchDescriptor<Wheel>()) == 12)
    try context.delete(model: Vehicle.self)
    try context.save()
    #expect(try fresh.fetchCount(FetchDescriptor<Vehicle>()) == 0)
    #expect(try fresh.fetchCount(FetchDescriptor<Wheel>()) == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func S063_subclassesAreSparedOnRequest(_ store: StoreKind) throws {
    let (home, context) = try prepare(store)
    try context.delete(model: Vehicle.self, includeSubclasses: false)
    try context.save()
    #expect(try names(home.fresh()) == "t0 t1 t2 t3")
    try context.delete(
      model: Vehicle.self, where: #Predicate { $0.name == "t1" }, includeSubclasses: false)
    #expect(!context.hasChanges)
    try context.delete(model: Truck.self, where: #Predicate { $0.load > 1 })
    try context.save()
    #expect(try names(home.fresh()) == "t0 t1")
    #expect(try context.fetchCount(FetchDescriptor<Wheel>()) == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func pendingChangesAreIncluded(_ store: StoreKind) throws {
    let (home, context) = try prepare(store)
    let vehicles = try context.fetch(
      FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)])
    ).filter { !($0 is Truck) }
    vehicles[0].name = "x"
    vehicles[1].name = "v9"
    context.delete(vehicles[2])
    let new = Vehicle(name: "x new", wheels: [Wheel(size: 1)])
    context.insert(new)
    try context.delete(model: Vehicle.self, where: #Predicate { $0.name.starts(with: "x") })
    #expect(vehicles[0].isDeleted && new.isDeleted && !vehicles[1].isDeleted)
    #expect(
      Set(context.deletedModelsArray.map(\.persistentModelID))
        == [vehicles[0].persistentModelID, vehicles[2].persistentModelID])
    try context.save()
    #expect(try names(home.fresh()) == "t0 t1 t2 t3 v3 v9")
    #expect(try context.fetch(FetchDescriptor<Wheel>()).allSatisfy { $0.vehicle != nil })
  }

  @Test(arguments: StoreKind.allCases)
  func severalDeletionsBeforeOneSave(_ store: StoreKind) throws {
    let (home, context) = try prepare(store)
    let held = try context.fetch(FetchDescriptor<Wheel>(sortBy: [SortDescriptor(\.size)]))
    for _ in 0..<2 {
      try context.delete(model: Wheel.self, where: #Predicate { $0.size < 4 })
      try context.delete(model: Vehicle.self, where: #Predicate { $0.name == "v0" })
      try context.delete(model: Vehicle.self, where: #Predicate { $0.name == "v0" || $0.name == "t1" })
      try context.delete(model: Wheel.self, where: #Predicate { $0.vehicle?.name == "v2" })
    }
    try context.save()
    let fresh = home.fresh()
    #expect(try names(fresh) == "t0 t2 t3 v1 v2 v3")
    #expect(try fresh.fetchCount(FetchDescriptor<Wheel>()) == 11)
    // Retained models are marked as deleted.
    #expect(held.filter { !$0.isDeleted }.count == 11)
    #expect(held[0].isDeleted && held[0].modelContext == nil && held[0].vehicle == nil)
    #expect(held[0].size == 0)
    let registered: Wheel? = context.registeredModel(for: held[0].persistentModelID)
    #expect(registered == nil)
  }

  /// A predicate without a SQL translation selects equal models.
  @Test(arguments: StoreKind.allCases)
  func untranslatablePredicatesWork(_ store: StoreKind) throws {
    let (home, context) = try prepare(store)
    let names = ["v1": true, "v2": true]
    try context.delete(model: Vehicle.self, where: #Predicate { names[$0.name] == true })
    try context.save()
    #expect(try self.names(home.fresh()) == "t0 t1 t2 t3 v0 v3")
  }

  @Test(arguments: StoreKind.allCases)
  func deniedDeletionsChangeNothing(_ store: StoreKind) throws {
    let home = try StorePlace(store, Team.self, Contract.self)
    let context = home.fresh()
    for name in ["a", "b"] {
      let players = (0..<2).map { Player(name: "\($0)") }
      let team = Team(name: name, players: players, members: players)
      if name == "b" { team.contracts = [Contract(number: 1, player: players[0])] }
      context.insert(team)
    }
    try context.save()
    try context.delete(model: Team.self)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(context.deletedModelsArray.count == 2)
    #expect(try home.fresh().fetchCount(FetchDescriptor<Team>()) == 2)
    context.rollback()
    #expect(try context.fetchCount(FetchDescriptor<Team>()) == 2)
    #expect(try context.fetch(FetchDescriptor<Player>()).allSatisfy { $0.team != nil })
  }

  @Test(arguments: StoreKind.allCases)
  func otherContextsAreNotified(_ store: StoreKind) throws {
    let (home, context) = try prepare(store)
    let other = home.fresh()
    let held = try other.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]))
    let wheels = held.flatMap(\.wheels)
    try context.delete(model: Vehicle.self, where: #Predicate { $0.name == "v0" })
    try context.save()
    #expect(try other.fetchCount(FetchDescriptor<Vehicle>()) == 7)
    _ = try other.fetch(FetchDescriptor<Wheel>())
    #expect(held.filter(\.isDeleted).map(\.name) == ["v0"])
    #expect(wheels.count(where: \.isDeleted) == 4)
  }
}
