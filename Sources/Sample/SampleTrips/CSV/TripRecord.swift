import Foundation

/// The contents of a row in a trips file.
struct TripRecord {
  struct Wish {
    var title: String
    var isInPlan: Bool
  }

  struct Stay {
    var placeName: String
    var bookingReference: String?
    var address: Address
    var pricePerNight: Decimal?
    var isConfirmed: Bool
  }

  /// The row's first line number.
  var line: Int
  var name: String
  var destination: String
  var startDate: Date
  var endDate: Date
  var kind: TripKind
  var budget: Decimal?
  var tags: [String]
  var wishes: [Wish]
  var stay: Stay?

  /// The key that identifies the trip.
  var key: TripKey { TripKey(name: name, startDate: startDate, endDate: endDate) }
}

/// The values that identify a trip.
struct TripKey: Hashable {
  var name: String
  var startDate: Date
  var endDate: Date
}

extension Trip {
  var key: TripKey { TripKey(name: name, startDate: startDate, endDate: endDate) }
}
