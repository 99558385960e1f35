import CSQLite
import Foundation
import SchemaModel
import Trellis

/// Checks whether the values of a table's rows fit, and computes the checksum of each column.
///
/// SQLite calls it for each row, so it reads values where SQLite keeps them and allocates nothing. One thread uses it.
final class RowCheck {
  typealias Values = UnsafeMutablePointer<OpaquePointer?>

  /// A row that does not fit.
  struct Problem {
    var row: Int64
    var column: Int
    var reason: Reason
  }

  enum Reason {
    case missing, wrongType, outOfRange, unknownChoice, invalidText, notCanonical, notJSON
  }

  /// The copy stops at this number of rejected rows per table: the table's description must then be wrong.
  static let maximumProblems = 1_000_000

  let table: TableCopy
  private(set) var found: Int64 = 0
  private(set) var accepted: Int64 = 0
  private(set) var problems: [Problem] = []
  /// True by column if a text is not in normalization form C, or a number is NaN.
  private(set) var unusual: [Bool]
  var sums: ColumnSums
  /// Called after each block of rows.
  private let report: (Int64) -> Void

  private let columns: [ColumnCopy]
  /// The hashes of the current row, which count once all of its values fit.
  private var hashes: [UInt64]

  init(_ table: TableCopy, report: @escaping (Int64) -> Void) {
    self.table = table
    self.report = report
    columns = table.columns
    hashes = Array(repeating: 0, count: columns.count)
    unusual = Array(repeating: false, count: columns.count)
    sums = ColumnSums(columns.count)
  }

  /// The most values that a single call receives, because SQLite limits a function's arguments.
  static let groupSize = 100

  /// Checks some of a row's columns.
  ///
  /// - Parameters:
  ///   - first: The index of the first column. The calls for a row begin with 0.
  ///   - values: The columns' values.
  /// - Returns: False if a value does not fit. The row's other columns are then not checked.
  func check(_ row: Int64, from first: Int, _ values: UnsafeBufferPointer<OpaquePointer?>) -> Bool {
    if first == 0 {
      found += 1
      if found & 0x3FFF == 0 { report(0x4000) }
    }
    for (offset, value) in values.enumerated() {
      let index = first + offset
      let result = accept(value, index)
      switch result {
      case .success(let hash): hashes[index] = hash
      case .failure(let reason):
        if problems.count < Self.maximumProblems {
          problems.append(Problem(row: row, column: index, reason: reason.reason))
        }
        return false
      }
    }
    if first + values.count == columns.count {
      accepted += 1
      sums.add(hashes)
    }
    return true
  }

  private struct Mismatch: Error { var reason: Reason }

  @inline(__always) private func accept(_ value: OpaquePointer?, _ index: Int) -> Result<UInt64, Mismatch> {
    let type = sqlite3_value_type(value)
    if type == SQLITE_NULL {
      return columns[index].isRequired ? .failure(Mismatch(reason: .missing)) : .success(ValueHash.null)
    }
    switch columns[index].form {
    case .key:
      guard type == SQLITE_INTEGER else { return .failure(Mismatch(reason: .wrongType)) }
      let number = sqlite3_value_int64(value)
      // The smallest number stands for a missing row.
      guard number != .min else { return .failure(Mismatch(reason: .outOfRange)) }
      return .success(ValueHash.of(number))
    case .integer(let range):
      guard type == SQLITE_INTEGER else { return .failure(Mismatch(reason: .wrongType)) }
      let number = sqlite3_value_int64(value)
      guard range.contains(number) else { return .failure(Mismatch(reason: .outOfRange)) }
      return .success(ValueHash.of(number))
    case .choiceOfIntegers(let choices):
      guard type == SQLITE_INTEGER else { return .failure(Mismatch(reason: .wrongType)) }
      let number = sqlite3_value_int64(value)
      guard choices.contains(number) else { return .failure(Mismatch(reason: .unknownChoice)) }
      return .success(ValueHash.of(number))
    case .real:
      if type == SQLITE_FLOAT { return .success(ValueHash.of(sqlite3_value_double(value))) }
      guard type == SQLITE_TEXT, ValueHash.text(value).elementsEqual("NaN".utf8) else {
        return .failure(Mismatch(reason: .wrongType))
      }
      unusual[index] = true
      return .success(ValueHash.of(ValueHash.text(value), isText: true).hash)
    case .text:
      guard type == SQLITE_TEXT else { return .failure(Mismatch(reason: .wrongType)) }
      return acceptText(ValueHash.text(value), index)
    case .choice, .canonical, .json:
      guard type == SQLITE_TEXT else { return .failure(Mismatch(reason: .wrongType)) }
      return acceptSpecial(ValueHash.text(value), index)
    case .data:
      guard type == SQLITE_BLOB else { return .failure(Mismatch(reason: .wrongType)) }
      return .success(ValueHash.of(ValueHash.text(value), isText: false).hash)
    case .external:
      guard type == SQLITE_BLOB || type == SQLITE_TEXT else { return .failure(Mismatch(reason: .wrongType)) }
      return .success(ValueHash.of(ValueHash.text(value), isText: type == SQLITE_TEXT).hash)
    }
  }

  @inline(__always) private func acceptText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> Result<UInt64, Mismatch> {
    let (hash, isASCII) = ValueHash.of(bytes, isText: true)
    if !isASCII {
      guard Self.isUTF8(bytes) else { return .failure(Mismatch(reason: .invalidText)) }
      if !unusual[index], !TextRules.isNFC(bytes) { unusual[index] = true }
    }
    return .success(hash)
  }

  @inline(never) private func acceptSpecial(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> Result<UInt64, Mismatch> {
    let result = acceptText(bytes, index)
    guard case .success = result else { return result }
    switch columns[index].form {
    case .canonical(.uuid):
      guard UUIDText.isCanonical(bytes) else { return .failure(Mismatch(reason: .notCanonical)) }
    case .canonical(let scalar):
      func isOwn<V: StandardValue>(_: V.Type) -> Bool {
        guard let text = String(decoding: bytes, as: UTF8.self) as? V.Stored, let value = V(stored: text) else {
          return false
        }
        return value.stored as? String == String(decoding: bytes, as: UTF8.self)
      }
      guard isOwn(scalar.valueType) else { return .failure(Mismatch(reason: .notCanonical)) }
    case .choice(let choices):
      guard choices.contains(String(decoding: bytes, as: UTF8.self)) else {
        return .failure(Mismatch(reason: .unknownChoice))
      }
    case .json:
      guard (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil else {
        return .failure(Mismatch(reason: .notJSON))
      }
    default: break
    }
    return result
  }

  private static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }
}

extension RowCheck.Reason {
  /// Describes the problem with a value that was meant for a column.
  func text(_ value: SQLValue?, _ form: StoredForm, noun: String? = nil) -> String {
    let shown = value.map(Self.shown) ?? "the value"
    let noun = noun ?? form.text
    return switch self {
    case .missing: "the value is missing"
    case .wrongType where form == .key: "\(shown) refers to a missing row"
    case .wrongType: "\(shown) is not \(noun)"
    case .outOfRange: "\(shown) is out of range for \(noun)"
    case .unknownChoice: "\(shown) is not one of the permitted values"
    case .invalidText: "the text is not valid UTF-8"
    case .notCanonical: "\(shown) is not \(noun)"
    case .notJSON: "\(shown) is not valid JSON"
    }
  }

  /// A short description of a value.
  static func shown(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text.count > 40 ? text.prefix(37) + "…" : text[...])'"
    case .blob(let bytes): "a blob with \(bytes.count) bytes"
    case .list: "a list"
    }
  }
}

extension StoredForm {
  /// For messages: `not an integer`.
  var text: String {
    switch self {
    case .key: "a row number"
    case .integer(0...1): "a Boolean (0 or 1)"
    case .integer, .choiceOfIntegers: "an integer"
    case .real: "a number"
    case .text, .choice: "text"
    case .canonical(.uuid): "a UUID"
    case .canonical(let scalar): "a \(scalar.rawValue)"
    case .json: "JSON text"
    case .data, .external: "data"
    }
  }
}
