import SchemaModel

/// Determines how declared types are stored in two versions.
struct TextForms {
  private let old: TextTypes
  private let new: TextTypes

  init(from old: ResolvedSchema, to new: ResolvedSchema) {
    self.old = TextTypes(old)
    self.new = TextTypes(new)
  }

  /// Returns true if both versions write the type as text.
  func isText(_ type: String) -> Bool { old.written.contains(type) && new.written.contains(type) }

  /// Returns true if either version stores the type's properties in separate columns.
  func isFlattened(_ type: String) -> Bool { old.flattened.contains(type) || new.flattened.contains(type) }

  func isKept(_ type: String) -> Bool { old.kept.contains(type) && new.kept.contains(type) }

  /// Returns true if added or removed conformances change the output of synthesized coding: a raw value instead of
  /// properties, or an object instead of a list of keys and values.
  func isOtherForm(_ type: String, _ before: [String], _ after: [String]) -> Bool {
    let changed = Set(before).symmetricDifference(after)
    if !changed.isDisjoint(with: ["RawRepresentable", "OptionSet"]), isKept(type) { return true }
    return changed.contains("CodingKeyRepresentable") && old.keys.contains(type) && new.keys.contains(type)
  }
}

extension ResolvedCoding? {
  var isCode: Bool { if case .code? = self { true } else { false } }
}

extension Wording {
  /// Describes a change to a type's custom coding.
  static func coding(_ what: String, from old: ResolvedCoding?, to new: ResolvedCoding?) -> String {
    switch (old.isCode, new.isCode) {
    case (false, true): "\(what) now uses custom coding"
    case (true, false): "\(what) no longer uses custom coding"
    default: "\(what): the custom coding changed"
    }
  }
}

extension SchemaChange {
  /// True if the change affects only a type's textual form.
  package var isOfText: Bool {
    switch self {
    case .enumeration(let change): if case .coding = change.aspect { true } else { false }
    case .structure(let change):
      switch change.aspect {
      case .coding, .fieldKey, .fieldDefault: true
      default: false
      }
    default: false
    }
  }
}
