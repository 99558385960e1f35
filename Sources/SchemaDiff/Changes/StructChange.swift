package import SchemaDiagnostics
package import SchemaModel

/// A change of a Codable struct or of one of its fields.
package struct StructChange: ChangeDetail {
  package enum Aspect: Sendable, Equatable {
    case added, removed
    case conformances(from: [String], to: [String])
    case access(from: AccessLevel?, to: AccessLevel?)
    case fieldAdded(ResolvedStruct.Field)
    case fieldRemoved(ResolvedStruct.Field)
    case fieldType(from: ResolvedStruct.Field, to: ResolvedStruct.Field)
    case fieldDefault(from: ResolvedStruct.Field, to: ResolvedStruct.Field)
    case fieldMutability(ResolvedStruct.Field)
    case reordered
  }

  package let name: String
  package let aspect: Aspect
  package var oldRange: SourceRange?
  package var newRange: SourceRange?

  static func changes(from old: [ResolvedStruct], to new: [ResolvedStruct]) -> [Self] {
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

  private static func aspects(from old: ResolvedStruct, to new: ResolvedStruct) -> [Aspect] {
    var aspects: [Aspect] = []
    if old.conformances != new.conformances {
      aspects.append(.conformances(from: old.conformances, to: new.conformances))
    }
    if old.access != new.access { aspects.append(.access(from: old.access, to: new.access)) }
    let pairing = Pairing(from: old.fields, to: new.fields, name: \.name)
    for pair in pairing.pairs {
      guard let before = pair.old else {
        aspects.append(.fieldAdded(pair.new))
        continue
      }
      if before.type != pair.new.type { aspects.append(.fieldType(from: before, to: pair.new)) }
      if !Wording.isSame(before.defaultValue, pair.new.defaultValue) {
        aspects.append(.fieldDefault(from: before, to: pair.new))
      }
      if before.isLet != pair.new.isLet { aspects.append(.fieldMutability(pair.new)) }
    }
    aspects += pairing.removed.map { .fieldRemoved($0) }
    if pairing.isReordered(from: old.fields, name: \.name) { aspects.append(.reordered) }
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
      case .reordered: "fields-reordered"
      }
    return "struct-\(what)"
  }

  package var subject: String {
    switch aspect {
    case .fieldAdded(let field), .fieldRemoved(let field), .fieldType(_, let field),
      .fieldDefault(_, let field), .fieldMutability(let field):
      "\(name).\(field.name)"
    case .added, .removed, .conformances, .access, .reordered: name
    }
  }

  package var effect: ChangeEffect {
    switch aspect {
    case .fieldAdded(let field): field.fillsItself ? .automatic : .needsFill
    case .fieldRemoved: .losesData
    case .fieldType(let old, let new):
      TypeConversion.effect(from: old.type, to: new.type, hasDefault: new.defaultValue != nil)
    // Attributes of a type that came or went have changes of their own.
    case .added, .removed, .conformances, .access, .fieldDefault, .fieldMutability, .reordered:
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
      "field '\(subject)': "
        + Wording.change(
          "default", from: Wording.line(old.defaultValue), to: Wording.line(new.defaultValue))
    case .fieldMutability(let field):
      "field '\(subject)' is declared with '\(field.isLet ? "let" : "var")' now"
    case .reordered: "struct '\(name)': the fields have another order"
    }
  }
}

extension ResolvedStruct.Field {
  fileprivate var fillsItself: Bool {
    if defaultValue != nil { return true }
    if case .optional = type { return true }
    return false
  }
}
