import SchemaModel

/// Which declared types are kept in both of two versions, and so have values in another form.
struct TextForms {
  private let old: TextTypes
  private let new: TextTypes

  init(from old: ResolvedSchema, to new: ResolvedSchema) {
    self.old = TextTypes(old)
    self.new = TextTypes(new)
  }

  /// Whether the type itself is written as text, before and now.
  func isText(_ type: String) -> Bool { old.written.contains(type) && new.written.contains(type) }

  /// Whether its properties have columns somewhere, by their own names.
  func isFlattened(_ type: String) -> Bool { old.flattened.contains(type) || new.flattened.contains(type) }

  func isKept(_ type: String) -> Bool { old.kept.contains(type) && new.kept.contains(type) }

  /// Whether conformances that came or went change what Swift's own coding writes: a raw value in place
  /// of the properties, an object in place of a list of keys and values.
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
  /// What became of the code by which something is written.
  static func coding(_ what: String, from old: ResolvedCoding?, to new: ResolvedCoding?) -> String {
    switch (old.isCode, new.isCode) {
    case (false, true): "\(what) is read or written by code of its own now"
    case (true, false): "\(what) is no longer read or written by code of its own"
    default: "\(what): the code that reads or writes it changed"
    }
  }
}

extension SchemaChange {
  /// Whether it is about the text values of a type are kept as, and about nothing else.
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
