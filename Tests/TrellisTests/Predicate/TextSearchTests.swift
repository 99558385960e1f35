import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisModel

/// The functions on bytes must agree with `Predicate` on strings.
@Suite struct TextSearchTests {
  private func bytes<R>(_ text: String, _ body: (TextSearch.Bytes) -> R) -> R {
    var text = text
    return text.withUTF8(body)
  }

  @Test func everyPair() throws {
    var dice = SeededGenerator(seed: 3)
    var texts = Pool.texts
    for _ in 0..<150 {
      texts.append((0..<dice.roll(5)).map { _ in dice.pick(Pool.texts) }.joined())
    }
    for part in texts {
      let contains = #Predicate<String> { $0.contains(part) }
      let starts = #Predicate<String> { $0.starts(with: part) }
      for text in texts {
        let found = bytes(text) { text in bytes(part) { TextSearch.contains(text, $0) } }
        let started = bytes(text) { text in bytes(part) { TextSearch.starts(text, $0) } }
        let (mayContain, mayStart) = (try contains.evaluate(text), try starts.evaluate(text))
        guard found == mayContain, started == mayStart else {
          Issue.record("\(text.debugDescription) and \(part.debugDescription)")
          return
        }
      }
      #expect(bytes(part, TextSearch.count) == part.count)
      #expect(TextRules.normalized(part) == part)
      #expect(bytes(TextRules.normalized(part), TextRules.isNFC))
    }
  }

  @Test func decimalKeys() {
    let numbers =
      Pool.decimals
      + ["12", "-12", "0.012", "-0.012", "1.2e37", "-1.2e-37", "100.5", "1e100", "-1e100"].map {
        Decimal(string: $0)!
      }
    for lhs in numbers {
      for rhs in numbers {
        let keys = (
          DecimalText.orderKey(lhs.stored), DecimalText.orderKey(rhs.stored)
        )
        #expect((keys.0 < keys.1) == (lhs < rhs), "\(lhs) \(rhs)")
      }
    }
  }
}

@Suite struct HexadecimalTests {
  @Test func uuids() {
    for _ in 0..<100 {
      let uuid = UUID()
      #expect(Hexadecimal.text(uuid) == uuid.uuidString)
    }
    #expect(Hexadecimal.text([0, 255, 16]) == "00FF10")
  }
}
