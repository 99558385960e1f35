import Foundation

/// Looks for names that a JSON object has twice: a decoder takes one of the values and says nothing of
/// the other, which would be lost with the next save.
enum JSONNames {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// The names of an object so far.
  private struct Names {
    var names: Set<String> = []
    var isObject: Bool
  }

  /// A name that occurs twice in one object of a valid JSON text; nil when there is none.
  static func repeated(in text: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    guard text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "["),
      text.contains(UInt8(ascii: "{"))
    else { return nil }
    let bytes = [UInt8](text)
    var open: [Names] = []
    var isName = false
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"):
        open.append(Names(isObject: true))
        isName = true
      case UInt8(ascii: "["):
        open.append(Names(isObject: false))
        isName = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = open.popLast()
        isName = false
      case UInt8(ascii: ","): isName = open.last?.isObject ?? false
      case quote:
        let end = self.end(of: bytes, from: index)
        if isName, !open.isEmpty {
          let name = plain(bytes[index..<end])
          guard open[open.count - 1].names.insert(name).inserted else { return name }
        }
        isName = false
        index = end - 1
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The position after the closing quote of the string that begins at `start`.
  private static func end(of bytes: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != quote {
      index += bytes[index] == backslash ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  /// A name without quotes and escapes. Two that Swift takes for equal are one.
  private static func plain(_ name: ArraySlice<UInt8>) -> String {
    if name.contains(backslash), let text = try? JSONDecoder().decode(String.self, from: Data(name)) {
      return text
    }
    return String(decoding: name.dropFirst().dropLast(), as: UTF8.self)
  }
}
