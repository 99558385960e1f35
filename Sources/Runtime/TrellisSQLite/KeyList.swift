/// Row numbers as one parameter: a JSON array for `json_each`.
package enum KeyList {
  package static func text(of keys: [Int64]) -> SQLValue {
    // A key has at most 20 characters, followed by a comma.
    let text = String(unsafeUninitializedCapacity: keys.count * 21 + 2) { buffer in
      var end = 0
      buffer[end] = UInt8(ascii: "[")
      end += 1
      for (index, key) in keys.enumerated() {
        if index > 0 {
          buffer[end] = UInt8(ascii: ",")
          end += 1
        }
        end += write(key, to: UnsafeMutableBufferPointer(rebasing: buffer[end...]))
      }
      buffer[end] = UInt8(ascii: "]")
      return end + 1
    }
    return .text(text)
  }

  private static func write(_ key: Int64, to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var rest = key.magnitude
    var count = key < 0 ? 1 : 0
    repeat {
      count += 1
      rest /= 10
    } while rest > 0
    rest = key.magnitude
    var place = count
    repeat {
      place -= 1
      buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    if key < 0 { buffer[0] = UInt8(ascii: "-") }
    return count
  }
}

/// A JSON array, as which a captured collection is bound.
package enum JSONList {
  package static func text(of values: [SQLValue]) -> String {
    var text = "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      append(value, to: &text)
    }
    text += "]"
    return text
  }

  private static func append(_ value: SQLValue, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .integer(let integer): text += String(integer)
    case .real(let real) where real.isNaN: text += "\"NaN\""
    // SQLite's JSON has no infinity, but a number beyond its range reads as one.
    case .real(let real) where real.isInfinite: text += real < 0 ? "-9e999" : "9e999"
    case .real(let real): text += "\(real)"
    case .text(let string): append(string, to: &text)
    case .blob(let bytes):
      append(bytes.map { hex[Int($0 >> 4)] + hex[Int($0 & 15)] }.joined(), to: &text)
    case .list(let values): text += Self.text(of: values)
    }
  }

  private static let hex = "0123456789ABCDEF".map { String($0) }

  package static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where scalar.value < 0x20:
        text += "\\u00" + hex[Int(scalar.value >> 4)] + hex[Int(scalar.value & 15)]
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
