package import SchemaDiagnostics
package import SchemaModel

/// A change to an attribute.
package struct AttributeChange: ChangeDetail {
  package enum Aspect: Sendable, Equatable {
    case added, removed, renamed
    case type, defaultValue
    case becameTransient, becameStored
    case optionAdded(AttributeOption)
    case optionRemoved(AttributeOption)
    case transformer, storage, unknown, hashModifier, originalName
    case access, setterAccess, mutability
  }

  /// The model's newest name.
  package let entity: String
  package let aspect: Aspect
  package var old: ResolvedAttribute?
  package var new: ResolvedAttribute?

  static func changes(
    from old: ResolvedAttribute, to new: ResolvedAttribute, in entity: String
  ) -> [Self] {
    var aspects: [Aspect] = []
    if old.name != new.name {
      aspects.append(.renamed)
    } else if old.originalName != new.originalName {
      aspects.append(.originalName)
    }
    if old.isTransient != new.isTransient {
      aspects.append(new.isTransient ? .becameTransient : .becameStored)
    }
    if old.type != new.type { aspects.append(.type) }
    if !Wording.isSame(old.defaultValue, new.defaultValue) { aspects.append(.defaultValue) }
    // Uniqueness is compared with the model's other constraints.
    for option in AttributeOption.allCases where option != .unique {
      switch (old.options.contains(option), new.options.contains(option)) {
      case (false, true): aspects.append(.optionAdded(option))
      case (true, false): aspects.append(.optionRemoved(option))
      case (true, true), (false, false): break
      }
    }
    if old.transformer != new.transformer { aspects.append(.transformer) }
    if old.storage != new.storage { aspects.append(.storage) }
    if old.unknown != new.unknown { aspects.append(.unknown) }
    if old.hashModifier != new.hashModifier { aspects.append(.hashModifier) }
    if old.access != new.access { aspects.append(.access) }
    if old.setterAccess != new.setterAccess { aspects.append(.setterAccess) }
    if old.isLet != new.isLet { aspects.append(.mutability) }
    return aspects.map { Self(entity: entity, aspect: $0, old: old, new: new) }
  }

  package var kind: String {
    let what =
      switch aspect {
      case .added: "added"
      case .removed: "removed"
      case .renamed: "renamed"
      case .type: "type-changed"
      case .defaultValue: "default-changed"
      case .becameTransient: "became-transient"
      case .becameStored: "became-stored"
      case .optionAdded: "option-added"
      case .optionRemoved: "option-removed"
      case .transformer: "transformer-changed"
      case .storage: "storage-changed"
      case .unknown: "unknown-values-changed"
      case .hashModifier: "hash-modifier-changed"
      case .originalName: "original-name-changed"
      case .access: "access-changed"
      case .setterAccess: "setter-access-changed"
      case .mutability: "mutability-changed"
      }
    return "attribute-\(what)"
  }

  package var subject: String { "\(entity).\(new?.name ?? old?.name ?? "")" }

  package var effect: ChangeEffect {
    switch aspect {
    case .added, .becameStored: new?.fillsItself ?? true ? .automatic : .needsFill
    case .removed: old?.isTransient ?? false ? .automatic : .losesData
    case .becameTransient: .losesData
    case .type:
      if let old, let new, !old.isTransient, !new.isTransient {
        TypeConversion.effect(
          from: old.type, to: new.type, hasDefault: new.defaultValue != nil)
      } else {
        .automatic
      }
    // An ephemeral value is not stored.
    case .optionAdded(.ephemeral): .losesData
    case .optionRemoved(.ephemeral): new?.fillsItself ?? true ? .automatic : .needsFill
    case .transformer: .needsFill
    case .storage, .optionAdded(.codable), .optionRemoved(.codable), .optionRemoved(.externalStorage):
      StoredForm.isReadable(old, as: new) ? .automatic : .needsFill
    case .renamed, .defaultValue, .optionAdded, .optionRemoved, .unknown, .hashModifier, .originalName, .access,
      .setterAccess, .mutability:
      .automatic
    }
  }

  package var text: String {
    let title = "attribute '\(subject)'"
    switch aspect {
    case .added:
      return "\(title) added" + (new.map { " with type '\($0.type.text)'" } ?? "")
    case .removed:
      return "\(title) removed" + (old.map { ", its type was '\($0.type.text)'" } ?? "")
    case .renamed: return "attribute '\(entity).\(old?.name ?? "")' renamed to '\(new?.name ?? "")'"
    case .type: return "\(title): " + change("type", \.type.text)
    case .defaultValue:
      return "\(title): "
        + Wording.change(
          "default", from: Wording.line(old?.defaultValue), to: Wording.line(new?.defaultValue))
    case .becameTransient: return "\(title) is no longer stored"
    case .becameStored: return "\(title) was transient and is now stored"
    case .optionAdded(let option): return "\(title): option '.\(option.rawValue)' added"
    case .optionRemoved(let option): return "\(title): option '.\(option.rawValue)' removed"
    case .transformer: return "\(title): " + change("transformer", \.transformer)
    case .storage: return "\(title): " + change("storage", \.storage?.rawValue)
    case .unknown: return "\(title): " + change("replacement for unknown values", \.unknown?.rawValue)
    case .hashModifier: return "\(title): " + change("hash modifier", \.hashModifier)
    case .originalName: return "\(title): " + change("original name", \.originalName)
    case .access: return "\(title): " + change("access", \.access?.rawValue)
    case .setterAccess:
      return "\(title): " + change("setter access", \.setterAccess?.rawValue)
    case .mutability:
      return "\(title) is now declared with '\(new?.isLet ?? false ? "let" : "var")'"
    }
  }

  private func change(_ what: String, _ value: (ResolvedAttribute) -> String?) -> String {
    Wording.change(what, from: old.flatMap(value), to: new.flatMap(value))
  }

  package var oldRange: SourceRange? { old?.range }
  package var newRange: SourceRange? { new?.range }
}

extension ResolvedAttribute {
  /// True if existing rows can get a value automatically.
  package var fillsItself: Bool {
    if isTransient || defaultValue != nil { return true }
    if case .optional = type { return true }
    return false
  }
}
