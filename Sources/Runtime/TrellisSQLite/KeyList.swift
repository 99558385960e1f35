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
