import Foundation
import Swift
import SwiftData

struct MyApp { var anything: Int }

@SwiftData.Model final class Trip {
    @SwiftData.Attribute(.unique) var id: Foundation.UUID = Foundation.UUID()
    var name: Swift.String = ""
    var dates: [Foundation.Date] = []
    var place: TravelKit.Place?
    @SwiftData.Relationship(inverse: \TravelKit.Stop.trip) var stops: [TravelKit.Stop] = []
    init(name: Swift.String) { self.name = name }
    var first: TravelKit.Place? { stops.first?.place }
}

@Model final class Stop {
    var trip: TravelKit.Trip?
    var place: TravelKit.Place?
    var mood: Place.Mood?
    init() {}
}

struct Place: Codable, Hashable {
    var name: Swift.String
    var at: Foundation.Date?
    enum Mood: Swift.String, Swift.Codable { case fine }
}
