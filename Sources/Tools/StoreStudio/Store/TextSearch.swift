import StoreTransfer
import Trellis

/// Rows of all entities that contain a text.
struct TextSearch: Encodable, Sendable {
  struct Result: Encodable, Sendable {
    var entity: String
    var key: String
    var label: String
    var property: String
    var text: String
  }

  var results: [Result] = []
  /// False if the search was stopped after two seconds, or if an entity has more results.
  var isComplete = true
}

extension StoreReader {
  /// The results that are shown for each property.
  private static let mostResults = 20

  func search(_ text: String) throws -> TextSearch {
    var search = TextSearch()
    guard !text.isEmpty else { return search }
    let end = ContinuousClock.now + .seconds(2)
    // The rows of subclasses are found in their superclass's columns, and in columns of their own.
    for entity in schema.entities {
      let inherited = entity.lineage.dropFirst().compactMap { schema.entity($0) }.flatMap(\.columns).map(\.sql)
      for column in entity.columns where !inherited.contains(column.sql) {
        guard let condition = contains(text, column) else { continue }
        let left = ContinuousClock.now.duration(to: end)
        let found =
          left > .zero
          ? try database.run(within: left) { try results(text, column, entity, where: condition) } : nil
        guard let found else {
          search.isComplete = false
          return search
        }
        if found.count > Self.mostResults { search.isComplete = false }
        search.results += found.prefix(Self.mostResults)
      }
    }
    return search
  }

  private func results(
    _ text: String, _ column: StudioSchema.Column, _ entity: StudioSchema.Entity, where condition: SQLFragment
  ) throws -> [TextSearch.Result] {
    let value: SQLFragment = "\(column: column.sql, of: Self.alias)"
    let part = column.isText ? database.excerpt(of: value, around: text) : value
    let excerpt: SQLFragment = "\(part) AS \(name: column.sql)"
    let rows = try database.rows(
      """
      SELECT \(database.selection("\(key(entity)), \(excerpt)", of: entity.layout)) FROM \(table(entity))
      WHERE \(membership(entity)) AND \(condition)
      ORDER BY 1 LIMIT \(number: Self.mostResults + 1)
      """)
    let keys = rows.compactMap { row in if case .integer(let key) = row[0] { key } else { nil } }
    let labels = try labels(entity, keys)
    return rows.compactMap { row in
      guard case .integer(let key) = row[0] else { return nil }
      let excerpt: String? = if case .text(let found) = row[1] { found } else { nil }
      return TextSearch.Result(
        entity: entity.name, key: "\(key)", label: labels[key] ?? "\(entity.name) \(key)", property: column.property,
        text: excerpt ?? text)
    }
  }
}
