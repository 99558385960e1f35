import Foundation

/// What a JSON file of models consists of.
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
/// The version of the schema is there once the file was opened with a migration plan, the coded forms
/// (``CodedForm``) where values are coded in another form than Swift's own.
///
/// Models are known by numbers, to-one relationships hold the number of the other model. Lists are
/// written where they are ordered or have no other end that says as much.
enum JSONDocument {
  static let format = "trellis models"
  static let version = 1

  enum Key: String, CodingKey {
    case format, version, schemaVersion, codedForms, identifier, nextKeys, models
  }

  /// The number of a model: no property can have this name.
  static let idKey = DataStoreSnapshotCodingKey.modeledProperty("$id")

  // Names of entities.
  struct EntityKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
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
