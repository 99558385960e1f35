import Foundation
import SwiftData

// Models in a target with the settings of a new application in Xcode: in the language mode 5, the compiler warns of
// constants with accessors, of `Sendable` models and of isolated default values.

@MainActor func mainStreet() -> String { "Main Street" }
struct Colours: OptionSet, Codable {
  let rawValue: Int
  static let red = Colours(rawValue: 1)
}
struct Home: Codable, Hashable { var street = mainStreet() }

@Model final class Badge: Sendable {
  @Attribute(.unique) let code: UUID
  let issued = Date(timeIntervalSince1970: 0)
  let level: Int = 3
  var colours: Colours = Colours.red
  var home: Home = Home()
  var homes = [Home()]
  private let secret: String
  @Relationship(deleteRule: .cascade, inverse: \Visit.badge) let visits: [Visit]
  @Transient let cache = 1
  var text: String { "\(level) \(secret)" }

  init(code: UUID, secret: String, visits: [Visit]) {
    self.code = code
    self.secret = secret
    self.visits = visits
  }
}

@MainActor protocol Titled { var title: String { get } }

/// Isolated by a protocol.
@Model class Visit: Titled {
  let title: String
  let badge: Badge?
  init(title: String, badge: Badge? = nil) {
    self.title = title
    self.badge = badge
  }
}

@Model final class LongVisit: Visit {
  let days: Int
  let reason = "rest"
  init(days: Int) {
    self.days = days
    super.init(title: "long")
  }
}
