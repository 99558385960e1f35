import CSQLite
import Foundation
import SchemaModel
import StoreCare
import Trellis

/// Checks a table's rows and computes the column checksums.
///
/// SQLite calls it for each row, so values are read in place and nothing is allocated. It must be used from a single
/// thread.
final class RowCheck {
  typealias Values = UnsafeMutablePointer<OpaquePointer?>

  /// A rejected row.
  struct Problem {
    var row: Int64
    var column: Int
    var reason: Reason
  }

  enum Reason {
    case missing, wrongType, outOfRange, unknownChoice, invalidText, notCanonical, notJSON
  }

  /// The copy stops at this number of rejected rows per table, because the table's description must then be wrong.
  static let maximumProblems = 1_000_000

  let table: TableCopy
  private(set) var found: Int64 = 0
  private(set) var accepted: Int64 = 0
  private(set) var problems: [Problem] = []
  /// By column, true if a text is not in normalization form C or a number is NaN.
  private(set) var unusual: [Bool]
  var sums: ColumnSums
  /// Called after each block of rows.
  private let report: (Int64) -> Void

  private let rules: [Rule]
  /// The current row's hashes, added to ``sums`` once all values fit.
  private var hashes: [UInt64]

  /// A column's form, excluding sets, because copying a set takes longer than checking a number.
  private struct Rule {
    enum Kind { case integer, real, text, data, external, special }

    var kind: Kind
    var range: ClosedRange<Int64>
    var isRequired: Bool

    init(_ column: ColumnCopy) {
      isRequired = column.isRequired
      range = .min ... .max
      switch column.form {
      case .key:
        kind = .integer
        // `Int64.min` represents a missing row.
        range = .min + 1 ... .max
      case .integer(let range):
        kind = .integer
        self.range = range
      case .real: kind = .real
      case .text: kind = .text
      case .data: kind = .data
      case .external: kind = .external
      case .choiceOfIntegers, .choice, .canonical, .json: kind = .special
      }
    }
  }

  init(_ table: TableCopy, report: @escaping (Int64) -> Void) {
    self.table = table
    self.report = report
    rules = table.columns.map(Rule.init)
    hashes = Array(repeating: 0, count: rules.count)
    unusual = Array(repeating: false, count: rules.count)
    sums = ColumnSums(rules.count)
  }

  /// The maximum number of values per call, because SQLite limits function arguments.
  static let groupSize = 100

  /// Checks some of a row's columns.
  ///
  /// - Parameters:
  ///   - first: The index of the first column. The calls for a row begin with 0.
  ///   - values: The columns' values.
  /// - Returns: False if a value does not fit. The remaining columns are then not checked.
  func check(_ row: Int64, from first: Int, _ values: UnsafeBufferPointer<OpaquePointer?>) -> Bool {
    if first == 0 {
      found += 1
      if found & 0x3FFF == 0 { report(0x4000) }
    }
    return hashes.withUnsafeMutableBufferPointer { hashes in
      var index = first
      for value in values {
        if let reason = accept(value, index, &hashes[index]) {
          if problems.count < Self.maximumProblems {
            problems.append(Problem(row: row, column: index, reason: reason))
          }
          return false
        }
        index += 1
      }
      if index == rules.count {
        accepted += 1
        sums.add(UnsafeBufferPointer(hashes))
      }
      return true
    }
  }

  /// Computes a value's hash, or returns the reason why the value does not fit.
  @inline(__always) private func accept(_ value: OpaquePointer?, _ index: Int, _ hash: inout UInt64) -> Reason? {
    let type = sqlite3_value_type(value)
    let rule = rules[index]
    if type == SQLITE_NULL {
      hash = ValueHash.null
      return rule.isRequired ? .missing : nil
    }
    switch rule.kind {
    case .integer:
      guard type == SQLITE_INTEGER else { return .wrongType }
      let number = sqlite3_value_int64(value)
      hash = ValueHash.of(number)
      return rule.range.contains(number) ? nil : .outOfRange
    case .real where type == SQLITE_FLOAT:
      hash = ValueHash.of(sqlite3_value_double(value))
      return nil
    case .real:
      let bytes = ValueHash.text(value)
      guard type == SQLITE_TEXT, bytes.elementsEqual("NaN".utf8) else { return .wrongType }
      unusual[index] = true
      hash = ValueHash.of(bytes, isText: true).hash
      return nil
    case .text: return type == SQLITE_TEXT ? acceptText(ValueHash.text(value), index, &hash) : .wrongType
    case .data, .external:
      guard type == SQLITE_BLOB || type == SQLITE_TEXT && rule.kind == .external else { return .wrongType }
      hash = ValueHash.of(value)
      return nil
    case .special: return acceptSpecial(value, index, &hash)
    }
  }

  @inline(__always) private func acceptText(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ hash: inout UInt64
  ) -> Reason? {
    let isASCII: Bool
    (hash, isASCII) = ValueHash.of(bytes, isText: true)
    if isASCII { return nil }
    guard Self.isUTF8(bytes) else { return .invalidText }
    if !unusual[index], !TextRules.isNFC(bytes) { unusual[index] = true }
    return nil
  }

  @inline(never) private func acceptSpecial(_ value: OpaquePointer?, _ index: Int, _ hash: inout UInt64) -> Reason? {
    let type = sqlite3_value_type(value)
    let form = table.columns[index].form
    if case .choiceOfIntegers(let choices) = form {
      guard type == SQLITE_INTEGER else { return .wrongType }
      hash = ValueHash.of(value)
      return choices.contains(sqlite3_value_int64(value)) ? nil : .unknownChoice
    }
    guard type == SQLITE_TEXT else { return .wrongType }
    let bytes = ValueHash.text(value)
    if let reason = acceptText(bytes, index, &hash) { return reason }
    switch form {
    case .canonical(.uuid): return UUIDText.isCanonical(bytes) ? nil : .notCanonical
    case .canonical(let scalar):
      func isOwn<V: StandardValue>(_: V.Type) -> Bool {
        guard let text = String(decoding: bytes, as: UTF8.self) as? V.Stored, let value = V(stored: text) else {
          return false
        }
        return value.stored as? String == String(decoding: bytes, as: UTF8.self)
      }
      return isOwn(scalar.valueType) ? nil : .notCanonical
    case .choice(let choices): return choices.contains(String(decoding: bytes, as: UTF8.self)) ? nil : .unknownChoice
    case .json:
      let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      return value == nil ? .notJSON : nil
    default: return nil
    }
  }

  private static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }
}

extension RowCheck.Reason {
  /// Describes the problem for a message.
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
    case .blob(let bytes): "a blob with \(counted(bytes.count, "byte"))"
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
