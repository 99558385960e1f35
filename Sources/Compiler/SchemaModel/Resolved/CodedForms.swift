import SchemaDiagnostics

/// In which form the attributes of a schema are written as text, where that is not what Swift makes of the
/// declared types by itself. A store notes it, and the runtime compares it with that of the program:
///
///     Money(amount=a currency)   the names `CodingKeys` give what is written
///     Angle#6f0c1d7be2a94f53     a digest over the code that reads and writes it
///     Code!                      a struct that is kept as its raw value
///     Side*                      a key of dictionaries that is a name there
package struct CodedForms: Sendable {
  private var codings: [String: String] = [:]
  private var raw: Set<String> = []
  private var named: Set<String> = []
  /// Nil where no type has its own form.
  private var types: TextTypes?

  package init(_ schema: ResolvedSchema) {
    for type in schema.enums {
      // The raw value of an enum is what Swift writes by itself.
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

  /// The forms of the types in an attribute; nil where Swift writes all of it by itself.
  package func text(of attribute: ResolvedAttribute) -> String? {
    guard let types, !attribute.isTransient, !attribute.options.contains(.ephemeral) else { return nil }
    let own = TextTypes(of: attribute, in: types)
    let entries = own.kept.union(own.keys).compactMap { name -> String? in
      let form = form(of: name, own)
      // A model may have got another name, and so the types inside of it.
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

  /// Any text may be a key.
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
