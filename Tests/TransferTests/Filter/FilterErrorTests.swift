import Foundation
import SampleTripsGolden
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// A text that is not a filter is refused, with its column and what to write instead.
@Suite struct FilterErrorTests {
  /// A text, the column of the error, and a part of the message.
  private static let refused: [(String, Int, String)] = [
    ("", 1, "the filter is empty"),
    ("   ", 1, "the filter is empty"),
    (#"$0.nmae == "Oslo""#, 4, "'Trip' has no stored property 'nmae': did you mean 'name'?"),
    ("$0.nights > 3", 4, "'Trip' has no stored property 'nights'"),
    ("name == \"Oslo\"", 1, "write '$0.name'"),
    ("$1.name.isEmpty", 1, "unknown name '$1'"),
    ("$0.name", 1, "a condition is needed here, and this is 'String'"),
    ("$0.livingAccommodation?.isConfirmed", 1, "write '== true' or '?? false' after it"),
    ("$0.name == 5", 12, "'5' is a number, and 'String' is needed"),
    ("$0.kind == \"business\"", 12, "write '.personal', '.business', '.reunion', or compare 'rawValue'"),
    ("$0.kind == .busines", 12, "'TripKind' has no case 'busines': did you mean '.business'?"),
    ("$0.kind < .reunion", 1, "values of 'TripKind' have no order in a filter; compare 'rawValue'"),
    ("$0.startDate > \"2026-01-31\"", 16, "write 'Date(\"2026-01-31T00:00:00Z\")' or 'Date.now'"),
    ("$0.startDate > Date(\"yesterday\")", 21, "this text is not a 'Date'"),
    ("$0.budget > 5", 1, "'Decimal?': write '??' with a value, or '!'"),
    ("$0.budget ?? \"x\" > 5", 14, "this is a text, and 'Decimal' is needed"),
    ("$0.name == nil", 12, "'String' is never nil here"),
    ("$0.name! == \"x\"", 1, "'String' is never nil: remove '!'"),
    ("$0.name?.isEmpty == true", 1, "'String' is never nil: write '.' instead of '?.'"),
    ("$0.livingAccommodation.isConfirmed", 24, "may be nil: write '?.isConfirmed' or '!.isConfirmed'"),
    ("$0.name.hasPrefix(\"O\")", 9, "'hasPrefix(…)' is not supported in a filter: write 'starts(with:)'"),
    ("$0.name.lowercased() == \"x\"", 9, "use 'localizedStandardContains'"),
    ("$0.name.contans(\"O\")", 9, "did you mean 'contains'?"),
    ("$0.bucketList.first!.isInPlan", 15, "use 'isEmpty', 'count' or 'contains'"),
    ("$0.address == $0.address", 1, "can only be compared with nil, or by their properties"),
    ("$0.address?.town == \"Roma\"", 13, "'Address' has no stored property 'town'"),
    ("$0.photo!.isEmpty", 11, "it can only be compared with nil"),
    ("$0.tags == [\"ski\"]", 12, "a list is only possible before 'contains'"),
    ("$0.tags[0] == \"ski\"", 1, "subscripts are not supported"),
    ("$0 is Trip", 1, "'as' and 'is' are not supported"),
    ("if $0.name.isEmpty { true } else { false }", 1, "'if' is not supported"),
    ("{ let a = 5; return $0.name.count > a }", 3, "a filter is a single expression"),
    ("{ trip, item in true }", 1, "the closure needs exactly one parameter"),
    ("{ [a = \"x\"] in $0.name == a }", 1, "a filter cannot capture values"),
    ("#Predicate<Book> { $0.title.isEmpty }", 1, "this predicate is for '<Book>'"),
    ("#Expression<Trip, Int> { $0.name.count }", 1, "only '#Predicate' is a filter"),
    ("($0.name.isEmpty", 17, "expected ')'"),
    ("$0.name.isEmpty)", 16, "unexpected ')' after the condition"),
    ("{ $0.name.isEmpty", 18, "expected '}'"),
    ("$0.name.isEmpty &&", 19, "expected an expression"),
    ("$0.name == \"Oslo", 12, "a text needs quotes at both ends"),
    ("$0.name == \"\\($0.destination)\"", 12, "without interpolation"),
    ("[1, 2.contains($0.name.count)", 1, "expected ']'"),
    ("[1, $0.name.count].contains(3)", 5, "the elements of a list must be literals"),
    ("$0.name.count == 9223372036854775808", 18, "'9223372036854775808' is not a value of 'Int'"),
    ("(5...2).contains($0.name.count)", 1, "the lower bound of a range exceeds its upper bound"),
    ("1...3", 1, "a range is only possible before 'contains'"),
    ("$0.name.count << 2 == 4", 1, "the operator '<<' is not supported"),
    ("$0.name.isEmpty; DROP TABLE Trip", 16, "unexpected ';' after the condition"),
  ]

  private static let read = Result { try DescribedSchema("SampleTrips", rows: 0) }
  private let schema: DescribedSchema

  init() throws { schema = try Self.read.get() }

  @Test(arguments: refused) func isRefused(_ text: String, _ column: Int, _ message: String) throws {
    let error = #expect(throws: FilterError.self) { _ = try schema.filter(text, "Trip") }
    #expect(error?.column == column, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.message.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func anErrorShowsItsPlace() throws {
    let error = #expect(throws: FilterError.self) { _ = try schema.filter("{\n  $0.nmae.isEmpty\n}", "Trip") }
    #expect(
      error.map { "\($0)" }
        == "filter, column 6: 'Trip' has no stored property 'nmae': did you mean 'name'?\n    $0.nmae.isEmpty\n       ^"
    )
    let unknown = #expect(throws: FilterError.self) { _ = try schema.filter("true", "Tripp") }
    #expect(unknown?.message == "the schema has no entity 'Tripp': did you mean 'Trip'?")
  }

  /// Long and deep texts end with an error, not with the stack.
  @Test(arguments: [
    String(repeating: "(", count: 10_000) + "true" + String(repeating: ")", count: 10_000),
    String(repeating: "!", count: 5_000) + "true",
    Array(repeating: "$0.name.isEmpty", count: 5_000).joined(separator: " || "),
    "$0.name.count == 1" + String(repeating: " + 1", count: 3_000),
    "$0.bucketList" + String(repeating: ".filter { true }", count: 600) + ".isEmpty",
    String(repeating: "$0.bucketList.contains { ", count: 300) + "true" + String(repeating: " }", count: 300),
    String(repeating: "[", count: 9_000) + ".contains(1)",
    "$0.name == \"" + String(repeating: "x", count: 30_000) + "\"",
    String(repeating: "$0.livingAccommodation?.trip?", count: 1_000),
    String(repeating: "true ? ", count: 2_000) + "true" + String(repeating: " : false", count: 2_000),
  ]) func hostileTextIsRefused(_ text: String) throws {
    #expect(throws: FilterError.self) { _ = try schema.filter(text, "Trip") }
  }

  /// A condition composed of many parts is as good as a short one.
  @Test func manyOperandsAreAccepted() throws {
    let store = try FilterStore(
      "SampleTrips", Schema(versionedSchema: SampleTripsSchema.V3_0_0.self), fill: insertTrips)
    defer { store.remove() }
    let text = (0..<100).map { "$0.name == \"\($0)\"" }.joined(separator: " || ") + " || $0.name == \"x\""
    let filter = try RowFilter(
      text, entity: "Trip", in: FilterModel(store.schema.resolved, store.schema.runtime))
    let keys = try filter.keys(in: store.connection)
    #expect(try keys == store.fetched(#Predicate<Trip> { $0.name == "x" }))
    #expect(!keys.isEmpty)
  }

  /// Mutated filters are refused or evaluated. They never stop the process.
  @Test func mutatedTextsAreHarmless() throws {
    let store = try FilterStore(
      "SampleTrips", Schema(versionedSchema: SampleTripsSchema.V3_0_0.self), fill: insertTrips)
    defer { store.remove() }
    var random = SeededGenerator(seed: SeededGenerator.seed("mutated filters"))
    let texts = TripFilters.trips.map(\.text)
    let parts = [
      "$0", ".", "?", "!", "(", ")", "[", "]", "{", "}", "\"", "nil", "==", "&&", "??", "name", "count", "contains",
      ",",
      "0", "-", "%", "/", "9223372036854775807", ".business", "Date.now", "in", "\\", "\u{301}", "where:", "...", "#",
    ]
    var (refused, evaluated) = (0, 0)
    for _ in 0..<Repetitions.scaled(5_000) {
      var text = Array(random.pick(texts))
      for _ in 0...random.roll(3) {
        let place = random.roll(text.count + 1)
        switch random.roll(4) {
        case 0 where place < text.count: text.remove(at: place)
        case 1 where place < text.count: text.swapAt(place, random.roll(text.count))
        case 2:
          let other = Array(random.pick(texts))
          text.insert(contentsOf: other[random.roll(other.count)...].prefix(12), at: place)
        default: text.insert(contentsOf: Array(random.pick(parts)), at: place)
        }
      }
      do {
        _ = try store.schema.filter(String(text), "Trip").keys(in: store.connection)
        evaluated += 1
      } catch is FilterError {
        refused += 1
      } catch is SwiftDataError {
        // The evaluation itself failed: a division by zero, an overflow, or nil after '!'.
        evaluated += 1
      } catch is PredicateError {
        evaluated += 1
      } catch {
        Issue.record("\(String(text)): \(error)")
      }
    }
    #expect(refused > 100 && evaluated > 100, "\(refused) refused, \(evaluated) evaluated")
  }
}
