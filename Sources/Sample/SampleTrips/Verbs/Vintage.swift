import Foundation
import Trellis

/// `trips vintage`: creates a store with the first release's schema.
struct Vintage: Verb {
  static let name = "vintage"
  static let summary = "create a store with the schema of the first release"
  static let discussion = """
    The store contains some trips in 2026, with hotels as trip properties, prices as floating-point numbers
    and a duplicate trip. Every other verb migrates the store to the current version.
    """
  static let options: [Option] = []
  static let examples = ["vintage --store old.store"]

  init(_ arguments: Arguments) throws {}

  func run(_ session: Session) throws {
    guard let database = session.database else {
      throw Failure(message: "the first release supported only SQLite files")
    }
    guard !session.hasStore else {
      throw Failure(message: "a store already exists at \(session.path)", hint: "use a different path")
    }
    let container = try ModelContainer(
      for: Schema(versionedSchema: SampleTripsSchema.V1_0_0.self),
      configurations: database)
    let context = ModelContext(container)
    for (number, hotel) in Self.hotels.enumerated() {
      let start = Date(timeIntervalSinceReferenceDate: 798_000_000 + Double(number) * 604_800)
      let trip = SampleTripsSchema.V1_0_0.Trip(
        title: "\(hotel.city) in a week", destination: hotel.city, startDate: start,
        endDate: start.addingTimeInterval(518_400), budget: 999.1 + Double(number),
        hotelName: hotel.name, hotelStreet: hotel.street, hotelCity: hotel.city,
        isHotelConfirmed: number % 2 == 0)
      context.insert(trip)
      trip.bucketList = [
        SampleTripsSchema.V1_0_0.BucketListItem(title: "A walk through \(hotel.city)", isInPlan: true)
      ]
    }
    let twice = Date(timeIntervalSinceReferenceDate: 799_200_000)
    for _ in 0..<2 {
      context.insert(
        SampleTripsSchema.V1_0_0.Trip(
          title: "Entered twice", destination: "Bergen", startDate: twice,
          endDate: twice.addingTimeInterval(172_800), budget: 120.5))
    }
    try context.save()
    session.console.print("\(Self.hotels.count + 2) trips in a store of version 1.0.0: \(session.path)")
  }

  private static let hotels: [(name: String, street: String, city: String)] = [
    ("Harbour Rooms", "Geirsgata 9", "Reykjavík"), ("Casa do Rio", "Cais da Ribeira 4", "Porto"),
    ("Hôtel du Lac", "Quai du Mont-Blanc 19", "Genève"), ("Ryokan Yuki", "Gion 570", "京都"),
    ("Three Bridges", "Pod Hradem 2", "Praha"), ("Villa Μύλος", "Αγίου Μηνά 1", "Σαντορίνη"),
  ]
}
