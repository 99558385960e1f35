import Foundation
import Testing

@testable import SampleTrips

struct OutputTests {
  @Test func columnsAreAlignedByDisplayWidth() {
    var table = Table([.left("Place"), .right("Nights"), .left("Wish")])
    table.add(["京都", "7", "❄️ snow"])
    table.add(["Re\u{301}union", "12", "👨‍👩‍👧 family\nwalk"])
    table.add(["Oslo", "1,024", "\u{1B}[31mred\u{1B}[0m"])
    #expect(
      table.render(width: nil, isColored: false) == """
        Place    Nights  Wish
        ───────  ──────  ──────────────
        京都          7  ❄️ snow
        Re\u{301}union      12  👨‍👩‍👧 family↵walk
        Oslo      1,024  �[31mred�[0m

        """)
  }

  @Test func wideColumnsShrinkOnANarrowTerminal() {
    var table = Table([.left("Trip", shrinks: true), .right("Budget")])
    table.add(["A journey with a very long name", "1,250.00"])
    let lines = table.render(width: 24, isColored: false).split(separator: "\n")
    #expect(lines.last == "A journey wit…  1,250.00")
    #expect(lines.allSatisfy { $0.displayWidth <= 24 })
  }

  @Test func stylesDoNotAffectColumnWidths() {
    var table = Table([.left("A", style: .bold), .right("B")])
    table.add(["x", "1"])
    let text = table.render(width: nil, isColored: true)
    #expect(text.hasSuffix("\u{1B}[1mx\u{1B}[0m  1\n"))
  }

  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("京", 2), ("서", 2), ("ｱ", 1), ("❄️", 2), ("❄", 1),
    ("🎄", 2), ("👨‍👩‍👧", 2), ("🇳🇴", 2), ("✓", 1), ("–", 1), ("1️⃣", 2),
  ])
  func displayWidthOfCharacters(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("2026-03-12", "2026-03-12", "12 Mar 2026"),
    ("2026-03-12", "2026-03-19", "12 – 19 Mar 2026"),
    ("2026-03-28", "2026-04-02", "28 Mar – 2 Apr 2026"),
    ("2026-12-28", "2027-01-02", "28 Dec 2026 – 2 Jan 2027"),
  ])
  func dayRangesAreAbbreviated(start: String, end: String, text: String) throws {
    let range = Day.range(try #require(Day.parse(start)), try #require(Day.parse(end)))
    #expect(range == text)
  }

  @Test(arguments: ["2026-02-29", "2026-2-3", "28.3.2026", "today", "2026-03-28T10:00", ""])
  func invalidDaysAreRejected(text: String) { #expect(Day.parse(text) == nil) }

  @Test(arguments: [("1250", "1,250.00"), ("0.5", "0.50"), ("1234567.891", "1,234,567.89")])
  func amountsHaveTwoDecimalPlaces(text: String, shown: String) {
    #expect(Money.parse(text).map(Money.format) == shown)
  }

  @Test(arguments: ["", "1,250", "1.2.3", ".5", "-3", "1e9", "12 €"])
  func invalidAmountsAreRejected(text: String) { #expect(Money.parse(text) == nil) }
}
