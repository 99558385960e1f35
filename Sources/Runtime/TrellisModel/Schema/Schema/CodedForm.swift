/// Describes how an attribute's text encodes declared types, where this differs from Swift's default. The schema
/// compiler lists the types by name, separated by semicolons.
///
///     Money(amount=a currency)   the properties and their names in the text
///     Angle#6f0c1d7be2a94f53     custom code, with its digest
///     Code!                      a raw value
///     Side*                      a name, for dictionary keys
package struct CodedForm {
  private var types: [Substring: Substring] = [:]

  package init(_ text: String?) {
    for entry in text?.split(separator: ";") ?? [] {
      let name = entry.prefix { !"(#!*".contains($0) }
      types[name, default: ""] += entry[name.endIndex...]
    }
  }

  /// Returns true if the type with this name has a custom form.
  package func contains(_ type: Substring) -> Bool { types[type] != nil }

  /// Returns the types for which values would be read differently than they were written, or would lose information.
  package static func changes(from old: String?, to new: String?) -> [String] {
    guard old != new else { return [] }
    let (old, new) = (CodedForm(old).types, CodedForm(new).types)
    return Set(old.keys).union(new.keys).filter { !isKept(old[$0], new[$0]) }.map(String.init).sorted()
  }

  /// Returns true if old values can still be read: added properties have default values, and a renamed property keeps
  /// the old name in the text.
  private static func isKept(_ old: Substring?, _ new: Substring?) -> Bool {
    if old == new { return true }
    guard let old = names(old), let new = names(new) else { return false }
    return old.allSatisfy { field, key in
      new[field].map { $0 == key } ?? new.values.contains(key)
    }
  }

  private static func names(_ form: Substring?) -> [Substring: Substring]? {
    guard let form, form.first == "(", form.last == ")" else { return nil }
    let fields = form.dropFirst().dropLast()
    // The form is ambiguous, because two types have the same name.
    guard !fields.contains("(") else { return nil }
    var names: [Substring: Substring] = [:]
    for field in fields.split(separator: " ") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      names[parts[0]] = parts.last
    }
    return names
  }
}

extension Schema {
  /// The attributes' raw types and the structs' properties, which are not part of the fingerprint. A store records this
  /// string and compares it with the schema when the store is opened.
  package var valueTypes: String {
    let lines = entities.flatMap { entity in
      entity.storedProperties.compactMap(\.asAttribute).flatMap { $0.valueTypes("\(entity.name).\($0.name)") }
    }
    return lines.sorted().joined(separator: "\n")
  }

  /// Returns true if both strings describe the same types. A type that a tool does not know is equal to any type.
  package static func haveSameValueTypes(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    func types(_ text: String) -> [Substring: Substring] {
      var types: [Substring: Substring] = [:]
      for line in text.split(separator: "\n") {
        guard let end = line.firstIndex(of: "=") else { continue }
        types[line[..<end]] = line[line.index(after: end)...]
      }
      return types
    }
    let (one, other) = (types(one), types(other))
    return Set(one.keys).union(other.keys).allSatisfy {
      one[$0] == other[$0] || [one[$0], other[$0]].contains(Substring(Attribute.unknownRawType))
    }
  }
}

extension Schema.Attribute {
  /// The raw type for a type that a tool identifies only by name.
  package static let unknownRawType = "?"

  fileprivate func valueTypes(_ title: String, isPart: Bool = false) -> [String] {
    let names = (rawType ?? (isPart ? type.unqualified : nil)).map { ["\(title)=\($0)"] } ?? []
    let own = names + (jsonFields.map { ["\(title)()=\($0)"] } ?? [])
    guard !isTransient, let parts = (self as? Schema.CompositeAttribute)?.properties else { return own }
    return own + parts.flatMap { $0.valueTypes("\(title).\($0.name)", isPart: true) }
  }
}
