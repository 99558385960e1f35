import Foundation
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// Values that do not fit, and rows with unusual keys.
@Suite struct SQLiteValueTests {
  @Test func mixedValuesAreReportedAndRejected() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY, amount INTEGER, label TEXT);
      INSERT INTO items VALUES (1, 5, 'a'), (2, 'many', 'b'), (3, 7, x'00'), (4, NULL, NULL);
      """)
    let notes = try source.draft().notes.map(\.text)
    #expect(
      notes.contains(
        "items.amount: check: contains 2 integers, 1 text, for example 5 and 'many'; "
          + "values that do not fit the type are rejected"))
    #expect(throws: CopyRefusal.self) { try source.copy() }
    try? FileManager.default.removeItem(at: source.store)
    let copy = try source.copy(keepsRejects: true)
    #expect(
      copy.rejects.map(\.text) == [
        "items row 2, amount: 'many' is not an integer", "items row 3, label: a blob with 1 byte is not text",
      ])
    #expect(copy.rejects[0].values["label"] == RejectedValue(.text("b")))
    #expect(copy.report.tables[0].found == 4)
    #expect(copy.report.tables[0].written == 2)
    #expect(copy.report.isComplete)
    #expect(
      try copy.rows("SELECT id, amount FROM Item ORDER BY id") == [[.integer(1), .integer(5)], [.integer(4), .null]])
  }

  @Test func integersInARealColumnKeepTheirValue() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE points (id INTEGER PRIMARY KEY, x);
      INSERT INTO points VALUES (1, 1.5), (2, 3), (3, 9007199254740993);
      """)
    let copy = try source.copy(keepsRejects: true)
    #expect(
      try copy.rows("SELECT x, typeof(x) FROM Point ORDER BY id") == [
        [.real(1.5), .text("real")], [.real(3), .text("real")],
      ])
    #expect(copy.rejects.map(\.row) == [3])
  }

  @Test(arguments: ["VIRTUAL", "STORED"])
  func generatedRealsAreReals(_ kind: String) throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE prices (
        id INTEGER PRIMARY KEY, net REAL NOT NULL, quantity INTEGER, total REAL AS (net * quantity) \(kind));
      INSERT INTO prices (net, quantity) VALUES (1.5, 2), (2, 3), (1.25, NULL);
      """)
    let copy = try source.copy()
    #expect(
      try copy.rows("SELECT total, typeof(total) FROM Price ORDER BY id") == [
        [.real(3), .text("real")], [.real(6), .text("real")], [.null, .text("null")],
      ])
  }

  @Test func textKeepsItsBytes() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
      INSERT INTO words VALUES (1, 'e' || char(769)), (2, 'a' || char(0) || 'b'), (3, CAST(x'c328' AS TEXT)), (4, '');
      """)
    let copy = try source.copy(keepsRejects: true)
    #expect(copy.rejects.map(\.text) == ["words row 3, text: the text is not valid UTF-8"])
    #expect(copy.rejects[0].values["text"] == RejectedValue(.blob([0xC3, 0x28])))
    #expect(
      try copy.rows("SELECT hex(text) FROM Word ORDER BY id") == [
        [.text("65CC81")], [.text("610062")], [.text("")],
      ])
    // A query must know that byte order is not Swift's order here.
    #expect(
      try copy.rows("SELECT key FROM trellis_metadata WHERE key LIKE 'mark %'") == [[.text("mark not NFC: Word.text")]])
    #expect(copy.report.isComplete)
  }

  @Test func equalTextInTwoFormsIsNotUnique() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      INSERT INTO names VALUES (1, char(233)), (2, 'e' || char(769)), (3, 'x');
      """)
    let copy = try source.copy(keepsRejects: true)
    #expect(copy.rejects.map(\.row) == [2])
    #expect(try copy.rows("SELECT count(*) FROM Name") == [[.integer(2)]])
    #expect(copy.report.isComplete)
  }

  @Test func keysAreKept() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES nodes(id), title TEXT);
      INSERT INTO nodes VALUES (-5, NULL, 'root'), (0, -5, 'zero'), (9223372036854775806, 0, 'large');
      """)
    let copy = try source.copy()
    #expect(
      try copy.rows("SELECT id, parent, title FROM Node ORDER BY id") == [
        [.integer(-5), .null, .text("root")], [.integer(0), .integer(-5), .text("zero")],
        [.integer(.max - 1), .integer(0), .text("large")],
      ])
    #expect(try copy.rows("SELECT value FROM trellis_metadata WHERE key = 'next Node'") == [[.integer(.max)]])
  }

  @Test func danglingReferencesAreRejectedTogetherWithTheirDependents() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE);
      CREATE TABLE likes (id INTEGER PRIMARY KEY, post_id INTEGER REFERENCES posts(id) ON DELETE SET NULL, kind TEXT);
      INSERT INTO users VALUES (1, 'a');
      INSERT INTO posts VALUES (10, 1), (11, 99);
      INSERT INTO likes VALUES (100, 10, 'x'), (101, 11, 'y'), (102, NULL, 'z');
      """)
    let copy = try source.copy(keepsRejects: true)
    #expect(
      copy.rejects.map(\.text) == [
        "posts row 11, user_id: refers to User 99, which is missing or was rejected",
        "likes row 101, post_id: refers to Post 11, which is missing or was rejected",
      ])
    #expect(copy.report.isComplete)
    #expect(copy.report.counts == ["users": 1, "posts": 1, "likes": 2])
    let text = copy.draft.text
    #expect(text.contains(#"@Relationship(deleteRule: .cascade, inverse: \Post.user) var posts: [Post] = []"#))
    #expect(text.contains(#"@Relationship(deleteRule: .nullify, inverse: \Like.post) var likes: [Like] = []"#))
  }

  @Test func aRejectedPartnerIsClearedOnTheOtherSide() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE profiles (id INTEGER PRIMARY KEY, user_id INTEGER UNIQUE REFERENCES users(id), age INTEGER);
      INSERT INTO users VALUES (1, 'a'), (2, 'b');
      INSERT INTO profiles VALUES (7, 1, 30), (8, 2, 'old');
      """)
    let copy = try source.copy(keepsRejects: true)
    #expect(copy.rejects.map(\.text) == ["profiles row 8, age: 'old' is not an integer"])
    #expect(
      try copy.rows("SELECT id, profile FROM User ORDER BY id") == [
        [.integer(1), .integer(7)], [.integer(2), .null],
      ])
    #expect(copy.report.isComplete)
  }

  @Test func rowsWithoutNumbersAreNumbered() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE cities (country TEXT NOT NULL REFERENCES countries, name TEXT NOT NULL, size INTEGER,
        PRIMARY KEY (country, name)) WITHOUT ROWID;
      INSERT INTO countries VALUES ('no', 'Norway'), ('is', 'Iceland');
      INSERT INTO cities VALUES ('no', 'Oslo', 700000), ('no', 'Bergen', 280000), ('is', 'Akureyri', 19000);
      """)
    let copy = try source.copy()
    #expect(
      try copy.rows("SELECT id, code FROM Country ORDER BY id") == [
        [.integer(1), .text("is")], [.integer(2), .text("no")],
      ])
    #expect(
      try copy.rows("SELECT country, name, size FROM City ORDER BY id") == [
        [.integer(1), .text("Akureyri"), .integer(19000)], [.integer(2), .text("Bergen"), .integer(280_000)],
        [.integer(2), .text("Oslo"), .integer(700_000)],
      ])
    #expect(copy.draft.text.contains(#"#Unique<City>([\.country, \.name], onConflict: .fail)"#))
  }

  /// The pairs differ in the source and are equal in the store, because the keys ignore case.
  @Test func repeatedPairsAreRejected() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE a (code TEXT PRIMARY KEY COLLATE NOCASE, x TEXT);
      CREATE TABLE b (id INTEGER PRIMARY KEY, y TEXT);
      CREATE TABLE ab (a_id TEXT REFERENCES a, b_id INTEGER REFERENCES b);
      INSERT INTO a VALUES ('k', 'x'); INSERT INTO b VALUES (1, 'y'), (2, 'z');
      INSERT INTO ab VALUES ('k', 1), ('K', 2), ('K', 1), ('other', 1);
      """)
    let copy = try source.copy(keepsRejects: true)
    #expect(
      copy.rejects.map(\.text) == [
        "ab row 4, a_id: 'other' refers to a missing row", "ab row 3, a_id: the row exists already",
      ])
    #expect(copy.report.tables.last?.written == 2)
    #expect(copy.report.isComplete)
  }

  @Test(arguments: [
    ("iso", "'2024-02-29T12:30:00.5+02:00'", 730_895_400.5), ("unix", "978307200", 0),
    ("unix", "1700000000.25", 721_692_800.25),
    ("milliseconds", "978307200500", 0.5), ("julian", "2451911.0", 43_200), ("since2001", "12", 12),
  ])
  func dates(_ form: String, _ value: String, _ seconds: Double) throws {
    let source = try SQLiteSource(
      "s.db", "CREATE TABLE events (id INTEGER PRIMARY KEY, at); INSERT INTO events VALUES (1, \(value)), (2, NULL)")
    let copy = try source.copy(dates: ["events.at=\(form)"])
    #expect(try copy.rows("SELECT at FROM Event ORDER BY id") == [[.real(seconds)], [.null]])
  }

  @Test func datesAreProposedAndNotGuessed() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE logs (id INTEGER PRIMARY KEY, created_at INTEGER, seen_at REAL, day TEXT, score INTEGER);
      INSERT INTO logs VALUES (1, 1700000000, 700000000.5, '2024-05-01', 1700000000);
      """)
    let draft = try source.draft()
    #expect(
      draft.notes.map(\.text) == [
        "logs.created_at: date: looks like seconds since 1970: accept with '--dates logs.created_at=unix'",
        "logs.seen_at: date: the values fit several forms: accept with '--dates logs.seen_at=since2001' or "
          + "'--dates logs.seen_at=unix'",
        "logs.day: date: looks like dates in ISO 8601 text: accept with '--dates logs.day=iso'",
      ])
    #expect(draft.text.contains("createdAt: Int?"))
    let all = try source.draft(dates: ["all"]).text
    #expect(all.contains("createdAt: Date?"))
    #expect(all.contains("day: Date?"))
    #expect(all.contains("seenAt: Double?"))
    #expect(throws: TransferError.self) { try source.draft(dates: ["logs.other=unix"]) }
    #expect(throws: TransferError.self) { try source.draft(dates: ["logs.day=noon"]) }
  }

  @Test func randomValuesAreCopiedOrRejected() throws {
    var random = SeededGenerator(seed: SeededGenerator.seed("values of foreign databases"))
    for _ in 0..<Repetitions.scaled(5) {
      let literals = [
        "NULL", "0", "1", "-1", "9223372036854775807", "1.5", "'text'", "''", "x'00ff'", "'12'", "'é'", "1e300",
        "CAST(x'ff' AS TEXT)", "char(0)",
      ]
      let types = ["INTEGER", "TEXT", "REAL", "BLOB", "NUMERIC", "", "BOOLEAN", "DECIMAL(8,2)", "DATETIME"]
      let columns = (0..<6).map { "c\($0) \(types.randomElement(using: &random) ?? "")" }.joined(separator: ", ")
      let rows = (1...40).map { row in
        "(\(row), " + (0..<6).map { _ in literals.randomElement(using: &random) ?? "" }.joined(separator: ", ") + ")"
      }
      let source = try SQLiteSource(
        "s.db",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns)); INSERT INTO t VALUES \(rows.joined(separator: ","))")
      let copy = try source.copy(keepsRejects: true)
      #expect(copy.report.isComplete)
      #expect(copy.report.tables[0].found == 40)
      #expect(copy.report.tables[0].rejected == Int64(copy.rejects.count))
    }
  }
}
