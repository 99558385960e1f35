import Foundation
import Testing
import Trellis

@Suite struct ErasureTests {
  @Test(arguments: StoreKind.allCases, [true, false])
  func S045_erasingEmptiesTheStoreDespiteLiveObjects(_ store: StoreKind, _ isThrowing: Bool) throws {
    let home = try StorePlace(store, Vehicle.self)
    let context = home.fresh()
    let vehicles = (0..<3).map { Vehicle(name: "\($0)", wheels: [Wheel(size: $0)]) }
    for vehicle in vehicles { context.insert(vehicle) }
    try context.save()
    vehicles[1].name = "changed"
    context.delete(vehicles[2])
    let new = Vehicle(name: "new")
    context.insert(new)
    if isThrowing { try home.container.erase() } else { home.container.deleteAllData() }

    // Values stay readable without traps. The next query marks the objects as deleted.
    #expect(vehicles[0].name == "0" && vehicles[1].name == "changed")
    #expect(try context.fetch(FetchDescriptor<Vehicle>()).map(\.name) == ["new"])
    #expect(vehicles.allSatisfy { $0.isDeleted && $0.modelContext == nil })
    #expect(vehicles[0].name == "0" && vehicles[0].wheels.isEmpty)
    vehicles[0].name = "refused"
    #expect(vehicles[0].name == "0")
    // Pending changes of erased models are discarded. A new model is still pending.
    #expect(context.changedModelsArray.isEmpty && context.deletedModelsArray.isEmpty)
    #expect(context.insertedModelsArray.count == 1)
    try context.save()
    #expect(try home.fresh().fetch(FetchDescriptor<Vehicle>()).map(\.name) == ["new"])
    #expect(try context.fetchCount(FetchDescriptor<Wheel>()) == 0)
  }

  /// A change to an erased row cannot be saved and is reported.
  @Test func aChangeToAnErasedRowIsDroppedBeforeTheSave() throws {
    let home = try StorePlace(.disk, Vehicle.self)
    let context = home.fresh()
    let vehicle = Vehicle(name: "v", wheels: [Wheel(size: 1)])
    context.insert(vehicle)
    try context.save()
    vehicle.name = "w"
    vehicle.wheels.append(Wheel(size: 2))
    try home.container.erase()
    #expect(throws: Never.self) { try context.save() }
    #expect(try home.fresh().fetchCount(FetchDescriptor<Vehicle>()) == 0)
  }
}
