import Foundation
import SwiftData

/// An item that the workshop lends. Its subclasses are kinds of tools.
@Model
class Tool {
  #Index<Tool>([\.name], [\.name, \.boughtAt])

  @Attribute(.unique) var number: Int
  var name: String
  var boughtAt: Date
  var price: Decimal = 0
  var condition: Condition = .good
  @Attribute(.externalStorage) var manual: Data?
  var bench: Bench?
  @Relationship(deleteRule: .cascade, inverse: \Loan.tool) var loans: [Loan] = []
  @Relationship(inverse: \Job.tools) var jobs: [Job] = []

  init(number: Int, name: String, boughtAt: Date) {
    self.number = number
    self.name = name
    self.boughtAt = boughtAt
  }

  var label: String { "\(number) \(name)" }

  func age(on day: Date) -> Int { Int(day.timeIntervalSince(boughtAt) / 86_400) }
}

@Model
class PowerTool: Tool {
  var watts: Int
  var volts: Double = 230
  var lastTestedAt: Date?

  init(number: Int, name: String, boughtAt: Date, watts: Int) {
    self.watts = watts
    super.init(number: number, name: name, boughtAt: boughtAt)
  }

  /// Creates a tool whose power is unknown.
  override init(number: Int, name: String, boughtAt: Date) {
    watts = -1
    super.init(number: number, name: name, boughtAt: boughtAt)
  }

  override var label: String { super.label + " (\(watts) W)" }
}

@Model
final class CordlessTool: PowerTool {
  var platform: String = "18V"
  @Relationship(deleteRule: .nullify, inverse: \Battery.tool) var batteries: [Battery] = []

  init(number: Int, name: String, boughtAt: Date, platform: String, batteries: [Battery]) {
    self.platform = platform
    self.batteries = batteries
    super.init(number: number, name: name, boughtAt: boughtAt, watts: 400)
    volts = 18
  }
}

@Model
final class HandTool: Tool {
  var weight: Float?
  var materials: [String] = ["steel"]

  override init(number: Int, name: String, boughtAt: Date) {
    super.init(number: number, name: name, boughtAt: boughtAt)
    condition = .new
  }
}

@Model
final class Battery {
  var serial: UInt64
  var cycles: Int16 = 0
  var tool: CordlessTool?

  init(serial: UInt64) {
    self.serial = serial
  }
}

@Model
final class Loan {
  enum State: String, Codable {
    case out, back, lost
  }

  var start: Date
  var end: Date?
  var state: State = .out
  var tool: Tool?
  var borrower: Member?

  init(_ tool: Tool, to borrower: Member, start: Date) {
    self.start = start
    self.tool = tool
    self.borrower = borrower
  }
}

@Model
final class Room {
  @Attribute(.unique) var name: String
  var size: Size
  @Relationship(deleteRule: .cascade, inverse: \Bench.room) var benches: [Bench] = []
  @Relationship(deleteRule: .nullify, inverse: \Course.room) var courses: [Course] = []

  init(name: String, size: Size) {
    self.name = name
    self.size = size
  }
}

@Model
final class Bench {
  var code: String
  var isFree: Bool = true
  var sockets: UInt8?
  var room: Room?
  @Relationship(deleteRule: .nullify, inverse: \Tool.bench) var tools: [Tool] = []

  init(code: String, room: Room? = nil) {
    self.code = code
    self.room = room
  }
}
