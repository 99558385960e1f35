import TestSupport
import Testing
import Trellis

/// Relationships of a schema file that are private at both ends.
@Suite struct PrivateInverseTests {
  private static let schema = Schema([Lock.self, Key.self, Screw.self])

  private func all<T: PersistentModel>(_ type: T.Type, _ context: ModelContext) throws -> [T] {
    try context.fetch(FetchDescriptor<T>())
  }

  @Test(arguments: StoreKind.allCases) func theInverseReferenceIsUpdated(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let context = home.fresh()
    let locks = ["front", "back"].map { Lock(name: $0) }
    let key = Key(name: "key")
    for lock in locks { context.insert(lock) }
    context.insert(key)
    locks[0].itsKey = key
    #expect(key.itsLock === locks[0])
    try context.save()
    #expect(try all(Key.self, home.fresh()).map { $0.itsLock?.name } == ["front"])
    key.itsLock = locks[1]
    #expect(locks[0].itsKey == nil && locks[1].itsKey === key)
    try context.save()
    let pairs = try all(Lock.self, home.fresh()).map { [$0.name, $0.itsKey?.name ?? "-"] }
    #expect(Set(pairs) == [["front", "-"], ["back", "key"]])
    context.delete(locks[1])
    try context.save()
    #expect(key.itsLock == nil)
    #expect(try all(Key.self, home.fresh()).map { $0.itsLock?.name } == [nil])
  }

  @Test(arguments: StoreKind.allCases) func theInverseListIsUpdated(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let context = home.fresh()
    let locks = ["front", "back"].map { Lock(name: $0) }
    let screws = ["a", "b", "c"].map { Screw(name: $0) }
    for lock in locks { context.insert(lock) }
    for screw in screws { context.insert(screw) }
    screws[0].itsLock = locks[0]
    locks[0].itsScrews.append(screws[1])
    screws[2].itsLock = locks[1]
    #expect(Set(locks[0].itsScrews.map(\.name)) == ["a", "b"] && screws[1].itsLock === locks[0])
    try context.save()
    let owners = try all(Screw.self, home.fresh()).map { [$0.name, $0.itsLock?.name ?? "-"] }
    #expect(Set(owners) == [["a", "front"], ["b", "front"], ["c", "back"]])
    let lists = try all(Lock.self, home.fresh()).map { [$0.name] + $0.itsScrews.map(\.name).sorted() }
    #expect(Set(lists) == [["front", "a", "b"], ["back", "c"]])
    context.delete(screws[0])
    #expect(locks[0].itsScrews.map(\.name) == ["b"])
    context.delete(locks[1])
    try context.save()
    #expect(try all(Screw.self, home.fresh()).map(\.name) == ["b"])
    #expect(try all(Lock.self, home.fresh()).map { $0.itsScrews.map(\.name) } == [["b"]])
  }
}
