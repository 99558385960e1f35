import Foundation
import Trellis

/// A type that the schema of the oddities does not declare.
struct Colours: Codable, Hashable, Sendable {
  var names: [String] = []
}

final class Palette: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Colours).map { Data($0.names.joined(separator: " ").utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { data in
      Colours(names: String(decoding: data, as: UTF8.self).split(separator: " ").map(String.init))
    }
  }
}
