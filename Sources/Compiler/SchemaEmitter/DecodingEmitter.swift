import SchemaModel
import SwiftSource

/// How a struct with defaults is decoded: a property that the stored text does not have, because it was
/// written before the struct had the property, gets its default. Swift's own decoding would fail.
struct DecodingEmitter {
  let type: ResolvedStruct
  let schema: SchemaPlan
  let access: Access
  private var runtime: RuntimeNames { schema.input.runtime }

  /// Nil where Swift's own does as well, and where the author has written one.
  var initializer: Function? {
    if case .code? = type.coding { return nil }
    // What the keys leave out has its default already.
    let fields = type.parameters.filter { type.coding.name(of: $0.name) != nil }
    guard fields.contains(where: { hasDefault($0) }) else { return nil }
    return Function(
      Heading(access), "init", ["from decoder: any \(runtime.decoder)"], suffix: " throws",
      body: ["let container = try decoder.container(keyedBy: CodingKeys.self)"]
        + fields.map(decode))
  }

  private func hasDefault(_ field: ResolvedStruct.Field) -> Bool {
    !field.type.isOptional && field.defaultValue != nil
  }

  private func decode(_ field: ResolvedStruct.Field) -> Code {
    let type = "\(schema.types.swift(field.type.unwrapped)).self" as Code
    let key = "forKey: .\(name: field.name)" as Code
    let target = "self.\(name: field.name) = try container" as Code
    if field.type.isOptional { return "\(target).decodeIfPresent(\(type), \(key))" }
    guard let value = field.defaultValue else { return "\(target).decode(\(type), \(key))" }
    let text = DefaultPlan.isPlain(value.text, field.type, schema.types) ? value.text : "(\(value.text))"
    return "\(target).decodeIfPresent(\(type), \(key)) ?? \(carried: text)"
  }
}
