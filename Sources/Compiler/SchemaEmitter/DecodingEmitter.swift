import SchemaModel
import SwiftSource

/// Emits the decoding initializer of a struct with default values. If stored text is older than a property and does not
/// contain it, the initializer assigns the default; synthesized decoding would fail.
struct DecodingEmitter {
  let type: ResolvedStruct
  let schema: SchemaPlan
  let access: Access
  private var runtime: RuntimeNames { schema.input.runtime }

  /// The initializer; `nil` if synthesized decoding is sufficient or the schema contains custom decoding.
  var initializer: Function? {
    if case .code? = type.coding { return nil }
    // Properties that `CodingKeys` omits already have their default values.
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
