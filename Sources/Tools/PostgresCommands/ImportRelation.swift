import StoreTransfer
import Trellis

/// A table or similar object in the server's catalogue.
struct ImportRelation {
  var number: Int64
  var schema: String
  var name: String
  /// `r` table, `p` partitioned table, `v` view, `m` materialized view, `f` foreign table, `S` sequence.
  var kind: String
  var isReadable: Bool
  /// True if policies apply to the user.
  var isFiltered: Bool
  /// The extension that the object belongs to; empty if there is none.
  var owner: String
  /// The parent tables.
  var parents: String?
  var isWide: Bool
  var hasColumns: Bool
  /// The name in the import.
  var title: String
  /// The imported column names by number.
  var columns: [Int64: String] = [:]
  /// The identity columns.
  var numbered: [String] = []

  /// True for a table with rows to import.
  var isTable: Bool {
    (kind == "r" || kind == "p") && owner.isEmpty && hasColumns && SQLiteReader.bookkeeping(name) == nil
  }

  /// The order in which names are assigned.
  var rank: (Int, Int64) { (schema == "public" ? 0 : 1, number) }

  static func all(_ connection: ImportConnection, _ condition: SQLFragment) throws -> [ImportRelation] {
    let rows = try connection.rows(
      """
      SELECT c.oid::bigint, n.nspname::text, c.relname::text, c.relkind::text,
      has_schema_privilege(n.oid, 'USAGE') AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid
      AND a.attnum > 0 AND NOT a.attisdropped AND NOT has_column_privilege(c.oid, a.attnum, 'SELECT')),
      c.relkind IN ('r', 'p') AND row_security_active(c.oid), coalesce(e.extname::text, ''),
      (SELECT string_agg(p.inhparent::regclass::text, ', ' ORDER BY p.inhseqno) FROM pg_inherits p
      WHERE p.inhrelid = c.oid), c.relkind = 'p' OR coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0) > 0,
      EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_depend d ON d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
      LEFT JOIN pg_extension e ON e.oid = d.refobjid
      WHERE \(condition) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND NOT c.relispartition
      AND (c.relkind IN ('r', 'p') OR e.oid IS NULL)
      AND NOT (c.relkind = 'S' AND EXISTS (SELECT FROM pg_depend o WHERE o.classid = 'pg_catalog.pg_class'::regclass
      AND o.objid = c.oid AND o.deptype IN ('a', 'i'))) ORDER BY c.oid
      """)
    return rows.map { row in
      let (schema, name) = (row[1].string ?? "", row[2].string ?? "")
      return ImportRelation(
        number: row[0].number ?? 0, schema: schema, name: name, kind: row[3].string ?? "", isReadable: row[4].isTrue,
        isFiltered: row[5].isTrue, owner: row[6].string ?? "", parents: row[7].string, isWide: row[8].isTrue,
        hasColumns: row[9].isTrue, title: schema == "public" ? name : "\(schema).\(name)")
    }
  }
}
