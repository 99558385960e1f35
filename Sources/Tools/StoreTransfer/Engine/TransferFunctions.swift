import CSQLite
import Foundation
import Trellis

/// SQL functions that convert source values to stored forms.
///
/// Values that cannot be converted are returned unchanged, so that the row check rejects them.
package enum TransferFunctions {
  /// Converts ISO 8601 text to seconds since 2001.
  package static let isoDate = "transfer_iso_date"
  /// Converts 16 bytes, or text in any case with optional dashes, to a canonical UUID.
  package static let uuid = "transfer_uuid"
  /// Converts an integer, a real or text to a canonical decimal number.
  package static let decimal = "transfer_decimal"

  static let all: [PredicateFunctions.Function] = [
    .init(name: isoDate, count: 1) { context, _, arguments in
      guard let value = arguments?[0] else { return }
      guard sqlite3_value_type(value) == SQLITE_TEXT, let date = ISODate.seconds(of: ValueHash.text(value)) else {
        return sqlite3_result_value(context, value)
      }
      sqlite3_result_double(context, date)
    },
    .init(name: uuid, count: 1) { context, _, arguments in
      guard let value = arguments?[0] else { return }
      let type = sqlite3_value_type(value)
      guard type == SQLITE_TEXT || type == SQLITE_BLOB,
        let text = UUIDText.canonical(ValueHash.text(value), isText: type == SQLITE_TEXT)
      else { return sqlite3_result_value(context, value) }
      text.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_result_text(context, $0.baseAddress, Int32($0.count), transient)
        }
      }
    },
    .init(name: decimal, count: 1) { context, _, arguments in
      guard let value = arguments?[0] else { return }
      let text: String? =
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: "\(sqlite3_value_int64(value))"
        case SQLITE_FLOAT: "\(sqlite3_value_double(value))"
        case SQLITE_TEXT: DecimalForm.isNumber(ValueHash.text(value)) ? Statement.text(of: value) : nil
        default: nil
        }
      guard let text, let number = DecimalForm.canonical(text) else { return sqlite3_result_value(context, value) }
      sqlite3_result_text(context, number, Int32(number.utf8.count), transient)
    },
  ]

  /// Registers the functions for a copy.
  static func register(_ functions: [TransferFunction], on connection: Connection) throws {
    let handle = connection.handle
    for code in [PredicateFunctions.register(on: handle), PredicateFunctions.register(all, on: handle)]
    where code != SQLITE_OK {
      throw SQLiteError(handle, result: code)
    }
    for function in functions {
      let box = Unmanaged.passRetained(FunctionBox(function))
      let code = sqlite3_create_function_v2(
        handle, function.name, Int32(function.argumentCount), SQLITE_UTF8, box.toOpaque(),
        { context, count, arguments in
          guard let data = sqlite3_user_data(context) else { return }
          let function = Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue().function
          let values = (0..<Int(count)).map { SQLValue(of: arguments?[$0]) }
          function.body(values).give(to: context)
        }, nil, nil, { data in data.map { Unmanaged<FunctionBox>.fromOpaque($0).release() } })
      guard code == SQLITE_OK else { throw SQLiteError(handle, result: code) }
    }
  }

  private final class FunctionBox {
    let function: TransferFunction
    init(_ function: TransferFunction) { self.function = function }
  }
}

extension SQLValue {
  fileprivate init(of value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT: self = .text(Statement.text(of: value))
    case SQLITE_BLOB: self = .blob(Array(ValueHash.text(value)))
    default: self = .null
    }
  }

  fileprivate func give(to context: OpaquePointer?) {
    switch self {
    case .null, .list: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number) where number.isNaN: sqlite3_result_text(context, "NaN", 3, transient)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let text):
      var text = text
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_result_text64(
            context, $0.baseAddress ?? emptyText, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        sqlite3_result_blob64(context, $0.baseAddress ?? emptyBytes, UInt64($0.count), transient)
      }
    }
  }
}

extension Statement {
  fileprivate static func text(of value: OpaquePointer?) -> String {
    String(decoding: ValueHash.text(value), as: UTF8.self)
  }
}
