import Foundation
import RelationshipsGolden
import Trellis
import ValuesGolden

private let green = Colour.green
private let low = Level.low
private let zero = Date(timeIntervalSinceReferenceDate: 0)
private let identifier = UUID(uuidString: "00000000-0000-0000-0000-000000000001")

/// Filters over relationships of every kind.
enum RelationshipFilters {
  static let readers: [FilterCase<Reader>] = [
    FilterCase("$0.mentor == nil", #Predicate { $0.mentor == nil }),
    FilterCase("$0.mentor == $0.spouse", #Predicate { $0.mentor == $0.spouse }),
    FilterCase("$0.mentor?.mentor?.name == $0.name", #Predicate { $0.mentor?.mentor?.name == $0.name }),
    FilterCase("$0.pupils.isEmpty", #Predicate { $0.pupils.isEmpty }),
    FilterCase("$0.friends.count > 1", #Predicate { $0.friends.count > 1 }),
    FilterCase(
      "$0.friends.contains(where: { $0.friends.isEmpty == false })",
      #Predicate { $0.friends.contains(where: { $0.friends.isEmpty == false }) }),
    FilterCase(
      "$0.mentor != nil && $0.friends.contains($0.mentor!)",
      #Predicate { $0.mentor != nil && $0.friends.contains($0.mentor!) }),
    FilterCase("$0.written?.isEmpty == true", #Predicate { $0.written?.isEmpty == true }),
    FilterCase("($0.written ?? []).count > 0", #Predicate { ($0.written ?? []).count > 0 }),
    FilterCase(
      "$0.libraries.contains { $0.readers.count >= 2 }", #Predicate { $0.libraries.contains { $0.readers.count >= 2 } }),
  ]

  static let books: [FilterCase<Book>] = [
    FilterCase("$0.firstReader.name > $0.title", #Predicate { $0.firstReader.name > $0.title }),
    FilterCase("$0.firstReader.mentor == nil", #Predicate { $0.firstReader.mentor == nil }),
    FilterCase("$0.library?.desk != nil", #Predicate { $0.library?.desk != nil }),
    FilterCase(
      "$0.library?.readers.contains(where: { $0.pupils.count > 0 }) ?? false",
      #Predicate { $0.library?.readers.contains(where: { $0.pupils.count > 0 }) ?? false }),
  ]
}

/// Filters over a property of every type.
enum ValueFilters {
  static let everything: [FilterCase<Everything>] = [
    FilterCase("$0.bool", #Predicate { $0.bool }),
    FilterCase("$0.int > 0", #Predicate { $0.int > 0 }),
    FilterCase("$0.int8 == -128", #Predicate { $0.int8 == -128 }),
    FilterCase("$0.int16 < 0x7FFF", #Predicate { $0.int16 < 0x7FFF }),
    FilterCase("$0.int32 != 42", #Predicate { $0.int32 != 42 }),
    FilterCase("$0.int64 >= 1_000", #Predicate { $0.int64 >= 1_000 }),
    FilterCase("$0.uint > 41", #Predicate { $0.uint > 41 }),
    FilterCase("$0.uint8 == 255", #Predicate { $0.uint8 == 255 }),
    FilterCase("$0.uint64 > 9223372036854775808", #Predicate { $0.uint64 > 9_223_372_036_854_775_808 }),
    FilterCase("$0.float > 1", #Predicate { $0.float > 1 }),
    FilterCase("$0.double < 1.5", #Predicate { $0.double < 1.5 }),
    FilterCase("$0.double / 2 >= 0.75", #Predicate { $0.double / 2 >= 0.75 }),
    FilterCase("!($0.double < 0)", #Predicate { !($0.double < 0) }),
    FilterCase("$0.decimal > 0.5", #Predicate { $0.decimal > 0.5 }),
    FilterCase("$0.string.count > 3", #Predicate { $0.string.count > 3 }),
    FilterCase(#"$0.character == "a""#, #Predicate { $0.character == "a" }),
    FilterCase("$0.date >= Date(timeIntervalSinceReferenceDate: 0)", #Predicate { $0.date >= zero }),
    FilterCase(
      "$0.date.timeIntervalSinceReferenceDate > 100", #Predicate { $0.date.timeIntervalSinceReferenceDate > 100 }),
    FilterCase(
      #"$0.uuid == UUID(uuidString: "00000000-0000-0000-0000-000000000001")"#, #Predicate { $0.uuid == identifier }),
    FilterCase(#"$0.uuid.uuidString.contains("00")"#, #Predicate { $0.uuid.uuidString.contains("00") }),
    FilterCase(#"$0.url.absoluteString.contains("example")"#, #Predicate { $0.url.absoluteString.contains("example") }),
    FilterCase("$0.colour == .green", #Predicate { $0.colour == green }),
    FilterCase(#"$0.colour.rawValue == "azure""#, #Predicate { $0.colour.rawValue == "azure" }),
    FilterCase("$0.size.width > 1", #Predicate { $0.size.width > 1 }),
    FilterCase(#"$0.size.unit.rawValue == "foot""#, #Predicate { $0.size.unit.rawValue == "foot" }),
    FilterCase("$0.numbers.contains(42)", #Predicate { $0.numbers.contains(42) }),
    FilterCase("$0.numbers.count == 0", #Predicate { $0.numbers.count == 0 }),
    FilterCase("$0.words.isEmpty", #Predicate { $0.words.isEmpty }),
    FilterCase(#"$0.words.contains("")"#, #Predicate { $0.words.contains("") }),
  ]

  static let perhaps: [FilterCase<Perhaps>] = [
    FilterCase("$0.bool == true", #Predicate { $0.bool == true }),
    FilterCase("$0.bool ?? false", #Predicate { $0.bool ?? false }),
    FilterCase("!($0.bool ?? true)", #Predicate { !($0.bool ?? true) }),
    FilterCase("$0.int == nil || $0.int! < 0", #Predicate { $0.int == nil || $0.int! < 0 }),
    FilterCase("$0.uint64 == 42", #Predicate { $0.uint64 == 42 }),
    FilterCase("$0.double == $0.double", #Predicate { $0.double == $0.double }),
    FilterCase("$0.string?.isEmpty == true", #Predicate { $0.string?.isEmpty == true }),
    FilterCase("$0.string?.last == nil", #Predicate { $0.string?.last == nil }),
    FilterCase("$0.data?.count == 0", #Predicate { $0.data?.count == 0 }),
    FilterCase("$0.colour == nil", #Predicate { $0.colour == nil }),
    FilterCase("$0.colour == .green", #Predicate { $0.colour == green }),
    FilterCase("$0.size?.height ?? 0 > 1", #Predicate { $0.size?.height ?? 0 > 1 }),
    FilterCase("$0.numbers?.contains(1) == true", #Predicate { $0.numbers?.contains(1) == true }),
    FilterCase("$0.colours?.contains(.green) ?? false", #Predicate { $0.colours?.contains(green) ?? false }),
    FilterCase("$0.nested == nil", #Predicate { $0.nested == nil }),
    FilterCase("$0.shape != nil", #Predicate { $0.shape != nil }),
  ]

  static let measurements: [FilterCase<ValuesGolden.Measurement>] = [
    FilterCase("$0.level == .low", #Predicate { $0.level == low }),
    FilterCase("$0.level.rawValue > 0", #Predicate { $0.level.rawValue > 0 }),
    FilterCase("$0.range.lower < $0.range.upper", #Predicate { $0.range.lower < $0.range.upper }),
  ]
}
