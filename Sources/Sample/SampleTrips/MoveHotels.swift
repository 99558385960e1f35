import Foundation
public import Trellis

extension SampleTripsMigrationPlan {
  /// Converts a trip's hotel properties in version 2 to an accommodation.
  public static func moveHotels(_ migration: MigrationRows) throws {
    try migration.forEach(SampleTripsSchema.V2_0_0.Trip.Snapshot.self) { trips in
      let stays = trips.compactMap { trip -> LivingAccommodation.Snapshot? in
        guard let name = trip.hotelName else { return nil }
        return LivingAccommodation.Snapshot(
          placeName: name,
          address: Address(
            street: trip.hotelStreet ?? "", city: trip.hotelCity ?? trip.destination, country: ""),
          isConfirmed: trip.isHotelConfirmed,
          trip: migration.identifier(of: trip, as: Trip.self))
      }
      try migration.new.insert(contentsOf: stays)
    }
  }
}
