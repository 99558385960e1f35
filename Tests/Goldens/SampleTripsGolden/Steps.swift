public import Trellis

// Written by hand: the custom migration steps that the schema requires.
nonisolated extension SampleTripsMigrationPlan {
  public static func moveHotels(_ migration: MigrationRows) throws {
    // The names remain valid when the version is released.
    typealias New = SampleTripsSchema.V3_0_0
    try migration.forEach(SampleTripsSchema.V2_0_0.Trip.Snapshot.self) { trips in
      let stays = trips.compactMap { trip -> New.LivingAccommodation.Snapshot? in
        guard let name = trip.hotelName else { return nil }
        return New.LivingAccommodation.Snapshot(
          placeName: name,
          address: New.Address(
            street: trip.hotelStreet ?? "", city: trip.hotelCity ?? trip.destination, country: ""),
          isConfirmed: trip.isHotelConfirmed, trip: migration.identifier(of: trip, as: New.Trip.self))
      }
      try migration.new.insert(contentsOf: stays)
    }
  }
}
