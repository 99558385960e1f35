/// The columns in a trips file.
enum TripColumn: String, CaseIterable {
  case name, destination, start, end, purpose, budget, tags
  case bucketList = "bucket list"
  case accommodation
  case bookingReference = "booking reference"
  case pricePerNight = "price per night"
  case street
  case postalCode = "postal code"
  case city, country, confirmed

  /// The required columns.
  static let required: [TripColumn] = [.name, .destination, .start, .end]

  /// Finds the column for a header, ignoring case. Spaces, dashes and underscores are equivalent.
  init?(header: String) {
    let words = header.lowercased().split { $0 == " " || $0 == "_" || $0 == "-" }
    self.init(rawValue: words.joined(separator: " "))
  }
}
