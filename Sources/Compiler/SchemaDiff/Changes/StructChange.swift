package import SchemaDiagnostics
package import SchemaModel

/// A change to a `Codable` struct or a field.
package struct StructChange: ChangeDetail {
  package enum Aspect: Sendable {
    case added, removed
    case conformances(from: [String], to: [String])
    case access(from: AccessLevel?, to: AccessLevel?)
    case fieldAdded(ResolvedStruct.Field)
    case fieldRemoved(ResolvedStruct.Field)
    case fieldType(from: ResolvedStruct.Field, to: ResolvedStruct.Field)
    case fieldDefault(from: ResolvedStruct.Field, to: ResolvedStruct.Field)
    case fieldMutability(ResolvedStruct.Field)
    /// The stored text uses the old field's key.
    case fieldRenamed(from: ResolvedStruct.Field, to: ResolvedStruct.Field)
    /// The key in the stored text; `nil` if the field is not written.
    case fieldKey(from: String?, to: String?, ResolvedStruct.Field)
    /// The custom coding changed.
    case coding(from: ResolvedCoding?, to: ResolvedCoding?)
    case reordered(ofColumns: Bool)
  }

  package let name: String
  package let aspect: Aspect
  package var oldRange: SourceRange?
  package var newRange: SourceRange?
  /// True if the changed conformances alter the stored text.
  private var isOtherForm = false
  /// True if the field is stored.
  private var isStored = true
  /// True if decoding uses the default when a field is missing from the text.
  private var fillsDefaults = true
  /// True if every version that may have written a row includes a value for the field.
  private var isInEveryRow = false

  private init(name: String, aspect: Aspect, oldRange: SourceRange? = nil, newRange: SourceRange? = nil) {
    self.name = name
    self.aspect = aspect
    self.oldRange = oldRange
    self.newRange = newRange
  }

  static func changes(
    from old: ResolvedSchema, to new: ResolvedSchema, _ texts: TextForms, _ earlier: [ResolvedSchema]?
  ) -> [Self] {
    let pairing = Pairing(from: old.structs, to: new.structs, name: \.name)
    return pairing.pairs.flatMap { pair -> [Self] in
      guard let old = pair.old else {
        return [Self(name: pair.new.name, aspect: .added, newRange: pair.new.range)]
      }
      return aspects(from: old, to: pair.new, texts).map { aspect in
        var change = Self(name: pair.new.name, aspect: aspect, oldRange: old.range, newRange: pair.new.range)
        change.read(aspect, from: old, to: pair.new, texts, earlier)
        return change
      }
    } + pairing.removed.map { Self(name: $0.name, aspect: .removed, oldRange: $0.range) }
  }

  private mutating func read(
    _ aspect: Aspect, from old: ResolvedStruct, to new: ResolvedStruct, _ texts: TextForms,
    _ earlier: [ResolvedSchema]?
  ) {
    let isText = texts.isText(name)
    fillsDefaults = !isText || new.coding.fillsDefaults
    switch aspect {
    case .conformances(let before, let after): isOtherForm = texts.isOtherForm(name, before, after)
    // A column's default only matters when the column is added, which fills all rows.
    case .fieldDefault(let before, let field):
      isStored = isText && new.coding.name(of: field.name) != nil
      let key = old.coding.name(of: before.name)
      isInEveryRow = earlier?.allSatisfy { $0.writes(key, of: name) } ?? false
    // A field that `CodingKeys` omits is stored only if it has a column.
    case _ where !isText || texts.isFlattened(name): return
    case .fieldAdded(let field): isStored = new.coding.name(of: field.name) != nil
    case .fieldRemoved(let field): isStored = old.coding.name(of: field.name) != nil
    case .fieldType(let before, let after):
      isStored = old.coding.name(of: before.name) != nil || new.coding.name(of: after.name) != nil
    default: return
    }
  }

  private static func aspects(
    from old: ResolvedStruct, to new: ResolvedStruct, _ texts: TextForms
  ) -> [Aspect] {
    var aspects: [Aspect] = []
    let isText = texts.isText(old.name)
    let isNamed = isText && !old.coding.isCode && !new.coding.isCode
    if isText, !isNamed, old.coding != new.coding {
      aspects.append(.coding(from: old.coding, to: new.coding))
    }
    if old.conformances != new.conformances {
      aspects.append(.conformances(from: old.conformances, to: new.conformances))
    }
    if old.access != new.access { aspects.append(.access(from: old.access, to: new.access)) }
    let pairing = Pairing(from: old.fields, to: new.fields, name: \.name)
    var renamed: Set<String> = []
    for pair in pairing.pairs {
      let key = new.coding.name(of: pair.new.name)
      let same = pairing.removed.first { key != nil && old.coding.name(of: $0.name) == key }
      guard let before = pair.old ?? (isNamed && !texts.isFlattened(old.name) ? same : nil) else {
        aspects.append(.fieldAdded(pair.new))
        continue
      }
      if before.name != pair.new.name {
        renamed.insert(before.name)
        aspects.append(.fieldRenamed(from: before, to: pair.new))
      }
      let formerKey = old.coding.name(of: before.name)
      if isNamed, key != formerKey { aspects.append(.fieldKey(from: formerKey, to: key, pair.new)) }
      if before.type != pair.new.type { aspects.append(.fieldType(from: before, to: pair.new)) }
      let isMissedOtherwise = isText && before.whenMissing != nil && pair.new.type.isOptional
      if isMissedOtherwise || !Wording.isSame(before.defaultValue, pair.new.defaultValue) {
        aspects.append(.fieldDefault(from: before, to: pair.new))
      }
      if before.isLet != pair.new.isLet { aspects.append(.fieldMutability(pair.new)) }
    }
    aspects += pairing.removed.filter { !renamed.contains($0.name) }.map { .fieldRemoved($0) }
    if pairing.isReordered(from: old.fields, name: \.name) {
      aspects.append(.reordered(ofColumns: texts.isFlattened(old.name)))
    }
    return aspects
  }

  package var kind: String {
    let what =
      switch aspect {
      case .added: "added"
      case .removed: "removed"
      case .conformances: "conformances-changed"
      case .access: "access-changed"
      case .fieldAdded: "field-added"
      case .fieldRemoved: "field-removed"
      case .fieldType: "field-type-changed"
      case .fieldDefault: "field-default-changed"
      case .fieldMutability: "field-mutability-changed"
      case .fieldRenamed: "field-renamed"
      case .fieldKey: "field-key-changed"
      case .coding: "coding-changed"
      case .reordered: "fields-reordered"
      }
    return "struct-\(what)"
  }

  package var subject: String {
    switch aspect {
    case .fieldAdded(let field), .fieldRemoved(let field), .fieldType(_, let field),
      .fieldDefault(_, let field), .fieldMutability(let field), .fieldRenamed(_, let field),
      .fieldKey(_, _, let field):
      "\(name).\(field.name)"
    case .added, .removed, .conformances, .access, .coding, .reordered: name
    }
  }

  package var effect: ChangeEffect {
    switch aspect {
    case .fieldAdded(let field), .fieldKey(nil, _, let field):
      !isStored || field.fillsItself(withDefault: fillsDefaults) ? .automatic : .needsFill
    case .fieldKey(_, nil, _): .losesData
    case .fieldKey, .coding: .needsFill
    case .fieldRemoved: isStored ? .losesData : .automatic
    case .conformances: isOtherForm ? .needsFill : .automatic
    // Rows that are older than the field contain no value and are read with the field's default.
    case .fieldDefault(let old, let new):
      isStored && !isInEveryRow && old.whenMissing != nil && !Wording.isSame(old.whenMissing, new.whenMissing)
        ? .needsFill : .automatic
    case .fieldType where !isStored: .automatic
    case .fieldType(let old, let new):
      TypeConversion.effect(from: old.type, to: new.type, hasDefault: new.defaultValue != nil)
    // Attributes of added and removed types have separate changes.
    case .added, .removed, .access, .fieldMutability, .fieldRenamed, .reordered:
      .automatic
    }
  }

  package var text: String {
    switch aspect {
    case .added: "struct '\(name)' added"
    case .removed: "struct '\(name)' removed"
    case .conformances(let old, let new):
      "struct '\(name)': conformances changed from \(Wording.list(old)) to \(Wording.list(new))"
    case .access(let old, let new):
      "struct '\(name)': " + Wording.change("access", from: old?.rawValue, to: new?.rawValue)
    case .fieldAdded(let field): "field '\(subject)' added with type '\(field.type.text)'"
    case .fieldRemoved(let field): "field '\(subject)' removed, its type was '\(field.type.text)'"
    case .fieldType(let old, let new):
      "field '\(subject)': " + Wording.change("type", from: old.type.text, to: new.type.text)
    case .fieldDefault(let old, let new):
      if effect == .automatic || !new.type.isOptional {
        "field '\(subject)': "
          + Wording.change("default", from: Wording.line(old.defaultValue), to: Wording.line(new.defaultValue))
          + (effect == .automatic ? "" : ", and rows written before the field was added \(new.missed)")
      } else {
        "field '\(subject)' is now optional, and rows written before the field was added are read as nil instead of "
          + "\(Wording.quoted(Wording.line(old.defaultValue)))"
      }
    case .fieldMutability(let field):
      "field '\(subject)' is now declared with '\(field.isLet ? "let" : "var")'"
    case .fieldRenamed(let old, _): "field '\(name).\(old.name)' renamed to '\(subject)'"
    case .fieldKey(let old?, let new?, _):
      "field '\(subject)': " + Wording.change("stored name", from: old, to: new)
    case .fieldKey(nil, _, _): "field '\(subject)' is now stored"
    case .fieldKey(_, nil, _): "field '\(subject)' is no longer stored: 'CodingKeys' omits it"
    case .coding(let old, let new): Wording.coding("struct '\(name)'", from: old, to: new)
    case .reordered: "struct '\(name)': field order changed"
    }
  }
}

extension ResolvedStruct.Field {
  fileprivate func fillsItself(withDefault: Bool) -> Bool {
    defaultValue != nil && withDefault || type.isOptional
  }

  /// The default to use if the text lacks the field; `nil` if the field is optional or has no default.
  fileprivate var whenMissing: SwiftText? { type.isOptional ? nil : defaultValue }

  fileprivate var missed: String {
    defaultValue == nil ? "lack a value" : "are read with the new default"
  }
}

extension ValueType {
  fileprivate var isOptional: Bool { if case .optional = self { true } else { false } }
}

extension ResolvedSchema {
  /// Returns true if the struct's text always includes a value for the key, or if the struct does not exist.
  fileprivate func writes(_ key: String?, of type: String) -> Bool {
    guard let type = structs.first(where: { $0.name == type }) else { return true }
    return type.fields.contains { type.coding.name(of: $0.name) == key && !$0.type.isOptional }
  }
}
