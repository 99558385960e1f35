import Foundation

/// The parts of a JSON file of models.
///
///     {
///     "format": "trellis models",
///     "version": 1,
///     "schemaVersion": "2.0.0",
///     "codedForms": {"Trip.price": "Money(amount=a currency)"},
///     "identifier": "…",
///     "nextKeys": {"Trip": 3},
///     "models": {
///     "Trip": [
///     {"$id": 1, "name": "Oslo", "stops": [2, 1]},
///     {"$id": 2, "name": "Rome"}
///     ]
///     }
///     }
///
/// A file has the version of its schema once it was opened with a migration plan, and coded forms (``CodedForm``) if
/// values are coded in another form than Swift's own.
///
/// Models have numbers, and to-one relationships hold the number of the other model. A list is written if it is ordered
/// or has no inverse that tells its members.
enum JSONDocument {
  static let format = "trellis models"
  static let version = 1

  enum Key: String, CodingKey {
    case format, version, schemaVersion, codedForms, identifier, nextKeys, models
  }

  /// The member with the number of a model: no property can have this name.
  static let idKey = "$id"

  /// A name, or a place in a list.
  struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
      self.stringValue = stringValue
      intValue = nil
    }
    init(intValue: Int) {
      stringValue = "\(intValue)"
      self.intValue = intValue
    }
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
