import Foundation
import Testing

@testable import Trellis
@testable import TrellisModel

@Suite struct ValueRoundTripTests {
  /// Saves values one after the other and reads all of them.
  private func check<V: Equatable>(
    _ path: WritableKeyPath<Specimen.Snapshot, V>, _ values: [V],
    by same: (V, V) -> Bool = { $0 == $1 }, location: SourceLocation = #_sourceLocation
  ) throws {
    let fixture = try StoreFixture(Specimen.self)
    let store = try fixture.open()
    let snapshots = values.map { value in
      Specimen.Snapshot().with { $0[keyPath: path] = value }.snapshot()
    }
    try store.save(insert: snapshots)
    let read = try fixture.open().values(Specimen.Snapshot.self).map { $0[keyPath: path] }
    #expect(read.count == values.count, sourceLocation: location)
    for (read, value) in zip(read, values) {
      #expect(same(read, value), "\(value) came back as \(read)", sourceLocation: location)
    }
    #expect(try fixture.complaints() == "", sourceLocation: location)
  }

  @Test func integers() throws {
    try check(\.flag, [true, false])
    try check(\.int, [.min, -1, 0, 1, .max])
    try check(\.int8, [.min, -1, .max])
    try check(\.int16, [.min, -1, .max])
    try check(\.int32, [.min, -1, .max])
    try check(\.int64, [.min, -1, .max])
    try check(\.uint, [0, 1, .max, UInt(Int.max), UInt(Int.max) + 1])
    try check(\.uint8, [0, .max])
    try check(\.uint16, [0, .max])
    try check(\.uint32, [0, .max])
    try check(\.uint64, [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
  }

  @Test func reals() throws {
    let bits: (Double, Double) -> Bool = {
      $0.isNaN ? $1.isNaN : $0.bitPattern == $1.bitPattern
    }
    let doubles: [Double] = [
      0, -0.0, 1, -1, 0.1, .pi, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude,
      9_007_199_254_740_992,
      1e300, 123456789.123456789, .leastNonzeroMagnitude,
    ]
    try check(\.double, doubles, by: bits)
    try check(\.maybe, doubles + [nil]) { lhs, rhs in
      guard let lhs, let rhs else { return lhs == nil && rhs == nil }
      return bits(lhs, rhs)
    }
    let floats: [Float] = [
      0, -0.0, 0.1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      16_777_216,
    ]
    try check(\.float, floats) { $0.isNaN ? $1.isNaN : $0.bitPattern == $1.bitPattern }
    let dates = doubles.map { Date(timeIntervalSinceReferenceDate: $0) } + [.distantPast, Date()]
    try check(\.date, dates) {
      bits($0.timeIntervalSinceReferenceDate, $1.timeIntervalSinceReferenceDate)
    }
  }

  @Test func decimals() throws {
    let texts = [
      "0", "1", "-1", "0.1", "100", "12345678901234567890123456789012345678",
      "-99999999999999999999999999999999999999", "3.40282366920938463463374607431768211455",
      "0.00000000000000000000000000000000000001",
    ]
    var values = texts.compactMap { Decimal(string: $0) } + [.nan, .greatestFiniteMagnitude]
    values.append(Decimal(sign: .minus, exponent: -128, significand: 7))
    values.append(Decimal(sign: .plus, exponent: 3, significand: 5))
    try check(\.decimal, values) {
      $0.isNaN ? $1.isNaN : $0 == $1 && $0.description == $1.description
    }
  }

  @Test func text() throws {
    let texts = [
      "", " ", "a", "caf\u{e9}", "cafe\u{301}", "\u{301}", "\u{212A}", "a\0b", "\0", "a\r\nb", "\n",
      "👩‍👩‍👧‍👦 family", "\u{10041}\u{301}", "\u{1112}\u{1161}\u{11AB}", "\u{FEFF}x", "'\"`;--%_",
      String(repeating: "long 😀 ", count: 10_000), String(repeating: "e\u{301}", count: 20_000),
    ]
    let bytes: (String, String) -> Bool = { $0.utf8.elementsEqual($1.utf8) }
    try check(\.text, texts, by: bytes)
    try check(\.note, texts + [nil]) { lhs, rhs in
      guard let lhs, let rhs else { return lhs == nil && rhs == nil }
      return bytes(lhs, rhs)
    }
    let characters: [Character] = [
      "a", "\u{e9}", "e\u{301}", "\r\n", "👩‍👩‍👧‍👦", "\0", "\u{301}", " ", "🇨🇭",
    ]
    try check(\.character, characters) { bytes(String($0), String($1)) }
  }

  @Test func uuidsAndURLs() throws {
    try check(\.uuid, [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))])
    let base = try #require(URL(string: "https://example.com/a/b?x=1"))
    let urls = [
      "https://example.com", "https://example.com/", "mailto:a@b.c", "file:///tmp/a%20b", "a/b#c",
      "https://user:pw@host:8080/p;q?r=%3C%3E#f", "data:text/plain,hello", "urn:isbn:1",
      "http://exa\u{308}mple.com/\u{fc}ber",
    ].compactMap { URL(string: $0) }
    let relative = ["c/d", "../x", "?y=2", "#z", "/root"]
      .compactMap { URL(string: $0, relativeTo: base) }
    let nested = try #require(URL(string: "deep", relativeTo: relative[0]))
    let files = [
      URL(fileURLWithPath: "relative/file"), URL(fileURLWithPath: "/tmp/folder", isDirectory: true),
      URL(fileURLWithPath: "/tmp/a b <c>"),
    ]
    #expect(relative.count == 5)
    try check(\.url, urls + relative + [nested] + files) {
      $0 == $1 && $0.baseURL == $1.baseURL && $0.relativeString == $1.relativeString
    }
  }

  @Test func bytes() throws {
    let blobs = [Data(), Data([0]), Data((0...255).map { UInt8($0) }), Data(count: 1_000_000)]
    try check(\.data, blobs)
    try check(\.blob, blobs + [nil])
    // The indices of a slice do not start at 0.
    try check(\.data, [Data([1, 2, 3, 4])[2...]])
  }

  @Test func codedValues() throws {
    try check(\.grade, [.a, .b])
    try check(\.choice, [.a, nil, .b])
    let sizes = [
      Size(width: 0.1, label: "a\0b"), Size(width: .infinity, label: "NaN"),
      Size(width: -.infinity, label: "\r\n"), Size(width: -0.0, label: "e\u{301}"),
      Size(width: .greatestFiniteMagnitude, label: "👩‍👩‍👧‍👦\u{301}"),
      Size(width: .leastNonzeroMagnitude, label: "/\\\""),
    ]
    let same: (Size, Size) -> Bool = {
      $0.width.bitPattern == $1.width.bitPattern && $0.label.utf8.elementsEqual($1.label.utf8)
    }
    try check(\.size, sizes, by: same)
    try check(\.size, [Size(width: .nan, label: "")]) { $0.width.isNaN && $1.width.isNaN }
    try check(\.box, [nil] + sizes.map(Optional.some))
    try check(\.numbers, [[], [1, 0.1, .infinity], [Double](repeating: .pi, count: 1000)])
    try check(\.names, [[], ["a"], ["b", "a", "\u{e9}"]])
    try check(\.table, [[:], ["b": 2, "a": .max, "": .min]])
    try check(\.ranks, [[:], [.a: 1, .b: 2]])
  }

  @Test func equalCollectionsHaveEqualEncodings() throws {
    let fixture = try StoreFixture(Specimen.self)
    let names = (0..<50).map { "name \($0)" }
    let forward = Specimen.Snapshot().with { $0.names = Set(names) }
    let backward = Specimen.Snapshot().with { $0.names = Set(names.reversed()) }
    try fixture.open().save(insert: [forward.snapshot(), backward.snapshot()])
    #expect(try fixture.shell(#"SELECT COUNT(DISTINCT "names") FROM "Specimen""#) == "1")
  }

  @Test func nilIsNullAndEmptyValuesAreNot() throws {
    let fixture = try StoreFixture(Specimen.self)
    let empty = Specimen.Snapshot().with {
      $0.note = ""
      $0.blob = Data()
    }
    try fixture.open().save(insert: [Specimen.Snapshot().snapshot(), empty.snapshot()])
    let types = try fixture.shell(
      #"SELECT typeof("note"), typeof("blob"), typeof("maybe"), typeof("text") FROM "Specimen""#)
    #expect(types == "null|null|null|text\ntext|blob|null|text")
  }
}
