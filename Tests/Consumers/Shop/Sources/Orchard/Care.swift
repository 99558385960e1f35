import Foundation
import SwiftData

@Model
final class Chore {
  enum State: String, Codable {
    case open, blocked, done
  }

  var title: String
  var due: Date?
  var createdAt = Date.now
  var state: State = State.open
  var recurrence: Recurrence = Recurrence.once
  var field: Field?
  var workers: [Worker] = []
  @Transient var isExpanded = false

  init(_ title: String, due: Date? = nil, field: Field? = nil, workers: [Worker] = []) {
    self.title = title
    self.due = due
    self.field = field
    self.workers = workers
  }
}

@Model
final class Spraying {
  var date: Date
  var litres: Double
  var wind: Float?
  var field: Field?
  var substance: Substance?

  init?(date: Date, litres: Double, field: Field, substance: Substance) {
    guard substance.isPermitted, litres > 0 else { return nil }
    self.date = date
    self.litres = litres
    self.field = field
    self.substance = substance
  }
}

@Model
final class Substance {
  @Attribute(.unique) var name: String
  @Attribute(.preserveValueOnDeletion) var approval: String?
  var isPermitted: Bool
  var limits: [String: Double] = [:]
  @Relationship(deleteRule: .nullify, inverse: \Spraying.substance) var sprayings: [Spraying] = []

  init(name: String, isPermitted: Bool = true) {
    self.name = name
    self.isPermitted = isPermitted
  }
}

@Model
final class Sensor {
  @Attribute(.unique) var serial: UInt64
  var kind: SensorKind
  var calibration: Calibration?
  var history: [Calibration] = []
  var field: Field?
  @Relationship(deleteRule: .cascade, inverse: \Reading.sensor) var readings: [Reading] = []

  init(serial: UInt64, kind: SensorKind, field: Field?) {
    self.serial = serial
    self.kind = kind
    self.field = field
  }
}

@Model
final class Reading {
  #Index<Reading>([\.takenAt])

  var takenAt: Date
  var value: Float
  var raw: UInt16
  var sensor: Sensor?

  init(takenAt: Date, value: Float, raw: UInt16) {
    self.takenAt = takenAt
    self.value = value
    self.raw = raw
  }
}

@Model
final class Pest {
  var id: UUID
  var name: String
  var danger: Int8 = 1
  @Attribute(.externalStorage) var picture: Data?
  @Relationship(deleteRule: .cascade, inverse: \Sighting.pest) var sightings: [Sighting] = []

  init(id: UUID = UUID(), name: String, danger: Int8 = 1) {
    self.id = id
    self.name = name
    self.danger = danger
  }
}

@Model
final class Sighting {
  var seenAt: Date
  var count: Int32
  var pest: Pest?
  var tree: Tree?

  init(of pest: Pest, on tree: Tree, count: Int32 = 1, seenAt: Date) {
    self.seenAt = seenAt
    self.count = count
    self.pest = pest
    self.tree = tree
  }
}

@Model
final class Hive {
  var colour: String
  var strength: UInt8 = 100
  var queenBornAt: Date?
  var field: Field?
  var keeper: Beekeeper?

  init(colour: String, field: Field? = nil, keeper: Beekeeper? = nil) {
    self.colour = colour
    self.field = field
    self.keeper = keeper
  }
}

@Model
final class Beekeeper {
  var name: String
  var phone: String?
  @Relationship(deleteRule: .nullify, inverse: \Hive.keeper) var hives: [Hive] = []

  init(name: String, phone: String? = nil) {
    self.name = name
    self.phone = phone
  }
}
