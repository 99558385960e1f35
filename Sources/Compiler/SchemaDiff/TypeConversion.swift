import SchemaModel

/// Determines the effect of changing a stored value's type.
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

  /// Returns true if the new type holds only part of the old type's values.
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
    case (.scalar(let old), .scalar(let new)): old.fits(into: new)
    case (.array(.scalar(let old)), .array(.scalar(let new))): old.fitsInJSON(into: new)
    case (.array(let old), .array(let new)): old == new || isLossless(from: old, to: new)
    case (.set(let element), .array(let new)): element == new
    default: false
    }
  }
}
