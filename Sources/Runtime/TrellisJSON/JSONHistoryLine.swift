import Foundation
import Trellis

/// A line of the history of a JSON file.
///
///     {"format":"trellis history","identifier":"…","version":1}
///     {"changes":[{"insert":"Trip","rows":[[1,3]]}],"file":"9f…","id":1,"models":{"Trip":{"name":"String"}},…}
///     {"changes":[{"of":["name"],"rows":[[2]],"update":"Trip"}],"file":"07…","id":2,"names":"e0…",…}
///     {"changes":[{"delete":"Trip","left":{"2":{"name":["Oslo"]}},"rows":[[2]]}],"file":"c1…","id":3,…}
///     {"file":"44…","id":3,"models":{"Tour":{"title":"String"}},"was":{"Trip":"Tour","Trip.name":"title"},…}
///
/// Each line names the contents of the file after the save: lines after the one of the contents that the file has were
/// never saved, or taken back. The first line of a version of the schema says what models and properties are called from
/// there on, and what earlier names became. No line is written again. A line without a time belongs to no transaction: it
/// says that the file has other contents.
struct JSONHistoryLine: Codable {
  var transaction: NamedTransaction
  var notes = Notes()

  struct Notes: Codable {
    /// The transaction before this one, if that is not the one before its number.
    var after: Int64?
    /// Tokens of positions before this are expired.
    var floor: Int64?
    /// The first transaction that is not forgotten.
    var from: Int64?
    /// The contents of the file after the transaction, see ``JSONHistoryFile/digest(_:)``.
    var file: String?
    /// The digest of the names that the line uses.
    var names: String?
    /// These names, if earlier lines use others, see ``HistoryModelNames/models``.
    var models: [String: [String: String]]?
    /// The digest of the names that earlier lines use; nil if they do not have it.
    var namesBefore: String?
    /// See ``HistoryRenaming/names``.
    var was: [String: String]?
    /// See ``HistoryRenaming/unlike``.
    var unlike: [String]?
  }

  init(_ transaction: NamedTransaction) { self.transaction = transaction }

  init(from decoder: any Decoder) throws {
    transaction = try NamedTransaction(from: decoder)
    notes = try Notes(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    try transaction.encode(to: encoder)
    try notes.encode(to: encoder)
  }

  var id: Int64 { transaction.id }

  /// The first line.
  struct Head: Codable {
    static let format = "trellis history"
    static let version = 1

    var format = Self.format
    var version = Self.version
    var identifier: String
  }
}

/// The names of a version of the schema, for the first line that uses them.
struct JSONHistoryNaming {
  let names: HistoryModelNames
  /// The digest of the names of the line before.
  var before: String?
  /// How these names became the new ones.
  var renaming: HistoryRenaming?

  static func digest(_ names: HistoryModelNames) -> String { JSONHistoryFile.digest(Data(names.text.utf8)) }

  func write(into notes: inout JSONHistoryLine.Notes) {
    notes.models = names.models
    notes.namesBefore = before
    guard let renaming else { return }
    if !renaming.names.isEmpty { notes.was = renaming.names }
    if !renaming.unlike.isEmpty { notes.unlike = renaming.unlike.sorted() }
  }
}
