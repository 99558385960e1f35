import Foundation
import SwiftData

@Model
class Person {
  var id: UUID = UUID()
  var name: String
  var email: String?
  var phones: [String: String] = [:]
  var joinedAt: Date = Date.now

  init(name: String) {
    self.name = name
  }
}

@Model
class Member: Person {
  var card: Int64
  var level: Level = Level.beginner
  var sponsor: Member?
  @Relationship(inverse: \Member.sponsor) var sponsored: [Member] = []
  @Relationship(deleteRule: .cascade, inverse: \Loan.borrower) var loans: [Loan] = []
  @Relationship(deleteRule: .cascade, inverse: \Booking.member) var bookings: [Booking] = []
  @Relationship(deleteRule: .nullify, inverse: \Project.owner) var projects: [Project] = []
  @Relationship(inverse: \Project.helpers) var helpedProjects: [Project] = []
  @Relationship(deleteRule: .cascade, inverse: \Bill.member) var bills: [Bill] = []

  init(card: Int64, name: String, level: Level = .beginner) {
    self.card = card
    self.level = level
    super.init(name: name)
  }

  convenience init(card: Int64, name: String, sponsor: Member) {
    self.init(card: card, name: name)
    self.sponsor = sponsor
  }
}

@Model
final class Instructor: Person {
  var hourlyRate: Decimal
  var subjects: [String] = []
  @Relationship(inverse: \Course.instructor) var courses: [Course] = []
  @Relationship(deleteRule: .cascade, inverse: \Certificate.instructor) var certificates: [Certificate] = []

  init(name: String, hourlyRate: Decimal) {
    self.hourlyRate = hourlyRate
    super.init(name: name)
  }
}

@Model
final class Certificate {
  var title: String
  var issuedAt: Date
  var validYears: Int?
  var instructor: Instructor?

  init(title: String, issuedAt: Date, instructor: Instructor) {
    self.title = title
    self.issuedAt = issuedAt
    self.instructor = instructor
  }
}

@Model
final class Course {
  var title: String
  var start: Date
  var seats: Int = 8
  var instructor: Instructor?
  var room: Room?
  @Relationship(deleteRule: .cascade, inverse: \Booking.course) var bookings: [Booking] = []

  init(title: String, start: Date, instructor: Instructor? = nil, room: Room? = nil) {
    self.title = title
    self.start = start
    self.instructor = instructor
    self.room = room
  }

  var isFull: Bool { bookings.count >= seats }
}

@Model
final class Booking {
  #Unique<Booking>([\.course, \.member])

  var bookedAt: Date
  var hasPaid: Bool = false
  var course: Course?
  var member: Member?

  init(course: Course, member: Member, bookedAt: Date) throws {
    if course.isFull { throw BookingError.full(course.title) }
    self.course = course
    self.member = member
    self.bookedAt = bookedAt
  }

  enum BookingError: Error, Equatable {
    case full(String)
  }
}

@Model
final class Bill {
  @Attribute(.unique) var number: String
  var issuedAt: Date
  var state: BillState = BillState.open
  var member: Member?
  @Relationship(deleteRule: .cascade, inverse: \BillLine.bill) var lines: [BillLine] = []

  init(number: String = UUID().uuidString, issuedAt: Date, member: Member) {
    self.number = number
    self.issuedAt = issuedAt
    self.member = member
  }

  var total: Decimal { lines.reduce(0) { $0 + $1.amount } }
}

@Model
final class BillLine {
  var text: String
  var amount: Decimal
  var bill: Bill

  init(_ text: String, amount: Decimal, bill: Bill) {
    self.text = text
    self.amount = amount
    self.bill = bill
  }
}
