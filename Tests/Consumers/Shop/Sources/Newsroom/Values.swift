import Foundation

public enum ArticleStatus: String, Codable, CaseIterable, Sendable {
  case draft, review, published, withdrawn
}

public enum Importance: Int, Codable, CaseIterable, Sendable {
  case minor = -1
  case normal = 0
  case major = 1
  case breaking = 10
}

public enum BillingCycle: String, Codable, Sendable {
  case monthly, yearly
}

public enum Licence: Codable, Hashable, Sendable {
  case own
  case agency(name: String, fee: Decimal)
  case creativeCommons(version: Double)
}

public struct Money: Codable, Hashable, Sendable {
  public var amount: Decimal
  public var currency: String

  public static let free = Money(amount: 0, currency: "EUR")
}

public struct Crop: Codable, Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double
}

public struct Revision: Codable, Hashable, Sendable {
  public var number: Int
  public var editor: String?
  public var savedAt: Date
}

public struct Award: Codable, Hashable, Sendable {
  public enum Rank: Int, Codable, Sendable {
    case gold = 1
    case silver, bronze
  }

  public var name: String
  public var rank: Rank
}
