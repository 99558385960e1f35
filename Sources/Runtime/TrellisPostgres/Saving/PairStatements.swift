import Trellis

/// The statements for the pairs of a relationship, from the side of one of its ends. Parameter 1 is a list of keys.
struct PairStatements {
  let table: String
  let owner: String
  let member: String
  let position: String?

  /// - Parameter members: all members, for their positions; the list of keys is that of the new ones.
  func insertion(of key: Int64, _ members: [Int64], _ added: [Int64]) -> SQLFragment {
    let columns: SQLFragment = "\(name: owner), \(name: member)"
    guard let position else {
      return """
        INSERT INTO \(name: table) (\(columns)) SELECT \(value: .integer(key))::bigint, m.key
        FROM unnest(?2::bigint[]) AS m(key) ON CONFLICT DO NOTHING
        """
    }
    return """
      INSERT INTO \(name: table) (\(columns), \(name: position))
      SELECT \(value: .integer(key))::bigint, m.key, m.place - 1
      FROM unnest(\(value: .list(members.map { .integer($0) }))::bigint[]) WITH ORDINALITY AS m(key, place)
      WHERE m.key = ANY (?3::bigint[])
      ON CONFLICT (\(columns)) DO UPDATE SET \(name: position) = excluded.\(name: position)
      """
  }

  /// Gives the members that are there already their positions; nil for a list without an order.
  func moves(of key: Int64) -> SQLFragment? {
    guard let position else { return nil }
    return """
      UPDATE \(name: table) SET \(name: position) = m.place - 1
      FROM unnest(?2::bigint[]) WITH ORDINALITY AS m(key, place)
      WHERE \(name: owner) = \(value: .integer(key)) AND \(name: member) = m.key
      AND \(name: position) IS DISTINCT FROM m.place - 1
      """
  }

  func removal(of key: Int64) -> SQLFragment {
    "DELETE FROM \(name: table) WHERE \(name: owner) = \(value: .integer(key)) AND \(name: member) = ANY (?2)"
  }

  func removalOfOthers(than key: Int64) -> SQLFragment {
    "DELETE FROM \(name: table) WHERE \(name: owner) = \(value: .integer(key)) AND \(name: member) <> ALL (?2)"
  }
}
