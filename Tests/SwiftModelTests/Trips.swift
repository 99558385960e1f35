import Foundation
import Trellis

// Models as an app that uses SwiftData declares them.

@Model
class Trip {
  #Index<Trip>([\.days], [\.name, \.days])

  @Attribute(.unique) var name: String
  var days: Int = 3
  var note: String?
  var kind: Kind = Kind.personal
  var created = Date(timeIntervalSinceReferenceDate: 0)
  private var secret: Int = 7
  @Transient var cache: [String] = ["new"]
  @Attribute(.ephemeral) var isOpen: Bool = false
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
  @Relationship(inverse: \Person.led) var leader: Person?
  static let limit = 10

  enum Kind: String, Codable { case personal, business }

  var title: String { name.uppercased() }

  init(name: String, stops: [Stop] = [], leader: Person? = nil) {
    self.name = name
    self.leader = leader
    if !stops.isEmpty { self.stops = stops }
  }

  convenience init(copy: Trip) {
    self.init(name: copy.name + " copy")
    secret = copy.secret
  }

  func tell() -> Int {
    secret += 1
    return secret
  }

  deinit { Self.log.append(name) }
  nonisolated(unsafe) static var log: [String] = []
}

@Model
final class BusinessTrip: Trip {
  var company: String
  var budget: Decimal = 100
  @Relationship(inverse: nil) var boss: Person?
  private var code = 5

  init(company: String, boss: Person?, budget: Decimal) {
    self.company = company
    self.boss = boss
    self.budget = budget
    super.init(name: company + " trip", leader: boss)
    days = 9
  }

  func codes() -> Int { code }
}

@Model
final class Stop {
  var title: String = "stop"
  var trip: Trip?

  init(title: String) { self.title = title }
}

@Model
final class Person: CustomStringConvertible {
  var name: String
  var led: [Trip] = []
  @Relationship(inverse: nil) var friend: Person?

  init(_ name: String, friend: Person? = nil) {
    self.friend = friend
    self.name = name
  }

  var description: String { "person \(name)" }
}
