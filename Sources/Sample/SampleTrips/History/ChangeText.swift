import Foundation
import Trellis

/// Describes changes in words: `confirmed Harbour Rooms, for 'Northern lights'`.
struct ChangeText {
  private let context: ModelContext

  init(_ container: ModelContainer) { context = ModelContext(container) }

  func text(_ change: HistoryChange) throws -> String {
    let id = change.changedPersistentIdentifier
    switch change {
    case .insert(is DefaultHistoryInsert<Trip>): return "planned \(try trip(id))"
    case .update(let update as DefaultHistoryUpdate<Trip>):
      return "changed \(names(update)) of \(try trip(id))"
    case .delete(let deletion as DefaultHistoryDelete<Trip>): return "deleted \(buried(deletion.tombstone))"
    case .insert(is DefaultHistoryInsert<LivingAccommodation>): return "added \(try stay(id))"
    case .update(let update as DefaultHistoryUpdate<LivingAccommodation>):
      return try text(update)
    case .delete(is DefaultHistoryDelete<LivingAccommodation>): return "deleted a place to stay"
    case .insert(is DefaultHistoryInsert<BucketListItem>): return "wished for \(try wish(id))"
    case .update(let update as DefaultHistoryUpdate<BucketListItem>):
      return "changed \(names(update)) of \(try wish(id))"
    case .delete(is DefaultHistoryDelete<BucketListItem>): return "deleted a wish"
    default: return "changed a \(id.entityName)"
    }
  }

  private func text(_ update: DefaultHistoryUpdate<LivingAccommodation>) throws -> String {
    let id = update.changedPersistentIdentifier
    guard update.containsAttribute(\.isConfirmed), let stay = try model(id, LivingAccommodation.self)
    else { return "changed \(names(update)) of \(try self.stay(id))" }
    return "\(stay.isConfirmed ? "confirmed" : "no longer confirms") \(try self.stay(id))"
  }

  private func names<Model: PersistentModel>(_ update: DefaultHistoryUpdate<Model>) -> String {
    let names = update.updatedAttributes.compactMap { Schema.propertyNames(along: $0)?.last }
    return names.joined(separator: ", ")
  }

  /// Describes a deleted trip from the values in its tombstone.
  private func buried(_ tombstone: HistoryTombstone<Trip>) -> String {
    guard let name = tombstone[\.name] as? String, let start = tombstone[\.startDate] as? Date,
      let end = tombstone[\.endDate] as? Date
    else { return "a trip" }
    return "'\(name.printable)', \(Day.range(start, end))"
  }

  // A later save may have deleted the changed model.

  private func trip(_ id: PersistentIdentifier) throws -> String {
    try model(id, Trip.self).map { "'\($0.name.printable)'" } ?? "a deleted trip"
  }

  private func stay(_ id: PersistentIdentifier) throws -> String {
    guard let stay = try model(id, LivingAccommodation.self) else { return "a deleted place to stay" }
    return stay.placeName.printable + owner(stay.trip)
  }

  private func wish(_ id: PersistentIdentifier) throws -> String {
    guard let item = try model(id, BucketListItem.self) else { return "a deleted item" }
    return item.title.printable + owner(item.trip)
  }

  private func owner(_ trip: Trip?) -> String { trip.map { ", for '\($0.name.printable)'" } ?? "" }

  private func model<Model: PersistentModel>(
    _ id: PersistentIdentifier, _ type: Model.Type
  ) throws -> Model? {
    try context.fetch(FetchDescriptor<Model>(predicate: #Predicate { $0.persistentModelID == id })).first
  }
}
