import SchemaDiagnostics

/// The JSON forms of a schema's attributes, where they differ from Swift's synthesized coding.
///
/// A store records these forms, and the runtime compares them with the app's:
///
///     Money(amount=a currency)   the names from `CodingKeys`
///     Angle#6f0c1d7be2a94f53     a digest of custom coding code
///     Code!                      a struct stored as a raw value
///     Side*                      a type written as a name in dictionary keys
package struct CodedForms: Sendable {
  private var codings: [String: String] = [:]
  private var raw: Set<String> = []
  private var named: Set<String> = []
  /// `nil` if no type has a custom form.
  private var types: TextTypes?

  package init(_ schema: ResolvedSchema) {
    for type in schema.enums {
      // Swift already writes enums as raw values.
      add(type.name, type.coding, type.conformances, isRaw: type.rawType == nil)
    }
    for type in schema.structs { add(type.name, type.coding, type.conformances, isRaw: true) }
    guard !codings.isEmpty || !raw.isEmpty || !named.isEmpty else { return }
    types = TextTypes(schema, where: { _ in false })
  }

  private mutating func add(
    _ name: String, _ coding: ResolvedCoding?, _ conformances: [String], isRaw: Bool
  ) {
    codings[name] = coding?.form
    let isKeptRaw = conformances.contains("RawRepresentable") || conformances.contains("OptionSet")
    if isRaw, isKeptRaw { raw.insert(name) }
    if conformances.contains("CodingKeyRepresentable") { named.insert(name) }
  }

  /// Returns the custom forms of an attribute's types, or `nil` if Swift's own code writes all of them.
  package func text(of attribute: ResolvedAttribute) -> String? {
    guard let types, !attribute.isTransient, !attribute.options.contains(.ephemeral) else { return nil }
    let own = TextTypes(of: attribute, in: types)
    let entries = own.kept.union(own.keys).compactMap { name -> String? in
      let form = form(of: name, own)
      // If the model was renamed, so were the types inside it, so the model's name is omitted.
      return form.isEmpty ? nil : String(name.parts(separatedBy: ".").last ?? "") + form
    }
    return entries.isEmpty ? nil : entries.ordered().joined(separator: ";")
  }

  private func form(of name: String, _ types: TextTypes) -> String {
    var form = types.keys.contains(name) && named.contains(name) ? "*" : ""
    if types.kept.contains(name), raw.contains(name) { form += "!" }
    if types.written.contains(name) { form += codings[name] ?? "" }
    return form
  }
}

extension ResolvedCoding {
  fileprivate var form: String {
    switch self {
    case .names(let names):
      let fields = names.ordered { $0.key < $1.key }.map { field, key in
        field == key ? field : "\(field)=\(Self.escaped(key))"
      }
      return "(\(fields.joined(separator: " ")))"
    case .code(let digest, _): return "#\(digest.prefix(16))"
    }
  }

  /// Escapes a key, which may contain any text.
  static func escaped(_ key: String) -> String {
    var text = ""
    for scalar in key.unicodeScalars {
      if scalar.value <= 0x20 || "%()=;".unicodeScalars.contains(scalar) {
        text += "%\(String(scalar.value, radix: 16))."
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
