import Foundation
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// References between rows, compared as SQLite compares foreign keys.
@Suite struct ReferenceTests {
  /// The affinity and the collation of the parent's column decide.
  @Test(arguments: [
    ("TEXT PRIMARY KEY", "INTEGER", "'1'", "1", true), ("TEXT PRIMARY KEY", "BLOB", "'1'", "1", true),
    ("INTEGER PRIMARY KEY", "TEXT", "1", "'1'", true), ("INTEGER PRIMARY KEY", "REAL", "1", "1.0", true),
    ("BLOB PRIMARY KEY", "INTEGER", "'1'", "1", false), ("NUMERIC PRIMARY KEY", "TEXT", "1.5", "'1.50'", true),
    ("TEXT PRIMARY KEY COLLATE NOCASE", "TEXT", "'ab'", "'AB'", true),
    ("TEXT PRIMARY KEY", "TEXT COLLATE NOCASE", "'ab'", "'AB'", false),
  ])
  func comparedAsInSQLite(
    _ parent: String, _ child: String, _ key: String, _ value: String, _ isFound: Bool
  ) throws {
    for suffix in ["", " WITHOUT ROWID"] {
      for unique in ["", " UNIQUE"] {
        let source = try SQLiteSource(
          "s.db",
          """
          CREATE TABLE parents (code \(parent), name TEXT)\(suffix);
          CREATE TABLE children (id INTEGER PRIMARY KEY, p \(child)\(unique) REFERENCES parents(code), size INTEGER);
          INSERT INTO parents VALUES (\(key), 'found');
          INSERT INTO children VALUES (7, \(value), 1);
          """)
        let isSound = try Connection(source.url.path, .readOnly).rows("PRAGMA foreign_key_check").isEmpty
        #expect(isSound == isFound)
        let copy = try source.copy(keepsRejects: true)
        #expect(copy.report.counts["children"] == (isFound ? 1 : 0))
        guard isFound else { continue }
        #expect(try copy.rows("SELECT name FROM Parent JOIN Child ON Child.p = Parent.id") == [[.text("found")]])
        guard unique.isEmpty == false else { continue }
        // Both sides of a one-to-one relationship agree.
        #expect(try copy.rows("SELECT child FROM Parent") == [[.integer(7)]])
      }
    }
  }

  @Test(.timeLimit(.minutes(1))) func manyReferencesOfOtherAffinity() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE parents (code TEXT PRIMARY KEY COLLATE NOCASE, name TEXT) WITHOUT ROWID;
      CREATE TABLE children (id INTEGER PRIMARY KEY, p INTEGER UNIQUE REFERENCES parents(code), size INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO parents SELECT i, 'n' || i FROM n;
      INSERT INTO children (p) SELECT code FROM parents;
      """)
    let clock = ContinuousClock()
    let duration = try clock.measure {
      let copy = try source.copy()
      #expect(copy.report.counts["children"] == 5000)
    }
    // A comparison of each row with each other takes minutes.
    #expect(duration < .seconds(20))
  }

  @Test(.timeLimit(.minutes(1))) func longChainsOfDanglingReferences() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE links (id INTEGER PRIMARY KEY, next_id INTEGER REFERENCES links(id), title TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
      INSERT INTO links SELECT i, i + 1, 't' FROM n;
      INSERT INTO links VALUES (9000, NULL, 'kept');
      """)
    let clock = ContinuousClock()
    let duration = try clock.measure {
      let copy = try source.copy(keepsRejects: true)
      #expect(copy.report.counts == ["links": 1])
      #expect(copy.rejects.count == 6000)
      #expect(copy.rejects.last?.text == "links row 1, next_id: refers to Link 2, which is missing or was rejected")
    }
    #expect(duration < .seconds(10))
  }

  /// A list has no place for such rows.
  @Test(arguments: [
    ("", "(1, 1), (1, 2)", true), ("", "(1, 1), (1, 1)", false), ("", "(1, 1), (NULL, 1)", false),
    (", UNIQUE (a_id)", "(1, 1), (2, 1)", false), (", UNIQUE (b_id)", "(1, 1), (2, 2)", false),
    (", PRIMARY KEY (a_id, b_id)", "(1, 1), (2, 1)", true),
  ])
  func tablesOfPairs(_ constraint: String, _ rows: String, _ isList: Bool) throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
      CREATE TABLE b (id INTEGER PRIMARY KEY, y TEXT);
      CREATE TABLE ab (a_id INTEGER REFERENCES a, b_id INTEGER REFERENCES b\(constraint));
      INSERT INTO a VALUES (1, 'x'), (2, 'y'); INSERT INTO b VALUES (1, 'y'), (2, 'z');
      INSERT INTO ab VALUES \(rows);
      """)
    let copy = try source.copy()
    #expect(copy.report.counts["ab"] == 2)
    #expect(copy.draft.joins.isEmpty != isList)
    #expect(copy.draft.text.contains("class Ab") != isList)
  }

  @Test func aRequiredReferenceIsNotCleared() throws {
    let source = try SQLiteSource(
      "trips.db",
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users ON DELETE SET NULL, t TEXT);
      """)
    let run = source.tool("import", "--from", "sqlite", "trips.db")
    #expect(
      run.messages.contains(
        "posts.user_id: ON DELETE SET NULL becomes '.deny', because the reference must have a value"))
    #expect(source.tool("lint", "Trips.schema").status == 0)
  }

  /// Each module has its own tables, and any other table belongs to the user.
  @Test func tablesNamedLikeShadowTables() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE search USING fts5(body, content='notes', content_rowid='id');
      CREATE TABLE search_content (id INTEGER PRIMARY KEY, body TEXT);
      CREATE TABLE search_node (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE own USING fts5(body);
      INSERT INTO search_content VALUES (1, 'mine'); INSERT INTO search_node VALUES (1, 'mine');
      """)
    let draft = try source.draft()
    #expect(draft.database.tables.map(\.name) == ["notes", "search_content", "search_node"])
    #expect(draft.database.skipped.map(\.name) == ["search", "own"])
  }
}
