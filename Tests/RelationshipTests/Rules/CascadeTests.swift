import Foundation
import Testing
import Trellis

@testable import TestSupport

@Suite struct CascadeTests {
  private static func folders(depth: Int) -> (root: Folder, last: Folder) {
    let root = Folder(name: "0")
    var last = root
    for level in 1..<depth {
      let next = Folder(name: "\(level)")
      next.parent = last
      next.files = [File(name: "f\(level)")]
      last = next
    }
    return (root, last)
  }

  /// SQLite follows cascades for a thousand rows. A recursive function would overflow the stack.
  @Test(arguments: [999, 1_000, 3_000], [StoreKind.disk, .memory])
  func S025_cascadesReachTheWholeTree(_ depth: Int, _ store: StoreKind) throws {
    let home = try StorePlace(store, Folder.self)
    let context = home.fresh()
    let (root, last) = Self.folders(depth: depth)
    context.insert(root)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Folder>()) == depth)
    context.delete(root)
    try context.save()
    #expect(last.isDeleted)
    let other = home.fresh()
    #expect(try other.fetchCount(FetchDescriptor<Folder>()) == 0)
    #expect(try other.fetchCount(FetchDescriptor<File>()) == 0)
  }

  @Test func deepUnloadedTreesAreDeletedInAnyOrder() throws {
    let home = try StorePlace(.disk, Folder.self)
    for isUpwards in [true, false] {
      let maker = home.fresh()
      // Insert leaves first, so that they have the lowest keys.
      let (_, last) = Self.folders(depth: 2_500)
      maker.insert(last)
      try maker.save()
      let context = home.fresh()
      if isUpwards {
        try context.delete(model: Folder.self)
      } else {
        let roots = try context.fetch(FetchDescriptor<Folder>(predicate: #Predicate { $0.name == "0" }))
        for root in roots { context.delete(root) }
      }
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Folder>()) == 0)
    }
  }

  @Test func cascadesVisitCyclesOnce() throws {
    let home = try StorePlace(.disk, CascadeCascadeA.self)
    let context = home.fresh()
    let ring = (0..<2_000).map { CascadeCascadeA($0, "r") }
    for index in ring.indices { ring[index].next = ring[(index + 1) % ring.count] }
    // A tree whose root is its own parent.
    let root = CascadeCascadeA(-1, "root")
    root.parent = root
    root.children.append(CascadeCascadeA(-2, "child"))
    context.insert(ring[0])
    context.insert(root)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<CascadeCascadeA>()) == 2_002)
    context.delete(ring[1_000])
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<CascadeCascadeA>()) == 2)
    context.delete(root)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<CascadeCascadeA>()) == 0)
    let tables = try #require(MatrixTablesView(home.container))
    #expect(try tables.complaints() == [])
  }

  /// Members without registered objects are deleted by key. Notifications contain them as well.
  @Test func unregisteredMembersAreDeletedAndReported() throws {
    let home = try StorePlace(.memory, Vehicle.self)
    let maker = home.fresh()
    let vehicle = Vehicle(name: "v", wheels: (0..<100).map { Wheel(size: $0) })
    let other = Vehicle(name: "w", wheels: [Wheel(size: 1_000)])
    maker.insert(vehicle)
    maker.insert(other)
    try maker.save()
    let context = home.fresh()
    let own = try #require(context.model(for: vehicle.persistentModelID) as? Vehicle)
    let wheels = try context.fetch(FetchDescriptor<Wheel>(predicate: #Predicate { $0.size < 3 }))
    let moved = try #require(wheels.first { $0.size == 2 })
    moved.vehicle = context.model(for: other.persistentModelID) as? Vehicle
    nonisolated(unsafe) var deleted = Set<PersistentIdentifier>()
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { note in
      let key = ModelContext.NotificationKey.deletedIdentifiers
      deleted = note.userInfo?[key] as? Set<PersistentIdentifier> ?? []
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let expected = Set(vehicle.wheels.filter { $0.size != 2 }.map(\.persistentModelID))
      .union([own.persistentModelID])
    context.delete(own)
    try context.save()
    #expect(deleted == expected)
    #expect(wheels.map(\.isDeleted) == wheels.map { $0 !== moved })
    #expect(try home.fresh().fetch(FetchDescriptor<Wheel>()).map(\.size).sorted() == [2, 1_000])
  }

  /// Ten times as many rows take about ten times as long.
  @Test func largeCascadesAreLinear() throws {
    let home = try StorePlace(.memory, Vehicle.self)
    // The CPU time of this thread, which excludes other tests.
    func spent() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    func time(_ count: Int, _ work: (ModelContext, Vehicle) throws -> Void) throws -> Duration {
      let maker = home.fresh()
      let vehicle = Vehicle(name: "v", wheels: (0..<count).map { Wheel(size: $0) })
      maker.insert(vehicle)
      try maker.save()
      let context = home.fresh()
      let own = try #require(context.model(for: vehicle.persistentModelID) as? Vehicle)
      let start = spent()
      try work(context, own)
      try context.save()
      return spent() - start
    }
    let works: [(String, (ModelContext, Vehicle) throws -> Void)] = [
      ("the owner", { $0.delete($1) }),
      ("the members of a loaded list", { for wheel in $1.wheels { $0.delete(wheel) } }),
      ("by type", { context, _ in try context.delete(model: Wheel.self) }),
    ]
    let count = Repetitions.isThorough ? 1_000 : 500
    for (name, work) in works {
      let small = try (0..<4).map { _ in try time(count, work) }.min() ?? .zero
      let large = try (0..<2).map { _ in try time(10 * count, work) }.min() ?? .zero
      #expect(large < small * 35, "\(name): \(small), \(large)")
    }
    #expect(try home.fresh().fetchCount(FetchDescriptor<Wheel>()) == 0)
  }
}
