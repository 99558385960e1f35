import Foundation

/// Prints a trip's details.
struct TripPage {
  let trip: Trip

  func print(_ console: Console) {
    console.print(console.styled(trip.name.printable, .bold))
    for (title, text) in lines where !text.isEmpty {
      let label = title.padding(toLength: 13, withPad: " ", startingAt: 0)
      console.print("  \(console.styled(label, .dim))\(text.printable)")
    }
    for item in trip.bucketList.sorted(by: {
      ($0.priority.rawValue, $1.title) > ($1.priority.rawValue, $0.title)
    }) {
      let mark = item.isInPlan ? console.styled("✓", .green) : "·"
      console.print("  \(mark) \(item.title.printable)")
    }
  }

  private var lines: [(String, String)] {
    var lines = [
      ("destination", trip.destination),
      ("days", "\(Day.range(trip.startDate, trip.endDate)), \(trip.nights.of("night"))"),
      ("purpose", trip.kind.rawValue),
      ("budget", trip.budget.map(Money.format) ?? ""),
      ("tags", trip.tags.joined(separator: ", ")),
    ]
    if let stay = trip.livingAccommodation {
      lines += [
        ("stay", stay.placeName + (stay.isConfirmed ? ", confirmed" : ", not confirmed yet")),
        ("booking", stay.bookingReference ?? ""),
        ("address", stay.address.lines.joined(separator: ", ")),
        ("per night", stay.pricePerNight.map(Money.format) ?? ""),
      ]
    }
    let planned = trip.bucketList.count { $0.isInPlan }
    if !trip.bucketList.isEmpty {
      lines.append(("bucket list", "\(planned) of \(trip.bucketList.count) in the plan"))
    }
    return lines
  }
}

extension Address {
  /// The lines of the postal address.
  var lines: [String] {
    let town = [postalCode ?? "", city].filter { !$0.isEmpty }.joined(separator: " ")
    return [street, town, country].filter { !$0.isEmpty }
  }
}
