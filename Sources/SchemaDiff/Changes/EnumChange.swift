package import SchemaDiagnostics
package import SchemaModel

/// A change of an enum or of one of its cases.
package struct EnumChange: ChangeDetail {
  package enum Aspect: Sendable, Equatable {
    case added, removed
    case rawType(from: ScalarType?, to: ScalarType?)
    case conformances(from: [String], to: [String])
    case access(from: AccessLevel?, to: AccessLevel?)
    case caseAdded(ResolvedEnum.Case)
    case caseRemoved(ResolvedEnum.Case)
    case rawValue(from: ResolvedEnum.Case, to: ResolvedEnum.Case)
    case payload(from: ResolvedEnum.Case, to: ResolvedEnum.Case)
    case reordered
  }

  package let name: String
  package let aspect: Aspect
  package var oldRange: SourceRange?
  package var newRange: SourceRange?

  static func changes(from old: [ResolvedEnum], to new: [ResolvedEnum]) -> [Self] {
    let pairing = Pairing(from: old, to: new, name: \.name)
    return pairing.pairs.flatMap { pair -> [Self] in
      guard let old = pair.old else {
        return [Self(name: pair.new.name, aspect: .added, newRange: pair.new.range)]
      }
      return aspects(from: old, to: pair.new).map {
        Self(name: pair.new.name, aspect: $0, oldRange: old.range, newRange: pair.new.range)
      }
    } + pairing.removed.map { Self(name: $0.name, aspect: .removed, oldRange: $0.range) }
  }

  private static func aspects(from old: ResolvedEnum, to new: ResolvedEnum) -> [Aspect] {
    var aspects: [Aspect] = []
    if old.rawType != new.rawType { aspects.append(.rawType(from: old.rawType, to: new.rawType)) }
    if old.conformances != new.conformances {
      aspects.append(.conformances(from: old.conformances, to: new.conformances))
    }
    if old.access != new.access { aspects.append(.access(from: old.access, to: new.access)) }
    let pairing = Pairing(from: old.cases, to: new.cases, name: \.name)
    for pair in pairing.pairs {
      guard let before = pair.old else {
        aspects.append(.caseAdded(pair.new))
        continue
      }
      if before.rawValue != pair.new.rawValue {
        aspects.append(.rawValue(from: before, to: pair.new))
      }
      if before.payload != pair.new.payload { aspects.append(.payload(from: before, to: pair.new)) }
    }
    aspects += pairing.removed.map { .caseRemoved($0) }
    if pairing.isReordered(from: old.cases, name: \.name) { aspects.append(.reordered) }
    return aspects
  }

  package var kind: String {
    let what =
      switch aspect {
      case .added: "added"
      case .removed: "removed"
      case .rawType: "raw-type-changed"
      case .conformances: "conformances-changed"
      case .access: "access-changed"
      case .caseAdded: "case-added"
      case .caseRemoved: "case-removed"
      case .rawValue: "case-raw-value-changed"
      case .payload: "case-payload-changed"
      case .reordered: "cases-reordered"
      }
    return "enum-\(what)"
  }

  package var subject: String {
    switch aspect {
    case .caseAdded(let value), .caseRemoved(let value), .rawValue(_, let value),
      .payload(_, let value):
      "\(name).\(value.name)"
    case .added, .removed, .rawType, .conformances, .access, .reordered: name
    }
  }

  package var effect: ChangeEffect {
    switch aspect {
    // Rows hold the old value; something has to say which new one it is.
    case .caseRemoved, .rawValue, .rawType, .payload: .needsFill
    // Attributes of a type that came or went have changes of their own.
    case .added, .removed, .conformances, .access, .caseAdded, .reordered: .automatic
    }
  }

  package var text: String {
    switch aspect {
    case .added: "enum '\(name)' added"
    case .removed: "enum '\(name)' removed"
    case .rawType(let old, let new):
      "enum '\(name)': " + Wording.change("raw type", from: old?.rawValue, to: new?.rawValue)
    case .conformances(let old, let new):
      "enum '\(name)': conformances changed from \(Wording.list(old)) to \(Wording.list(new))"
    case .access(let old, let new):
      "enum '\(name)': " + Wording.change("access", from: old?.rawValue, to: new?.rawValue)
    case .caseAdded: "case '\(subject)' added"
    case .caseRemoved: "case '\(subject)' removed"
    case .rawValue(let old, let new):
      "case '\(subject)': "
        + Wording.change("raw value", from: old.rawValue?.text, to: new.rawValue?.text)
    case .payload(let old, let new):
      "case '\(subject)': "
        + Wording.change("values", from: old.payloadText, to: new.payloadText)
    case .reordered: "enum '\(name)': the cases have another order"
    }
  }
}

extension ResolvedEnum.RawValue {
  fileprivate var text: String {
    switch self {
    case .string(let text): "\"\(text)\""
    case .integer(let number): "\(number)"
    case .other(let text): text
    }
  }
}

extension ResolvedEnum.Case {
  fileprivate var payloadText: String? {
    guard !payload.isEmpty else { return nil }
    let fields = payload.map { ($0.label.map { "\($0): " } ?? "") + $0.type.text }
    return "(\(fields.joined(separator: ", ")))"
  }
}
