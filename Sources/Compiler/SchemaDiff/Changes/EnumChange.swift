package import SchemaDiagnostics
package import SchemaModel

/// A change to an enum or an enum case.
package struct EnumChange: ChangeDetail {
  package enum Aspect: Sendable {
    case added, removed
    case rawType(from: ScalarType?, to: ScalarType?)
    case conformances(from: [String], to: [String])
    case access(from: AccessLevel?, to: AccessLevel?)
    case caseAdded(ResolvedEnum.Case)
    case caseRemoved(ResolvedEnum.Case)
    /// Rows store raw values, so equal text identifies the same case.
    case caseRenamed(from: ResolvedEnum.Case, to: ResolvedEnum.Case)
    case rawValue(from: ResolvedEnum.Case, to: ResolvedEnum.Case)
    case payload(from: ResolvedEnum.Case, to: ResolvedEnum.Case)
    /// The custom coding changed.
    case coding(from: ResolvedCoding?, to: ResolvedCoding?)
    case reordered
  }

  package let name: String
  package let aspect: Aspect
  package var oldRange: SourceRange?
  package var newRange: SourceRange?
  /// True if the changed conformances alter the stored text.
  private var isOtherForm = false

  private init(name: String, aspect: Aspect, oldRange: SourceRange? = nil, newRange: SourceRange? = nil) {
    self.name = name
    self.aspect = aspect
    self.oldRange = oldRange
    self.newRange = newRange
  }

  static func changes(from old: ResolvedSchema, to new: ResolvedSchema, _ texts: TextForms) -> [Self] {
    let pairing = Pairing(from: old.enums, to: new.enums, name: \.name)
    return pairing.pairs.flatMap { pair -> [Self] in
      guard let old = pair.old else {
        return [Self(name: pair.new.name, aspect: .added, newRange: pair.new.range)]
      }
      let aspects = aspects(from: old, to: pair.new, isText: texts.isText(old.name))
      return aspects.map { aspect in
        var change = Self(name: pair.new.name, aspect: aspect, oldRange: old.range, newRange: pair.new.range)
        if case .conformances(let before, let after) = aspect {
          change.isOtherForm = texts.isOtherForm(old.name, before, after)
        }
        return change
      }
    } + pairing.removed.map { Self(name: $0.name, aspect: .removed, oldRange: $0.range) }
  }

  private static func aspects(from old: ResolvedEnum, to new: ResolvedEnum, isText: Bool) -> [Aspect] {
    var aspects: [Aspect] = []
    if old.rawType != new.rawType { aspects.append(.rawType(from: old.rawType, to: new.rawType)) }
    if old.conformances != new.conformances {
      aspects.append(.conformances(from: old.conformances, to: new.conformances))
    }
    if old.access != new.access { aspects.append(.access(from: old.access, to: new.access)) }
    if isText, old.coding != new.coding { aspects.append(.coding(from: old.coding, to: new.coding)) }
    let pairing = Pairing(from: old.cases, to: new.cases, name: \.name)
    var renamed: Set<String> = []
    for pair in pairing.pairs {
      guard let before = pair.old else {
        let same = pairing.removed.first { $0.isStored(as: pair.new) }
        guard let same, old.rawType == new.rawType else {
          aspects.append(.caseAdded(pair.new))
          continue
        }
        renamed.insert(same.name)
        aspects.append(.caseRenamed(from: same, to: pair.new))
        continue
      }
      if before.rawValue != pair.new.rawValue {
        aspects.append(.rawValue(from: before, to: pair.new))
      }
      if before.payload != pair.new.payload { aspects.append(.payload(from: before, to: pair.new)) }
    }
    aspects += pairing.removed.filter { !renamed.contains($0.name) }.map { .caseRemoved($0) }
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
      case .caseRenamed: "case-renamed"
      case .rawValue: "case-raw-value-changed"
      case .payload: "case-payload-changed"
      case .coding: "coding-changed"
      case .reordered: "cases-reordered"
      }
    return "enum-\(what)"
  }

  package var subject: String {
    switch aspect {
    case .caseAdded(let value), .caseRemoved(let value), .caseRenamed(_, let value), .rawValue(_, let value),
      .payload(_, let value):
      "\(name).\(value.name)"
    case .added, .removed, .rawType, .conformances, .access, .coding, .reordered: name
    }
  }

  package var effect: ChangeEffect {
    switch aspect {
    // Rows contain the old value, which the migration must map to a new value.
    case .caseRemoved, .rawValue, .rawType, .payload, .coding: .needsFill
    case .conformances: isOtherForm ? .needsFill : .automatic
    // Attributes of added and removed types have separate changes.
    case .added, .removed, .access, .caseAdded, .caseRenamed, .reordered: .automatic
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
    case .caseRenamed(let old, _): "case '\(name).\(old.name)' renamed to '\(subject)'"
    case .rawValue(let old, let new):
      "case '\(subject)': "
        + Wording.change("raw value", from: old.rawValue?.text, to: new.rawValue?.text)
    case .payload(let old, let new):
      "case '\(subject)': "
        + Wording.change("associated values", from: old.payloadText, to: new.payloadText)
    case .coding(let old, let new): Wording.coding("enum '\(name)'", from: old, to: new)
    case .reordered: "enum '\(name)': case order changed"
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
  /// Returns true if both cases have the same string as raw value. Integers are ignored, because they may be equal as a
  /// result of implicit numbering.
  fileprivate func isStored(as other: Self) -> Bool {
    guard case .string(let text)? = rawValue else { return false }
    return other.rawValue == .string(text)
  }

  fileprivate var payloadText: String? {
    guard !payload.isEmpty else { return nil }
    let fields = payload.map { ($0.label.map { "\($0): " } ?? "") + $0.type.text }
    return "(\(fields.joined(separator: ", ")))"
  }
}
