import Foundation
import SampleTrips
import Trellis

// A widget for the application: a separate process that shares the application's store. The widget records that a hotel
// has confirmed a booking.
//
//     trips-widget BR-7F3K2Q [--store PATH]

func fail(_ message: String, status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(status)
}

/// Confirms a booking. The container is closed when the function returns, before the process exits.
///
/// - Returns: The place name; nil if there is no such booking.
func confirm(_ booking: String, in configuration: ModelConfiguration) throws -> String? {
  let context = ModelContext(try TripsStore.container(configuration))
  // The history records the author with the save.
  context.author = "widget"
  let booked = #Predicate<LivingAccommodation> { $0.bookingReference == booking }
  guard let stay = try context.fetch(FetchDescriptor(predicate: booked)).first else { return nil }
  stay.isConfirmed = true
  try context.save()
  return stay.placeName
}

var words = Array(CommandLine.arguments.dropFirst())
var path: String?
if let option = words.firstIndex(of: "--store"), option + 1 < words.count {
  path = words[option + 1]
  words.removeSubrange(option...option + 1)
}
guard words.count == 1, let booking = words.first, !booking.hasPrefix("-") else {
  fail("usage: trips-widget BOOKING [--store PATH]", status: 2)
}
let configuration = TripsStore.configuration(path)
guard FileManager.default.fileExists(atPath: configuration.url.path) else {
  fail("no store exists at \(configuration.url.path)")
}
do {
  guard let place = try confirm(booking, in: configuration) else { fail("the booking '\(booking)' does not exist") }
  print("\(place) has confirmed.")
} catch {
  fail("\(error)")
}
