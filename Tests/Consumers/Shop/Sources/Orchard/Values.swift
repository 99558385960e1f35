import Foundation

enum FruitKind: String, Codable, CaseIterable {
  case apple, pear, plum, cherry
}

enum Soil: String, Codable {
  case clay, loam, sand
}

enum Health: Int, Codable, CaseIterable {
  case dead = 0
  case poor = 10
  case good = 20
  case excellent = 30
}

enum Ripeness: Int, Codable {
  case unripe, ripe, overripe
}

enum Skill: String, Codable, CaseIterable {
  case pruning, picking, driving, grafting
}

enum SensorKind: String, Codable {
  case moisture = "soil moisture"
  case temperature
  case wind
}

enum Weather: Codable, Hashable {
  case sunny(degrees: Double)
  case rain(millimetres: Int, thunder: Bool)
  case fog
}

enum Recurrence: Codable, Hashable {
  case once
  case every(days: Int)
  case weekdays([Int])
}

struct Coordinate: Codable, Hashable {
  var latitude: Double
  var longitude: Double

  static let home = Coordinate(latitude: 60.375, longitude: 6.5)
}

struct SoilLayer: Codable, Hashable {
  var depth: Int
  var soil: Soil
  var stones: Bool?
}

struct Calibration: Codable, Hashable {
  var offset: Float
  var factor: Float
  var date: Date
}
