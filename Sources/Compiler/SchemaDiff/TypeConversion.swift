import SchemaModel

/// What it takes to give a stored value another type.
enum TypeConversion {
  static func effect(
    from old: ValueType, to new: ValueType, hasDefault: Bool
  ) -> ChangeEffect {
    switch (old, new) {
    case (.optional(let old), .optional(let new)):
      return effect(from: old, to: new, hasDefault: hasDefault)
    case (_, .optional(let new)):
      return effect(from: old, to: new, hasDefault: hasDefault)
    case (.optional(let old), _):
      let inner = effect(from: old, to: new, hasDefault: hasDefault)
      return hasDefault ? inner : max(inner, .needsFill)
    default:
      return old == new || isLossless(from: old, to: new) ? .automatic : .needsFill
    }
  }

  /// Whether a type has some of the values of another one, and not all of them.
  static func isNarrower(_ new: ValueType, than old: ValueType) -> Bool {
    let (new, old) = (new.unwrapped, old.unwrapped)
    switch (old, new) {
    case (.scalar(.string), .enumeration), (.scalar(.character), .enumeration): return true
    case (.scalar(let scalar), .enumeration): return scalar.integer != nil
    default: return old != new && isLossless(from: new, to: old)
    }
  }

  private static func isLossless(from old: ValueType, to new: ValueType) -> Bool {
    switch (old, new) {
    case (.scalar(let old), .scalar(let new)): isLossless(from: old, to: new)
    // 0.1 as a float and as a double are two numbers with one text.
    case (.array(.scalar(.float)), .array(.scalar(.double))): false
    case (.array(let old), .array(let new)): old == new || isLossless(from: old, to: new)
    case (.set(let element), .array(let new)): element == new
    default: false
    }
  }

  /// Whether every value of the one type is a value of the other.
  private static func isLossless(from old: ScalarType, to new: ScalarType) -> Bool {
    if let (isSigned, bits) = old.integer {
      switch new {
      case .float: return bits <= (isSigned ? 25 : 24)
      case .double: return bits <= (isSigned ? 54 : 53)
      case .decimal: return true
      default:
        guard let (isWiderSigned, widerBits) = new.integer else { return false }
        return isSigned == isWiderSigned
          ? bits <= widerBits : isWiderSigned && bits < widerBits
      }
    }
    switch (old, new) {
    case (.float, .double), (.character, .string): return true
    default: return false
    }
  }
}
