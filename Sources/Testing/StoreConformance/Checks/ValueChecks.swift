import Foundation
import Trellis

/// Checks that values of every type are preserved, including range bounds.
extension ConformanceCheck {
  static let values: [ConformanceCheck] = [
    check("integers", \.int, [0, 1, -1, .max, .min, 9_007_199_254_740_993]),
    check("small integers", \.int8, [0, 1, .max, .min]),
    check("16-bit integers", \.int16, [.max, .min]),
    check("32-bit integers", \.int32, [.max, .min]),
    check("unsigned bytes", \.uint8, [0, .max]),
    check("unsigned integers", \.uint64, [0, 1, UInt64(Int64.max), 1 << 63, .max]),
    check("Boolean values", \.bool, [true, false]),
    check(
      "real numbers", \.double,
      [0, 0.1, -1.5, 1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1.0 / 3, 0x1p60]),
    check("32-bit real numbers", \.float, [0, 0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude]),
    check(
      "the sign of zero", \.double, [-0.0, 0.0], exercises: [.negativeZero], as: \.bitPattern),
    check(
      "infinities", \.double, [.infinity, -.infinity], exercises: [.nonFiniteNumbers]),
    check(
      "NaN values", \.double, [.nan], exercises: [.nonFiniteNumbers], as: \.isNaN),
    check(
      "decimals", \.decimal,
      ["0", "0.1", "-12345678901234567890.123456789", "99999999999999999999999999999999999999"].map {
        Decimal(string: $0) ?? 0
      }),
    check(
      "text", \.text,
      [
        "", " ", "a", "'\"\\/;--", "\r\n", "\n\t", "📚👨‍👩‍👧",
        "\u{FEFF}x", "ﬁ", "日本語", "null",
      ],
      as: { Array($0.utf8) }),
    check(
      "text with U+0000", \.text, ["\u{0}", "a\u{0}b"], exercises: [.nullCharacters], as: { Array($0.utf8) }),
    check(
      "text in other normal forms", \.text, ["e\u{301}", "\u{e9}", "\u{212B}", "가", "\u{1100}\u{1161}"],
      exercises: [.textForms], as: { Array($0.utf8) }),
    check("a megabyte of text", \.text, [String(repeating: "naïve ", count: 150_000)], as: \.utf8.count),
    check(
      "dates", \.date,
      [0, 1, -1, 86_400, 1_700_000_000, -978_307_200].map(Date.init(timeIntervalSinceReferenceDate:))),
    check(
      "dates with fractional seconds", \.date,
      [0.5, 0.1, -0.001, 700_000_000.123456].map(Date.init(timeIntervalSinceReferenceDate:)),
      exercises: [.fractionsOfSeconds]),
    check("dates in the distant past and future", \.date, [.distantPast, .distantFuture]),
    check("durations", \.duration, [nil, .zero, .nanoseconds(1), .milliseconds(-1_500), .seconds(9_000_000_000)]),
    check("bytes", \.data, [Data(), Data([0]), Data([0, 255, 1]), Data(0...255)]),
    check("a megabyte of bytes", \.data, [Data(repeating: 7, count: 1 << 20)], as: \.hashValue),
    check(
      "UUIDs", \.uuid,
      [
        nil, UUID(uuidString: "8A1B3C5D-0000-4000-8000-0123456789AB"),
        UUID(uuidString: "00000000-0000-0000-0000-000000000000"),
      ]),
    check("URLs", \.url, [nil, URL(string: "https://example.com/a%20b?c=d&e#f"), URL(string: "x:")]),
    check("enums", \.genre, [.poetry, .science, .novel]),
    check(
      "enums with associated values", \.shape,
      [.circle(radius: 1.5), .pair(.point, .pair(.circle(radius: 0), .point))]),
    check(
      "structs", \.size,
      [
        ConformanceSize(width: 1.5), ConformanceSize(width: 0, name: ""),
        ConformanceSize(width: -1, name: "é\""),
      ]),
    check("arrays of text", \.words, [[], [""], ["a,b", "\"c\"", "a,b"]]),
    check("dictionaries", \.counts, [[:], ["": 0, "a": .max, "é": -1]]),
    check("arrays of structs", \.sizes, [[ConformanceSize(width: 1), ConformanceSize(width: 2, name: "b")]]),
    check("optional integers", \.maybeInt, [nil, 0, .min]),
    check("optional real numbers", \.maybeDouble, [nil, 0, 0.1]),
    check("optional text (nil and empty)", \.maybeText, [nil, "", "a", "\"quoted\"\n"]),
    check("optional dates", \.maybeDate, [nil, Date(timeIntervalSinceReferenceDate: 0)]),
    check("optional bytes (nil and empty)", \.maybeData, [nil, Data(), Data([0])]),
    check("optional enums", \.maybeGenre, [nil, .poetry]),
    check(
      "optional structs", \.maybeSize,
      [nil, ConformanceSize(width: 0), ConformanceSize(width: 1, name: "x")]),
    check("optional arrays (nil and empty)", \.maybeWords, [nil, [], ["a"]]),
    ConformanceCheck(.values, "orders and filters by boundary values") { store in
      let context = ModelContext(try store.container())
      let numbers: [Int] = [.min, -1, 0, 1, .max]
      for (key, number) in numbers.enumerated().reversed() {
        let values = ConformanceValues(key: key)
        values.int = number
        values.double = Double(number)
        context.insert(values)
      }
      try context.save()
      let other = ModelContext(context.container)
      let byInt = FetchDescriptor<ConformanceValues>(sortBy: [SortDescriptor(\.int)])
      try expect("fetch ordered by integers", try other.fetch(byInt).map(\.int), numbers)
      let byDouble = FetchDescriptor<ConformanceValues>(sortBy: [SortDescriptor(\.double)])
      try expect("fetch ordered by real numbers", try other.fetch(byDouble).map(\.int), numbers)
      let least = Int.min
      let lowest = FetchDescriptor<ConformanceValues>(predicate: #Predicate { $0.int == least })
      try expect("fetch where int == Int.min", try other.fetch(lowest).map(\.key), [0])
    },
  ]

  private static func check<Value: Equatable & Sendable>(
    _ what: String, _ property: WritableProperty<Value>, _ values: [Value],
    exercises: Set<ConformanceAllowance> = []
  ) -> ConformanceCheck {
    check(what, property, values, exercises: exercises) { $0 }
  }

  /// - Parameter form: Converts a value to the form that is compared.
  private static func check<Value: Sendable, Form: Equatable>(
    _ what: String, _ property: WritableProperty<Value>, _ values: [Value],
    exercises: Set<ConformanceAllowance> = [], as form: @escaping @Sendable (Value) -> Form
  ) -> ConformanceCheck {
    ConformanceCheck(.values, "returns \(what) unchanged", exercises: exercises) { store in
      let container = try store.container()
      let context = ModelContext(container)
      var models: [ConformanceValues] = []
      for (key, value) in values.enumerated() {
        let model = ConformanceValues(key: key)
        model[keyPath: property] = value
        context.insert(model)
        models.append(model)
      }
      try attempt("save of \(what)") { try context.save() }
      func expectAll(_ operation: String, _ wanted: [Value]) throws {
        let read: Models<ConformanceValues> = try attempt("fetch of \(what)") { try container.all(\.key) }
        try expect(operation, read.map { form($0[keyPath: property]) }, wanted.map(form))
      }
      try expectAll("fetch of inserted \(what)", values)
      // Many stores write updates differently from insertions.
      for (model, value) in zip(models, values.reversed()) { model[keyPath: property] = value }
      try attempt("save of changed \(what)") { try context.save() }
      try expectAll("fetch of changed \(what)", values.reversed())
    }
  }
}

private typealias WritableProperty<Value> = any ReferenceWritableKeyPath<ConformanceValues, Value> & Sendable
