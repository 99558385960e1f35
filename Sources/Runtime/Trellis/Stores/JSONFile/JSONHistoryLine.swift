import Foundation

/// A line of the file that tells of what was saved to a JSON file.
///
///     {"format":"trellis history","identifier":"…","version":1}
///     {"changes":[{"insert":"Trip","rows":[[1,3]]}],"file":"9f…","id":1,"models":{"Trip":{"name":"String"}},…}
///     {"changes":[{"of":["name"],"rows":[[2]],"update":"Trip"}],"file":"07…","id":2,"names":"e0…",…}
///     {"changes":[{"delete":"Trip","left":{"2":{"name":["Oslo"]}},"rows":[[2]]}],"file":"c1…","id":3,…}
///     {"file":"44…","id":3,"models":{"Tour":{"title":"String"}},"was":{"Trip":"Tour","Trip.name":"title"},…}
///
/// Each names the contents of the file it belongs to: what comes after the line of the file there is was
/// never saved, or has been taken back. The first one of a version of the schema says what models and properties
/// are called from there on, and how what was called otherwise is called now: no line is written again.
struct JSONHistoryLine: Codable {
  var id: Int64
  /// Nil where the line only says that the file has other contents, and no model others.
  var time: Double?
  var author: String?
  var program: String?
  var process: String?
  /// Nil where the transaction is forgotten, and its number stays.
  var changes: [Change]?
  /// Whether there were changes nothing tells of.
  var isIncomplete: Bool?
  /// The transaction before this one, where that is not the one before its number.
  var after: Int64?
  /// Tokens of positions before this are expired.
  var floor: Int64?
  /// The first transaction that is still remembered.
  var from: Int64?
  /// The contents of the file after the transaction, see ``JSONHistoryFile/digest(_:)``.
  var file: String?
  /// Which names the line uses, see ``JSONHistoryNames/digest``.
  var names: String?
  /// What these are, where earlier lines use others, see ``JSONHistoryNames/models``.
  var models: [String: [String: String]]?
  /// Which names earlier lines use; nil where nobody has noted it.
  var namesBefore: String?
  /// See ``JSONHistoryRenaming/names``.
  var was: [String: String]?
  /// See ``JSONHistoryRenaming/unlike``.
  var unlike: [String]?

  /// How the names of earlier lines became those of this one.
  var renaming: JSONHistoryRenaming {
    JSONHistoryRenaming(names: was ?? [:], unlike: Set(unlike ?? []))
  }

  /// Rows of one class that were changed alike.
  struct Change: Codable {
    var insert: String?
    var update: String?
    var delete: String?
    /// The changed properties of an update.
    var of: [String]?
    /// The first of several rows in succession, and the last one where it is another.
    var rows: [[Int64]]
    /// Of deleted rows, by number and property, what is kept of them.
    var left: [String: [String: [Value]]]?
  }

  /// A value as tables have it.
  struct Value: Codable {
    var value: SQLValue

    private enum Key: String, CodingKey { case real, data }

    init(_ value: SQLValue) { self.value = value }

    init(from decoder: any Decoder) throws {
      if let keyed = try? decoder.container(keyedBy: Key.self) {
        if let real = try keyed.decodeIfPresent(Double.self, forKey: .real) {
          value = .real(real)
        } else {
          value = .blob([UInt8](try keyed.decode(Data.self, forKey: .data)))
        }
        return
      }
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .null
      } else if let number = try? container.decode(Int64.self) {
        value = .integer(number)
      } else {
        value = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch value {
      case .real(let real):
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(real, forKey: .real)
      case .blob(let bytes):
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Data(bytes), forKey: .data)
      case .integer(let number):
        var container = encoder.singleValueContainer()
        try container.encode(number)
      case .text(let text):
        var container = encoder.singleValueContainer()
        try container.encode(text)
      case .null, .list:
        var container = encoder.singleValueContainer()
        try container.encodeNil()
      }
    }
  }

  /// The first line.
  struct Head: Codable {
    var format = JSONHistoryLine.format
    var version = JSONHistoryLine.version
    var identifier: String
  }

  /// The numbers a transaction may have, and 0 before the first.
  static let numbers = 0..<Int64.max

  static let format = "trellis history"
  static let version = 1
}
