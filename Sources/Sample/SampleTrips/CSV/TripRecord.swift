import Foundation

/// What one row of a trips file says.
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

  /// The line of the file the row starts on.
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

  /// What makes two rows the same trip.
  var key: TripKey { TripKey(name: name, startDate: startDate, endDate: endDate) }
}

/// The values that only one trip has.
struct TripKey: Hashable {
  var name: String
  var startDate: Date
  var endDate: Date
}

extension Trip {
  var key: TripKey { TripKey(name: name, startDate: startDate, endDate: endDate) }
}
