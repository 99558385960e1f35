import Foundation
import SwiftData

enum Condition: String, Codable, CaseIterable {
  case new, good, worn, broken
}

enum Level: Int, Codable {
  case beginner = 1
  case advanced, master
}

enum Joint: Codable, Hashable {
  case glue(minutes: Int)
  case screws(count: Int, length: Double)
  case dovetail
}

enum BillState: String, Codable {
  case open, paid, reminded
}

struct Size: Codable, Hashable {
  var length: Double
  var width: Double
  var height: Double?

  var area: Double { length * width }
}

struct Mark: Codable, Hashable {
  var name: String
  var millimetres: Int
}

/// One line of a supplier's file.
struct StockLine: Codable, Sendable {
  var code: String
  var name: String
  var quantity: Double
}

/// A colour is stored in three bytes, by its transformer.
struct Colour: Hashable, Sendable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
}

final class ColourTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSData.self }

  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    guard let colour = value as? Colour else { return nil }
    return Data([colour.red, colour.green, colour.blue])
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, data.count == 3 else { return nil }
    return Colour(red: data[data.startIndex], green: data[data.startIndex + 1], blue: data[data.startIndex + 2])
  }
}
