import Trellis

/// A textual description of the store's tables, for migration tests.
extension PostgresStore: ShapedStore {
  package var keepsNullCharacters: Bool { false }

  package func shape() throws -> [String] {
    typealias Key = PostgresMetadata.Key
    let metadata: SQLFragment = "to_regclass(\(value: .text(dialect.name(tables.metadata))))"
    var shape: [String] = []
    try pool.withConnection { connection in
      for query in Self.shapeQueries {
        let fragment: SQLFragment = """
          WITH m AS (SELECT relnamespace AS id FROM pg_catalog.pg_class WHERE oid = \(metadata))
          \(query)
          """
        shape += try connection.rows(fragment) { row in
          (0..<row.count).compactMap { row.string($0) }.joined(separator: " ")
        }
      }
      // The metadata that depends only on the version.
      let keys = [Key.format, Key.fingerprint, Key.version, Key.source, Key.tables, Key.columns]
      shape += try connection.rows(
        "SELECT \"key\" || ' = ' || \"value\" FROM \(name: tables.metadata) WHERE \"key\" IN (\(literals: keys))"
      ) { $0.string(0) }
    }
    return shape.sorted()
  }

  /// `m` is the database schema, whose name is omitted. Primary key names are omitted as well, because they keep the
  /// table's first name and no statement uses them.
  private static var shapeQueries: [SQLFragment] {
    [
      """
      SELECT 'column', c.relname || '.' || a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN 'not null' END, CASE WHEN l.collname <> 'default' THEN l.collname::text END,
      pg_catalog.pg_get_expr(d.adbin, d.adrelid)
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN m ON c.relnamespace = m.id
      LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
      LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      AND c.relname NOT LIKE 'trellis~_%' ESCAPE '~'
      WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
      """,
      """
      SELECT replace(pg_catalog.pg_get_indexdef(i.indexrelid), quote_ident(n.nspname) || '.', ''),
      CASE WHEN NOT i.indisvalid THEN 'invalid' END
      FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid JOIN m ON c.relnamespace = m.id
      JOIN pg_catalog.pg_namespace n ON n.oid = m.id
      WHERE NOT i.indisprimary
      """,
      """
      SELECT 'constraint', CASE k.contype WHEN 'p' THEN NULL ELSE k.conname::text END, 'of', c.relname::text,
      replace(pg_catalog.pg_get_constraintdef(k.oid), quote_ident(n.nspname) || '.', '')
      FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
      JOIN m ON c.relnamespace = m.id JOIN pg_catalog.pg_namespace n ON n.oid = m.id
      WHERE k.conname <> \(literal: InternalTables.generation)
      """,
      """
      SELECT 'sequence', c.relname::text, 'by ' || s.seqincrement, 'cache ' || s.seqcache
      FROM pg_catalog.pg_class c JOIN m ON c.relnamespace = m.id JOIN pg_catalog.pg_sequence s ON s.seqrelid = c.oid
      """,
    ]
  }
}
