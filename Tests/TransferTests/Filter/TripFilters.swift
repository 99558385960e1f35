import Foundation
import SampleTripsGolden
import Trellis

private let day = Date(timeIntervalSinceReferenceDate: 0)
private let march = Date(timeIntervalSince1970: 983_404_800)  // 2001-03-01
private let limit = Decimal(string: "1500.5") ?? 0
private let business = TripKind.business
private let essential = Priority.essential
private let none: String? = nil

/// Filters over the sample schema. Values that are captured in a predicate are written out in the text.
enum TripFilters {
  static let trips: [FilterCase<Trip>] = [
    // text
    FilterCase(#"$0.name == "Bergen""#, #Predicate { $0.name == "Bergen" }),
    FilterCase(#"$0.name != "Bergen""#, #Predicate { $0.name != "Bergen" }),
    FilterCase(#""Bergen" == $0.destination"#, #Predicate { "Bergen" == $0.destination }),
    FilterCase(#"$0.name.contains("Oslo")"#, #Predicate { $0.name.contains("Oslo") }),
    FilterCase(#"$0.name.contains("")"#, #Predicate { $0.name.contains("") }),
    FilterCase(#"$0.name.starts(with: "Caf")"#, #Predicate { $0.name.starts(with: "Caf") }),
    FilterCase(#"$0.name.starts(with: "Café")"#, #Predicate { $0.name.starts(with: "Café") }),
    FilterCase(
      #"$0.name.localizedStandardContains("cafe")"#, #Predicate { $0.name.localizedStandardContains("cafe") }),
    FilterCase(#"$0.name == "Café Central""#, #Predicate { $0.name == "Café Central" }),
    FilterCase(#"$0.name.isEmpty"#, #Predicate { $0.name.isEmpty }),
    FilterCase(#"!$0.name.isEmpty"#, #Predicate { !$0.name.isEmpty }),
    FilterCase(#"$0.name.count > 8"#, #Predicate { $0.name.count > 8 }),
    FilterCase(#"$0.name.first == "C""#, #Predicate { $0.name.first == "C" }),
    FilterCase(#"$0.name < $0.destination"#, #Predicate { $0.name < $0.destination }),
    FilterCase(#"$0.destination.contains($0.name)"#, #Predicate { $0.destination.contains($0.name) }),
    FilterCase(#"$0.name.contains("%")"#, #Predicate { $0.name.contains("%") }),
    FilterCase(#"$0.name == "x' OR '1'='1""#, #Predicate { $0.name == "x' OR '1'='1" }),
    FilterCase(#"$0.name == "Grandma's 80th""#, #Predicate { $0.name == "Grandma's 80th" }),
    FilterCase(
      #"$0.destination == "\u{6771}\u{4EAC}""#, #Predicate { $0.destination == "\u{6771}\u{4EAC}" }),
    // dates
    FilterCase("$0.startDate > Date(timeIntervalSinceReferenceDate: 0)", #Predicate { $0.startDate > day }),
    FilterCase(#"$0.startDate >= Date("2001-01-01T00:00:00Z")"#, #Predicate { $0.startDate >= day }),
    FilterCase(#"$0.startDate < Date("2001-03-01")"#, #Predicate { $0.startDate < march }),
    FilterCase(#"Date("2001-03-01T01:00:00+01:00") > $0.startDate"#, #Predicate { march > $0.startDate }),
    FilterCase("$0.startDate == $0.endDate", #Predicate { $0.startDate == $0.endDate }),
    FilterCase("$0.endDate > .now", #Predicate { $0.endDate > Date.now }),
    FilterCase(
      "($0.startDate < $0.endDate) == true", #Predicate { ($0.startDate < $0.endDate) == true }),
    FilterCase(
      #"(Date("2001-01-01")...Date("2001-03-01")).contains($0.startDate)"#,
      #Predicate { (day...march).contains($0.startDate) }),
    FilterCase(
      #"(Date("2001-01-01")..<Date("2001-03-02")).contains($0.endDate)"#,
      #Predicate { $0.endDate >= day && $0.endDate < march.addingTimeInterval(86_400) }),
    FilterCase(
      #"$0.endDate > Date("2001-01-01").addingTimeInterval(30 * -86_400)"#,
      #Predicate { $0.endDate > Date(timeIntervalSinceReferenceDate: -2_592_000) }),
    // enums
    FilterCase("$0.kind == .business", #Predicate { $0.kind == business }),
    FilterCase("$0.kind != TripKind.business", #Predicate { $0.kind != business }),
    FilterCase(#"$0.kind.rawValue == "reunion""#, #Predicate { $0.kind.rawValue == "reunion" }),
    FilterCase(
      "[.personal, .reunion].contains($0.kind)",
      #Predicate { [TripKind.personal, .reunion].contains($0.kind) }),
    // decimals, nil
    FilterCase("$0.budget == nil", #Predicate { $0.budget == nil }),
    FilterCase("nil != $0.budget", #Predicate { nil != $0.budget }),
    FilterCase("$0.budget == 900.5", #Predicate { $0.budget == 900.5 }),
    FilterCase(#"$0.budget ?? 0 > Decimal("1500.5")"#, #Predicate { $0.budget ?? 0 > limit }),
    FilterCase(
      #"$0.budget != nil && $0.budget! < Decimal("1500.5")"#, #Predicate { $0.budget != nil && $0.budget! < limit }),
    FilterCase("($0.budget ?? 0) * 2 > 3000", #Predicate { ($0.budget ?? 0) * 2 > 3000 }),
    FilterCase("[100.5, nil, 700.5].contains($0.budget)", #Predicate { [100.5, nil, 700.5].contains($0.budget) }),
    // structs
    FilterCase("$0.address == nil", #Predicate { $0.address == nil }),
    FilterCase("$0.address != nil", #Predicate { $0.address != nil }),
    FilterCase(#"$0.address?.city == "Roma""#, #Predicate { $0.address?.city == "Roma" }),
    FilterCase(
      #"$0.address?.postalCode?.starts(with: "1") == true"#,
      #Predicate { $0.address?.postalCode?.starts(with: "1") == true }),
    FilterCase(#"$0.address?.postalCode == nil"#, #Predicate { $0.address?.postalCode == none }),
    FilterCase(
      #"$0.kind == .personal && $0.address!.country == "Iceland""#,
      #Predicate { $0.kind.rawValue == "personal" && $0.address!.country == "Iceland" }),
    // lists of values
    FilterCase(#"$0.tags.contains("ski")"#, #Predicate { $0.tags.contains("ski") }),
    FilterCase(#"$0.tags.contains("Cafe\u{301}")"#, #Predicate { $0.tags.contains("Cafe\u{301}") }),
    FilterCase("$0.tags.isEmpty", #Predicate { $0.tags.isEmpty }),
    FilterCase("$0.tags.count >= 2", #Predicate { $0.tags.count >= 2 }),
    FilterCase(
      #"$0.tags.contains(where: { $0.starts(with: "fa") })"#,
      #Predicate { $0.tags.contains(where: { $0.starts(with: "fa") }) }),
    FilterCase("$0.tags.allSatisfy { $0.count > 3 }", #Predicate { $0.tags.allSatisfy { $0.count > 3 } }),
    FilterCase(#"["Oslo", "Roma"].contains($0.destination)"#, #Predicate { ["Oslo", "Roma"].contains($0.destination) }),
    FilterCase("$0.photo != nil", #Predicate { $0.photo != nil }),
    // relationships
    FilterCase("$0.livingAccommodation == nil", #Predicate { $0.livingAccommodation == nil }),
    FilterCase(
      "$0.livingAccommodation?.isConfirmed == true", #Predicate { $0.livingAccommodation?.isConfirmed == true }),
    FilterCase(
      "$0.livingAccommodation?.isConfirmed ?? false", #Predicate { $0.livingAccommodation?.isConfirmed ?? false }),
    FilterCase(
      #"$0.livingAccommodation?.placeName.contains("Cabin") == true"#,
      #Predicate { $0.livingAccommodation?.placeName.contains("Cabin") == true }),
    FilterCase(
      #"$0.livingAccommodation?.bookingReference == "B5""#,
      #Predicate { $0.livingAccommodation?.bookingReference == "B5" }),
    FilterCase(
      "$0.livingAccommodation?.pricePerNight ?? 0 > 40", #Predicate { $0.livingAccommodation?.pricePerNight ?? 0 > 40 }),
    FilterCase(
      #"$0.livingAccommodation?.address.street.starts(with: "Road 1") ?? false"#,
      #Predicate { $0.livingAccommodation?.address.street.starts(with: "Road 1") ?? false }),
    FilterCase(
      "$0.livingAccommodation?.bookingReference != nil", #Predicate { $0.livingAccommodation?.bookingReference != nil }),
    FilterCase("$0.bucketList.isEmpty", #Predicate { $0.bucketList.isEmpty }),
    FilterCase("$0.bucketList.count == 2", #Predicate { $0.bucketList.count == 2 }),
    FilterCase(
      "$0.bucketList.contains(where: { $0.isInPlan })", #Predicate { $0.bucketList.contains(where: { $0.isInPlan }) }),
    FilterCase(
      "$0.bucketList.contains { item in item.priority == .essential && !item.isInPlan }",
      #Predicate { $0.bucketList.contains { item in item.priority == essential && !item.isInPlan } }),
    FilterCase("$0.bucketList.allSatisfy { $0.isInPlan }", #Predicate { $0.bucketList.allSatisfy { $0.isInPlan } }),
    FilterCase(
      "$0.bucketList.filter { $0.isInPlan }.count > 1", #Predicate { $0.bucketList.filter { $0.isInPlan }.count > 1 }),
    FilterCase(
      "!$0.bucketList.filter { $0.title.count > 6 }.isEmpty",
      #Predicate { !$0.bucketList.filter { $0.title.count > 6 }.isEmpty }),
    // A closure's condition about the outer row.
    FilterCase(
      "{ trip in trip.bucketList.contains(where: { $0.title.count == trip.name.count }) }",
      #Predicate { trip in trip.bucketList.contains(where: { $0.title.count == trip.name.count }) }),
    // operators
    FilterCase(
      #"$0.kind == .business && $0.destination == "Oslo" || $0.name.isEmpty"#,
      #Predicate { $0.kind == business && $0.destination == "Oslo" || $0.name.isEmpty }),
    FilterCase(
      #"!($0.kind == .business || $0.budget == nil) && ($0.name.count > 3 || $0.tags.isEmpty)"#,
      #Predicate { !($0.kind == business || $0.budget == nil) && ($0.name.count > 3 || $0.tags.isEmpty) }),
    FilterCase("$0.name.count % 2 == 0", #Predicate { $0.name.count % 2 == 0 }),
    FilterCase("$0.name.count * 3 - 4 > 10 / 2", #Predicate { $0.name.count * 3 - 4 > 10 / 2 }),
    FilterCase("-$0.name.count < -5", #Predicate { -$0.name.count < -5 }),
    FilterCase("(2...6).contains($0.name.count)", #Predicate { (2...6).contains($0.name.count) }),
    FilterCase("(2..<6) ~= $0.name.count", #Predicate { (2..<6) ~= $0.name.count }),
    FilterCase(
      #"$0.kind == .personal ? $0.name.count > 5 : $0.destination == "Roma""#,
      #Predicate { $0.kind.rawValue == "personal" ? $0.name.count > 5 : $0.destination == "Roma" }),
    FilterCase("true", #Predicate { _ in true }),
    FilterCase(
      "$0.name.count == 0 || 12 / $0.name.count > 1",
      #Predicate { $0.name.count == 0 || 12 / $0.name.count > 1 }),
    FilterCase(
      #"#Predicate<Trip> { trip in trip.name.contains("Ski") }"#, #Predicate { trip in trip.name.contains("Ski") }),
    FilterCase(
      "#Predicate<Trip> {\n  // comments are ignored\n  return $0.tags.isEmpty\n}", #Predicate { $0.tags.isEmpty }),
  ]

  static let items: [FilterCase<BucketListItem>] = [
    FilterCase("$0.isInPlan", #Predicate { $0.isInPlan }),
    FilterCase("!$0.isInPlan", #Predicate { !$0.isInPlan }),
    FilterCase("$0.priority == .essential", #Predicate { $0.priority == essential }),
    FilterCase("$0.priority.rawValue >= 1", #Predicate { $0.priority.rawValue >= 1 }),
    FilterCase("$0.trip == nil", #Predicate { $0.trip == nil }),
    FilterCase(#"$0.trip?.name == "Bergen""#, #Predicate { $0.trip?.name == "Bergen" }),
    FilterCase("$0.trip?.kind == .business", #Predicate { $0.trip?.kind == business }),
    FilterCase("$0.trip?.kind.rawValue.count == 7", #Predicate { $0.trip?.kind.rawValue.count == 7 }),
    FilterCase("$0.trip?.bucketList.count == 3", #Predicate { $0.trip?.bucketList.count == 3 }),
    FilterCase(
      #"$0.trip?.tags.contains("family") == true"#, #Predicate { $0.trip?.tags.contains("family") == true }),
    FilterCase(#"$0.trip?.address?.city == "Roma""#, #Predicate { $0.trip?.address?.city == "Roma" }),
    FilterCase(
      "$0.trip?.livingAccommodation?.isConfirmed == false",
      #Predicate { $0.trip?.livingAccommodation?.isConfirmed == false }),
    FilterCase(#"$0.title < "N" && $0.details != """#, #Predicate { $0.title < "N" && $0.details != "" }),
  ]
}
