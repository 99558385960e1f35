import Foundation

enum Sex: String, Codable, CaseIterable {
  case female, male, other
}

enum VisitStatus: String, Codable, CaseIterable {
  case planned, arrived, finished, cancelled

  var isOver: Bool { self == .finished || self == .cancelled }
}

enum Triage: Int, Codable, CaseIterable, Comparable {
  case low = 1
  case normal, high, emergency

  static func < (first: Triage, second: Triage) -> Bool { first.rawValue < second.rawValue }
}

enum BloodGroup: String, Codable {
  case a = "A"
  case b = "B"
  case ab = "AB"
  case zero = "0"
}

enum InvoiceState: String, Codable {
  case draft, sent, paid
}

enum Contact: Codable, Hashable {
  case unreachable
  case email(String)
  case phone(number: String, line: Int?)
}

enum Coverage: Codable, Hashable {
  case selfPaid
  case insured(company: String, policy: Int)
  case partial(percent: Double)
}

struct PostalAddress: Codable, Hashable {
  var street: String
  var city: String
  var postcode: String
}

struct Dose: Codable, Hashable {
  enum Form: String, Codable {
    case tablet, drops, injection
  }

  var amount: Double
  var form: Form
  var timesPerDay: Int

  var perDay: Double { amount * Double(timesPerDay) }
}

struct BloodPressure: Codable, Hashable {
  var systolic: Int
  var diastolic: Int

  static let normal = BloodPressure(systolic: 120, diastolic: 80)
}

struct OpeningHours: Codable, Hashable {
  var opens: Int
  var closes: Int
}

struct Attachment: Codable, Hashable {
  var title: String
  var pages: Int
  var scannedAt: Date?
}
