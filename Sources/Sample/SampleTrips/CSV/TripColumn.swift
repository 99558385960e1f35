/// The columns of a trips file.
enum TripColumn: String, CaseIterable {
  case name, destination, start, end, purpose, budget, tags
  case bucketList = "bucket list"
  case accommodation
  case bookingReference = "booking reference"
  case pricePerNight = "price per night"
  case street
  case postalCode = "postal code"
  case city, country, confirmed

  /// A file without one of these is refused.
  static let required: [TripColumn] = [.name, .destination, .start, .end]

  /// The column of a header, written with any capitals and with spaces, dashes or underscores.
  init?(header: String) {
    let words = header.lowercased().split { $0 == " " || $0 == "_" || $0 == "-" }
    self.init(rawValue: words.joined(separator: " "))
  }
}
