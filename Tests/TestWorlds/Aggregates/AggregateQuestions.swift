import Foundation
import TestSupport
import Trellis

/// Aggregates, groups and descriptors, and their results as text.
enum AggregateQuestions {
  typealias Question = @Sendable (ModelContext, FetchDescriptor<Probe>) throws -> Any

  static let aggregates: [(String, Question)] = [
    ("count", { try $0.aggregate(.count, over: $1) }),
    ("count large", { try $0.aggregate(.count(\.large), over: $1) }),
    ("distinct label", { try $0.aggregate(.countDistinct(\.label), over: $1) }),
    ("distinct ratio", { try $0.aggregate(.countDistinct(\.ratio), over: $1) }),
    ("distinct price", { try $0.aggregate(.countDistinct(\.price), over: $1) }),
    ("distinct level", { try $0.aggregate(.countDistinct(\.level), over: $1) }),
    ("distinct station", { try $0.aggregate(.countDistinct(\.station?.name), over: $1) }),
    ("sum number", { try $0.aggregate(.sum(\.number), over: $1) }),
    ("sum small", { try $0.aggregate(.sum(\.small), over: $1) }),
    ("sum large", { try $0.aggregate(.sum(\.large), over: $1) }),
    ("sum unsigned", { try $0.aggregate(.sum(\.unsigned), over: $1) }),
    ("sum ratio", { try $0.aggregate(.sum(\.ratio), over: $1) }),
    ("sum gain", { try $0.aggregate(.sum(\.gain), over: $1) }),
    ("sum price", { try $0.aggregate(.sum(\.price), over: $1) }),
    ("sum discount", { try $0.aggregate(.sum(\.discount), over: $1) }),
    ("sum rank", { try $0.aggregate(.sum(\.station?.rank), over: $1) }),
    ("average number", { try $0.aggregate(.average(\.number), over: $1) as Any }),
    ("average unsigned", { try $0.aggregate(.average(\.unsigned), over: $1) as Any }),
    ("average large", { try $0.aggregate(.average(\.large), over: $1) as Any }),
    ("average ratio", { try $0.aggregate(.average(\.ratio), over: $1) as Any }),
    ("average gain", { try $0.aggregate(.average(\.gain), over: $1) as Any }),
    ("average price", { try $0.aggregate(.average(\.price), over: $1) as Any }),
    ("minimum number", { try $0.aggregate(.minimum(\.number), over: $1) as Any }),
    ("maximum unsigned", { try $0.aggregate(.maximum(\.unsigned), over: $1) as Any }),
    ("minimum ratio", { try $0.aggregate(.minimum(\.ratio), over: $1) as Any }),
    ("maximum ratio", { try $0.aggregate(.maximum(\.ratio), over: $1) as Any }),
    ("maximum gain", { try $0.aggregate(.maximum(\.gain), over: $1) as Any }),
    ("minimum price", { try $0.aggregate(.minimum(\.price), over: $1) as Any }),
    ("maximum price", { try $0.aggregate(.maximum(\.price), over: $1) as Any }),
    ("minimum taken", { try $0.aggregate(.minimum(\.taken), over: $1) as Any }),
    ("maximum taken", { try $0.aggregate(.maximum(\.taken), over: $1) as Any }),
    ("minimum label", { try $0.aggregate(.minimum(\.label), over: $1) as Any }),
    ("maximum label", { try $0.aggregate(.maximum(\.label), over: $1) as Any }),
    ("maximum note", { try $0.aggregate(.maximum(\.note), over: $1) as Any }),
    ("minimum mark", { try $0.aggregate(.minimum(\.mark), over: $1) as Any }),
    ("maximum token", { try $0.aggregate(.maximum(\.token), over: $1) as Any }),
    ("maximum height", { try $0.aggregate(.maximum(\.station?.height), over: $1) as Any }),
    (
      "several",
      {
        try $0.aggregate(
          .count, .sum(\.small), .maximum(\.taken), .average(\.price), .minimum(\.label), over: $1)
      }
    ),
  ]

  static let groupings: [(String, Question)] = [
    ("by label", { try $0.groups(of: $1, by: \.label, computing: .count, .sum(\.small)) }),
    ("by ratio", { try $0.groups(of: $1, by: \.ratio, computing: .count) }),
    ("by gain", { try $0.groups(of: $1, by: \.gain, computing: .count) }),
    ("by price", { try $0.groups(of: $1, by: \.price, computing: .count, .minimum(\.taken)) }),
    ("by taken", { try $0.groups(of: $1, by: \.taken, computing: .maximum(\.ratio)) }),
    ("by note", { try $0.groups(of: $1, by: \.note, computing: .countDistinct(\.label)) }),
    ("by mark", { try $0.groups(of: $1, by: \.mark, computing: .count) }),
    ("by valid", { try $0.groups(of: $1, by: \.isValid, computing: .sum(\.ratio)) }),
    ("by grade", { try $0.groups(of: $1, by: \.grade, computing: .sum(\.price)) }),
    ("by level", { try $0.groups(of: $1, by: \.level, computing: .average(\.small)) }),
    ("by token", { try $0.groups(of: $1, by: \.token, computing: .count, .sum(\.gain)) }),
    ("by station", { try $0.groups(of: $1, by: \.station?.name, computing: .count) }),
    ("by unsigned", { try $0.groups(of: $1, by: \.unsigned, computing: .sum(\.unsigned)) }),
    (
      "by two",
      {
        try $0.groups(of: $1, by: \.grade, \.isValid, computing: .count, .sum(\.small))
      }
    ),
    ("distinct pairs", { try $0.groups(of: $1, by: \.grade, \.level) }),
    ("distinct labels", { try $0.distinctValues(of: \.label, fetching: $1) }),
    (
      "busiest",
      {
        try $0.groups(
          of: $1, by: \.label, computing: .count, having: .count > 2,
          orderedBy: [.descending(.count)], limit: 3)
      }
    ),
    (
      "sums in range",
      {
        try $0.groups(
          of: $1, by: \.grade, \.level, computing: .sum(\.small),
          having: .sum(\.small) > -200 && !(.count == 1) || .minimum(\.number) < 0,
          orderedBy: [.descending(.sum(\.small)), .descending(\.level)], limit: 5)
      }
    ),
    (
      "by mean",
      {
        try $0.groups(
          of: $1, by: \.note, \.grade, computing: .average(\.ratio),
          having: .average(\.ratio) <= 1e300, orderedBy: [.ascending(.average(\.ratio))], limit: 4)
      }
    ),
    (
      "by latest",
      {
        try $0.groups(
          of: $1, by: \.grade, \.isValid, computing: .maximum(\.taken),
          having: .maximum(\.taken) >= Date(timeIntervalSinceReferenceDate: 0),
          orderedBy: [.descending(.maximum(\.taken)), .ascending(\.isValid)])
      }
    ),
    (
      "cheapest",
      {
        try $0.groups(
          of: $1, by: \.label, computing: .minimum(\.price), having: .maximum(\.label) != "a",
          orderedBy: [.ascending(.minimum(\.price))], limit: 2)
      }
    ),
    ("projection", { try $0.values(of: \.label, \.ratio, \.price, \.station?.name, fetching: $1) }),
    ("one value", { try $0.values(of: \.note, fetching: $1) }),
    ("more values", { try $0.values(of: \.tags, \.level, \.taken, \.shout, fetching: $1) }),
  ]

  static let all = aggregates + groupings

  static let predicates: [Predicate<Probe>?] = [
    nil, nil, #Predicate { $0.isValid }, #Predicate { $0.ratio > 0.15 },
    #Predicate { $0.label == "éa" || $0.note != nil }, #Predicate { $0.station?.name == "North" },
    #Predicate { $0.small % 2 == 0 }, #Predicate { $0.shout == "A" },
    #Predicate { $0.number > 4_611_686_018_427_387_904 },
  ]

  static func descriptor(_ dice: inout SeededGenerator) -> FetchDescriptor<Probe> {
    var descriptor = FetchDescriptor<Probe>(predicate: dice.pick(predicates))
    if Int.random(in: 0..<4, using: &dice) == 0 {
      descriptor.sortBy = [SortDescriptor(\.small, order: .reverse)]
      descriptor.fetchLimit = .random(in: 0...20, using: &dice)
      descriptor.fetchOffset = .random(in: 0...5, using: &dice)
    }
    return descriptor
  }

  static func answer(
    _ question: Question, _ context: ModelContext, _ descriptor: FetchDescriptor<Probe>
  ) -> String {
    do { return text(of: try question(context, descriptor)) } catch { return "error: \(error)" }
  }

  /// The exact value as text. (Describing a date that is not a number traps.)
  static func text(of value: Any) -> String {
    switch value {
    case let date as Date: return "date \(date.timeIntervalSinceReferenceDate)"
    case let string as String: return "\(Array(string.utf8))"
    case let character as Character: return "\(Array(character.utf8))"
    case let decimal as Decimal: return decimal.description
    case is UUID, is any RawRepresentable: return "\(value)"
    default:
      let mirror = Mirror(reflecting: value)
      guard !mirror.children.isEmpty else { return "\(value)" }
      return "(" + mirror.children.map { text(of: $0.value) }.joined(separator: ", ") + ")"
    }
  }
}
