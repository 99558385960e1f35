/// Structs with a column for each field.
extension ColumnMoves {
  mutating func addMembers(
    of column: ColumnLayout, _ before: ColumnLayout, _ new: EntityLayout, _ old: EntityLayout,
    _ isFilled: Bool, _ stored: (any ColumnValue) throws -> SQLValue
  ) throws {
    let former = zip(before.property.flattenedMembers, before.members)
    let presence = before.members.first?.name == before.name ? nil : before.name
    if column.members.first?.name != column.name {
      let value: ColumnOrigin.Value = presence.map { .column($0) } ?? .literal("1")
      parts[column.name, default: []].append((new, old, value))
    } else if let presence, !isFilled {
      check(
        "\(name: presence) IS NULL", "has no default value, and there are rows without a value",
        column, new, old)
    }
    for (part, place) in zip(column.property.flattenedMembers, column.members) {
      guard let (was, layout) = former.first(where: { $0.0.name == part.name }) else {
        var value = ColumnOrigin.Value.null
        if let preset = try literal(for: place.name, new, stored) {
          value = presence.map {
            .expression("CASE WHEN \(name: $0) IS NOT NULL THEN \(preset) END")
          } ?? .literal(preset)
        } else if !place.type.isOptional, !isFilled {
          note(
            "is new, required and has no default value", new, "\(column.property.name).\(part.name)",
            place.name)
        }
        parts[place.name, default: []].append((new, old, value))
        continue
      }
      var value = ColumnOrigin.Value.column(layout.name)
      switch ValueConversion.from(was.type, to: part.type) {
      case .same: break
      case .expression(let make): value = .expression(make("\(name: layout.name)"))
      case .checked(let make, let isInexact):
        value = .expression(make("\(name: layout.name)"))
        if !isFilled {
          check(
            isInexact("\(name: layout.name)"), "has values that its new type cannot hold exactly", column,
            new, old, isAboutMissing: false)
        }
      case .none:
        add(.null, as: column, new, old, gap: "has another type", isFilled, name: place.name)
        continue
      }
      if layout.type.isOptional, !place.type.isOptional {
        // A struct that is nil has no values at all.
        let isThere: SQLFragment = presence.map { "\(name: $0) IS NOT NULL" } ?? "1"
        if let preset = try literal(for: place.name, new, stored) {
          value = .expression("CASE WHEN \(isThere) THEN COALESCE(\(value.sql), \(preset)) END")
        } else if !isFilled {
          check(
            "\(name: layout.name) IS NULL AND \(isThere)",
            "has no default value, and there are rows without a value", column, new, old)
        }
      }
      parts[place.name, default: []].append((new, old, value))
    }
  }
}
