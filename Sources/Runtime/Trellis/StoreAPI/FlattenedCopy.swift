/// Flattened structs on their way to another version: property by property, as columns are taken over. By
/// their text they would be read with the names and the code of the new version.
enum FlattenedCopy {
  /// Nil where one of the types has no columns, or properties of one name are of other types.
  static func value<T>(_ value: Any, as type: T.Type) throws -> T? {
    let wanted: Any.Type = (type as? any OptionalValue.Type)?.wrappedType ?? type
    guard let old = value as? any FlattenedValue, let new = wanted as? any FlattenedValue.Type else {
      return nil
    }
    return try copy(old, new) as? T
  }

  private static func copy<Old: FlattenedValue, New: FlattenedValue>(
    _ old: Old, _: New.Type
  ) throws -> New? {
    let (before, after) = (Old._$members, New._$members)
    // The columns of the new struct come first, behind them those that it does not have.
    var count = Int32(after.count)
    var parameters: [Int32] = []
    for member in before {
      if let place = after.firstIndex(where: { $0.name == member.name }) {
        guard name(after[place]) == name(member) else { return nil }
        parameters.append(Int32(place) + 1)
      } else {
        count += 1
        parameters.append(count)
      }
    }
    let connection = try Connection(":memory:", .creating)
    let columns = (1...max(count, 1)).map { "?\(number: Int($0))" as SQLFragment }
    let statement = try Statement(
      ("SELECT \(columns.joined(separator: ", "))" as SQLFragment).text, on: connection.handle, isKept: false)
    var binder = StatementBinder(statement, arena: connection.arena)
    try old._$bind(to: &binder, parameters)
    for (place, member) in after.enumerated() where !before.contains(where: { $0.name == member.name }) {
      try member.preset?.bind(to: &binder, Int32(place) + 1)
    }
    guard try statement.step() else { return nil }
    var row = StatementRow(statement: statement.handle, shape: .none)
    let value = try New(_$row: &row, after.indices.map { Int32($0) })
    try row.check()
    return value
  }

  private static func name(_ member: FlattenedMember) -> String { ValueTypeName(member.type).unqualified }
}
