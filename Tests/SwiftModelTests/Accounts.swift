import Foundation
import Trellis

// A three-level class hierarchy with protocols, and with all kinds of initializers and properties.

protocol Named { var name: String { get } }
extension Named { var loud: String { name.uppercased() } }

enum Payload: Codable, Hashable { case none, text(String), pair(Int, Int) }
struct Address: Codable, Hashable { var street: String = "x"; var zip: Int = 1 }

@Model
class Account: Named, Identifiable {
  @Attribute(.unique) var id: UUID = UUID()
  var name: String
  var payload: Payload = Payload.none
  var address: Address = Address()
  var addresses: [Address] = []
  var tags: Set<String> = []
  var table: [String: Int] = [:]
  @Attribute(.externalStorage) var blob: Data?
  var big: UInt64 = .max
  var price: Decimal = Decimal(string: "1.5")!
  var created: Date = Date.now
  private(set) var visits = 0
  fileprivate var hidden: String = "h"
  @Attribute(originalName: "old") var renamed: Int = 0
  var `in`: Int = 1
  @Relationship(deleteRule: .cascade, inverse: \Entry.account) var entries: [Entry]? = []
  @Relationship(inverse: \Account.children) var parent: Account?
  var children: [Account] = []
  var required: Bool
  var computed: Int {
    get { visits * 2 }
    set { visits = newValue / 2 }
  }
  static let shared = "s"
  init(_ name: String, required: Bool, parent: Account? = nil) {
    self.name = name
    self.required = required
    self.parent = parent
    defer { visits = 1 }
  }
  init?(checked: String) {
    guard !checked.isEmpty else { return nil }
    name = checked
    required = false
  }
  init(throwing: String) throws {
    if throwing.isEmpty { throw CocoaError(.fileNoSuchFile) }
    self.name = throwing
    self.required = true
  }
  convenience init(text: String) { self.init(text, required: false) }
}

extension Account {
  func visit() { visits += 1 }

  var h: String {
    get { hidden }
    set { hidden = newValue }
  }
}

extension Entry {
  /// Uses a key path whose last property can only be set in this file.
  static var byVisits: SortDescriptor<Entry> { SortDescriptor(\.account?.visits, order: .reverse) }
}

@Model
final class Entry {
  var title: String?
  var account: Account?
  var kind: Kind = .plain
  enum Kind: Int, Codable { case plain = 3, rich }
  init(_ title: String? = nil, account: Account? = nil) {
    self.title = title
    self.account = account
  }
}

@Model
class Premium: Account {
  var level: Int
  var note: String = "n"
  var since: Date?
  @Relationship(inverse: nil) var friends: [Account] = []
  init(level: Int, name: String, friends: [Account]) {
    if level > 3 {
      self.level = level
      self.friends = friends
      super.init(name, required: true)
      note = "high"
    } else {
      self.level = -level
      self.note = "low"
      super.init(name + "!", required: false)
    }
    since = .distantPast
  }
}

@Model
final class Gold: Premium {
  var bars: Int = 7
  init() { super.init(level: 9, name: "gold", friends: []); bars += 1 }
}
