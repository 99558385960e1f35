import Foundation
import Testing
import Trellis

/// Models that another context adds to a model during its deletion are deleted or nullified, and the history records
/// that.
@Suite struct CascadeRaceTests {
  @Test(arguments: [StoreKind.file, .memory], [false, true])
  func modelsAddedBeforeTheDeletionAreRecorded(_ kind: StoreKind, fromAnotherContainer: Bool) throws {
    let fixture = try HistoryFixture(kind)
    let container = fixture.container
    let other = fromAnotherContainer ? try fixture.another() : container
    for round in 0..<24 {
      let context = ModelContext(container)
      let parcel = Parcel(code: "\(round)")
      context.insert(parcel)
      try context.save()
      let identifier = parcel.persistentModelID
      DispatchQueue.concurrentPerform(iterations: 2) { part in
        if part == 0 {
          let context = ModelContext(container)
          context.delete(context.model(for: identifier))
          do { try context.save() } catch { Issue.record(error) }
        } else {
          let context = ModelContext(other)
          for number in 0..<6 {
            guard let parcel = context.model(for: identifier) as? Parcel, !parcel.isDeleted else { return }
            context.insert(Item(name: "\(round) \(number)", parcel: parcel))
            context.insert(Stop(place: "\(round) \(number)", parcel: parcel))
            // A save that is too late throws.
            guard (try? context.save()) != nil else { return }
          }
        }
      }
    }
    var inserted: Set<PersistentIdentifier> = []
    var deleted: Set<PersistentIdentifier> = []
    var updated: Set<PersistentIdentifier> = []
    for change in try fixture.all().flatMap(\.changes) {
      switch change {
      case .insert(let insert): inserted.insert(insert.changedPersistentIdentifier)
      case .update(let update): updated.insert(update.changedPersistentIdentifier)
      case .delete(let deletion): deleted.insert(deletion.changedPersistentIdentifier)
      }
    }
    let context = ModelContext(container)
    let items = try context.fetch(FetchDescriptor<Item>())
    let stops = try context.fetch(FetchDescriptor<Stop>())
    #expect(try context.fetchCount(FetchDescriptor<Parcel>()) == 0)
    // Items without a parcel were rejected.
    #expect(items.isEmpty)
    #expect(inserted.subtracting(stops.map(\.persistentModelID)) == deleted)
    // Each stop was saved with its parcel, and the reference was cleared.
    #expect(stops.allSatisfy { $0.parcel == nil })
    #expect(Set(stops.map(\.persistentModelID)).isSubset(of: updated))
  }
}
