import SchemaDiagnostics
import SchemaSyntax

/// Checks storage options against the property type and against each other.
extension AttributeBuilder {
  func checkStorage(_ result: PropertyReader.Result) {
    let value = type.unwrapped
    if let placed = options.storage {
      let what = "'.\(placed.value.rawValue)'"
      if case .scalar = value {
        result.diagnostics.append(.notApplicable(placed, what, needs: "a Codable value"))
      } else if placed.value == .flattened, !isDeclaredStructure(value) {
        result.diagnostics.append(
          .notApplicable(placed, what, needs: "a struct declared in the schema"))
      } else if placed.value == .raw, !mayBeRaw(value) {
        result.diagnostics.append(.notApplicable(placed, what, needs: "a type with raw values"))
      }
      if options.has(.codable), placed.value != .json {
        result.diagnostics.append(.storageConflict(what, "'.codable'", placed.argument.range))
      }
      if options.transformer != nil {
        result.diagnostics.append(
          .storageConflict(what, "'.transformable'", placed.argument.range))
      }
    } else if let placed = options.placed(.codable), options.transformer != nil {
      result.diagnostics.append(.storageConflict("'.codable'", "'.transformable'", placed.range))
    }
    if let unique = options.placed(.unique), let ephemeral = options.placed(.ephemeral) {
      result.diagnostics.append(.conflict(".unique", ephemeral, unique.range))
    }
    if let unique = options.placed(.unique), let external = options.placed(.externalStorage),
      value == .scalar(.data)
    {
      result.diagnostics.append(.conflict(".unique", external, unique.range))
    }
    checkUnknown(value, result)
  }

  private func checkUnknown(_ value: ReferencedType, _ result: PropertyReader.Result) {
    guard let placed = options.unknown else { return }
    switch value {
    case .enumeration, .opaque, .structure: break
    default:
      return result.diagnostics.append(
        .notApplicable(placed, "'.unknown'", needs: "an enum or another Codable type"))
    }
    if attributes.isTransient || options.has(.ephemeral) || options.transformer != nil
      || options.storage?.value == .flattened
    {
      return result.diagnostics.append(
        .notApplicable(placed, "'.unknown'", needs: "values stored in a single column"))
    }
    let isOptional = if case .optional = type { true } else { false }
    if placed.value == .default, !isOptional, reader.binding.defaultValue == nil {
      result.diagnostics.append(.unknownNeedsDefault(placed, reader.name))
    }
  }

  private func isDeclaredStructure(_ type: ReferencedType) -> Bool {
    if case .structure = type { true } else { false }
  }

  /// Types not declared in the schema are accepted, because the Swift compiler checks them.
  private func mayBeRaw(_ type: ReferencedType) -> Bool {
    switch type {
    case .enumeration(let name), .structure(let name): reader.names.rawTypes.contains(name)
    case .opaque: true
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func storageConflict(
    _ one: String, _ other: String, _ range: SourceRange
  ) -> Self {
    Self(
      .conflictingOptions, at: range, "\(one) and \(other) cannot be combined",
      help: "a value is stored in a single form: remove one of them")
  }

  fileprivate static func unknownNeedsDefault(
    _ placed: Placed<UnknownPolicy>, _ name: String
  ) -> Self {
    Self(
      .optionNotApplicable, at: placed.range,
      "'.unknown(.default)' needs a default value, and '\(name)' has none",
      help: "give it a default value, or make it optional")
  }
}
