import Foundation
import SwiftData

// Models in a target whose declarations the main actor isolates unless they say otherwise.

struct Address: Codable, Hashable { var street = "none" }
struct Rights: OptionSet, Codable {
  let rawValue: Int
  static let read = Rights(rawValue: 1)
  static let write = Rights(rawValue: 2)
}
enum Contact: Codable, Hashable { case none, mail(String), call(number: Int) }
enum Rank: String, Codable, CaseIterable { case low, high }
@Model final class Person: @unchecked Sendable {
  var name: String
  var address = Address()
  var former: [Address] = []
  var contact: Contact
  var other: Contact?
  var rights: Rights
  var rank: Rank = Rank.low
  @Attribute(.codable) var extra: Rights

  init(name: String, contact: Contact, rights: Rights) {
    self.name = name
    self.contact = contact
    self.rights = rights
    extra = rights
  }
}

@MainActor @Model final class Window {
  var title: String
  var frame: Address = Address()
  var rank: Rank
  @Relationship(deleteRule: .cascade, inverse: \Tab.window) var tabs: [Tab] = []
  @Transient var isOpen = false
  private var number: Int = 1

  init(title: String) {
    self.title = title
    rank = .high
  }

  func count() -> Int { tabs.count + number }
}

@MainActor @Model final class Tab {
  var title: String
  var window: Window?
  init(title: String, window: Window? = nil) {
    self.title = title
    self.window = window
  }
}
