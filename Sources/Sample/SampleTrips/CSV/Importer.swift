import Foundation
import Trellis

/// Imports records to a context. Existing trips with equal names and days are updated. No trip is deleted.
struct Importer {
  struct Summary: Equatable {
    var new = 0
    var changed = 0
    var unchanged = 0
    var wishes = 0
    var stays = 0

    var trips: Int { new + changed + unchanged }
  }

  let context: ModelContext
  private(set) var summary = Summary()
  private var known: [TripKey: Trip] = [:]

  init(context: ModelContext) throws {
    self.context = context
    var all = FetchDescriptor<Trip>()
    all.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
    for trip in try context.fetch(all) { known[trip.key] = trip }
  }

  mutating func take(_ record: TripRecord) {
    guard let trip = known[record.key] else {
      known[record.key] = insert(record)
      summary.new += 1
      return
    }
    if update(trip, from: record) {
      summary.changed += 1
    } else {
      summary.unchanged += 1
    }
  }

  private mutating func insert(_ record: TripRecord) -> Trip {
    let trip = Trip(
      name: record.name, destination: record.destination, startDate: record.startDate,
      endDate: record.endDate, kind: record.kind, budget: record.budget, tags: record.tags)
    context.insert(trip)
    trip.bucketList = record.wishes.map { BucketListItem(title: $0.title, isInPlan: $0.isInPlan) }
    trip.livingAccommodation = record.stay.map(LivingAccommodation.init)
    summary.wishes += record.wishes.count
    summary.stays += record.stay == nil ? 0 : 1
    return trip
  }

  /// Returns true if a value changed. Only different values are assigned, because assigning an equal value would also
  /// cause a save.
  private mutating func update(_ trip: Trip, from record: TripRecord) -> Bool {
    var isChanged = assign(record.destination, to: \.destination, of: trip)
    isChanged = assign(record.kind, to: \.kind, of: trip) || isChanged
    isChanged = assign(record.budget ?? trip.budget, to: \.budget, of: trip) || isChanged
    isChanged = assign(record.tags, to: \.tags, of: trip) || isChanged
    isChanged = updateWishes(of: trip, record.wishes) || isChanged
    if let stay = record.stay { isChanged = updateStay(of: trip, stay) || isChanged }
    return isChanged
  }

  private mutating func updateWishes(of trip: Trip, _ wishes: [TripRecord.Wish]) -> Bool {
    var isChanged = false
    for wish in wishes {
      if let item = trip.bucketList.first(where: { $0.title == wish.title }) {
        isChanged = assign(item.isInPlan || wish.isInPlan, to: \.isInPlan, of: item) || isChanged
      } else {
        trip.bucketList.append(BucketListItem(title: wish.title, isInPlan: wish.isInPlan))
        summary.wishes += 1
        isChanged = true
      }
    }
    return isChanged
  }

  private mutating func updateStay(of trip: Trip, _ stay: TripRecord.Stay) -> Bool {
    guard let place = trip.livingAccommodation else {
      trip.livingAccommodation = LivingAccommodation(stay)
      summary.stays += 1
      return true
    }
    var isChanged = assign(stay.placeName, to: \.placeName, of: place)
    isChanged = assign(stay.address, to: \.address, of: place) || isChanged
    isChanged =
      assign(stay.bookingReference ?? place.bookingReference, to: \.bookingReference, of: place)
      || isChanged
    isChanged =
      assign(stay.pricePerNight ?? place.pricePerNight, to: \.pricePerNight, of: place) || isChanged
    // A manual confirmation is kept.
    return assign(place.isConfirmed || stay.isConfirmed, to: \.isConfirmed, of: place) || isChanged
  }

  private func assign<Model: AnyObject, Value: Equatable>(
    _ value: Value, to property: ReferenceWritableKeyPath<Model, Value>, of model: Model
  ) -> Bool {
    guard model[keyPath: property] != value else { return false }
    model[keyPath: property] = value
    return true
  }
}

extension LivingAccommodation {
  convenience init(_ stay: TripRecord.Stay) {
    self.init(
      placeName: stay.placeName, bookingReference: stay.bookingReference, address: stay.address,
      isConfirmed: stay.isConfirmed, pricePerNight: stay.pricePerNight)
  }
}
