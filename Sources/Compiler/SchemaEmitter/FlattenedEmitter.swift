import SchemaModel
import SwiftSource

/// Emits the members that let a struct store each property in a separate column.
struct FlattenedEmitter {
  let type: ResolvedStruct
  let schema: SchemaPlan
  let access: Access
  private var runtime: RuntimeNames { schema.input.runtime }

  var declarations: [Declaration] {
    [
      .property(
        Property(
          Heading(access, [.static]), "_$members", type: "[\(runtime.flattenedMember)]",
          accessors: [.get(["[\n  \(lines: members)\n]"])])),
      .function(
        Function(
          Heading(access), "init",
          ["_$row row: inout \(runtime.statementRow)", "_ columns: [\(runtime.int32)]"],
          suffix: " throws", body: [Code(call: "self.init", arguments)])),
      .function(
        Function(
          Heading(access), "func _$bind",
          ["to row: inout \(runtime.statementBinder)", "_ parameters: [\(runtime.int32)]"],
          suffix: " throws",
          body: type.parameters.enumerated().map { index, field in
            // A property may have the same name as a parameter.
            ["row", "parameters"].contains(field.name)
              ? "try self.\(name: field.name).bind(to: &row, parameters[\(index)])"
              : "try \(name: field.name).bind(to: &row, parameters[\(index)])"
          })),
    ]
  }

  private var own: TypeRef { schema.types.own(type.name) }

  private var members: [Code] {
    type.parameters.map { field in
      var arguments: [Code] = [
        "\(literal: field.name)", "\\\(own).\(name: field.name)",
        "\\(\(own)?).?.\(name: field.name)",
      ]
      if let value = field.defaultValue, value.text != "nil" {
        let plan = DefaultPlan(value, of: field.name, field.type, in: own, types: schema.types)
        // A default value that is not plain may have no static function to call.
        if plan.owner == nil { arguments.append("default: \(plan.typedValue)") }
      }
      return "\(runtime.flattenedMember)(\(list: arguments)),"
    }
  }

  private var arguments: [Code] {
    type.parameters.enumerated().map { index, field in
      "\(label: field.name): try .read(&row, columns[\(index)])"
    }
  }
}
