import Foundation
import PostgresSupport
import StoreTransfer
import TestSupport
import TestTraits
import Testing
import Trellis

@testable import PostgresCommands

/// Values of each type, in the server and in the store.
@Suite(.waiting) struct ImportValueTests {
  struct Value: Sendable {
    /// The column's type in SQL.
    var type: String
    /// The property's type in the schema file.
    var property: String
    /// The value in SQL, and the value in the store. A text without result is a rejected row.
    var values: [(sql: String, stored: SQLValue?)]

    init(_ type: String, _ property: String, _ values: [(String, SQLValue?)]) {
      self.type = type
      self.property = property
      self.values = values.map { (sql: $0.0, stored: $0.1) }
    }
  }

  static let values: [Value] = [
    Value("boolean", "Bool?", [("true", .integer(1)), ("false", .integer(0)), ("NULL", .null)]),
    Value(
      "bigint", "Int?",
      [("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("0", .integer(0))]),
    Value("integer", "Int32?", [("-2147483648", .integer(-2_147_483_648)), ("2147483647", .integer(2_147_483_647))]),
    Value("smallint", "Int16?", [("-32768", .integer(-32_768))]),
    Value(
      "double precision", "Double?",
      [
        ("0.1", .real(0.1)), ("'5e-324'", .real(.leastNonzeroMagnitude)), ("'-0'", .real(0)),
        ("'Infinity'", .real(.infinity)),
        ("'-Infinity'", .real(-.infinity)), ("'NaN'", .text("NaN")),
        ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
      ]),
    Value(
      "real", "Float?", [("0.1", .real(Double(Float(0.1)))), ("'NaN'", .text("NaN")), ("16777217", .real(16_777_216))]),
    Value(
      "numeric", "Decimal?",
      [
        ("1.50", .text("1.5")), ("-0.00", .text("0")), ("100", .text("100")), ("0.000001", .text("0.000001")),
        ("12345678901234567890123456789012345678", .text("12345678901234567890123456789012345678")),
        ("987654321098765432109876543210987654321", nil), ("0.1234567890123456789012345678901234567891", nil),
        ("'NaN'", .text("NaN")), ("'Infinity'", nil),
      ]),
    Value("money", "Decimal?", [("'12.50'", .text("12.5"))]),
    Value(
      "text", "String?",
      [
        ("''", .text("")), ("'Ada''s \"quote\" \\ ?'", .text("Ada's \"quote\" \\ ?")), ("'å' || chr(10)", .text("å\n")),
        ("'e' || chr(769)", .text("e\u{301}")), ("chr(128512)", .text("😀")),
      ]),
    Value("varchar(10)", "String?", [("'abc '", .text("abc "))]),
    Value("char(5)", "String?", [("'abc'", .text("abc"))]),
    Value("name", "String?", [("'abc'", .text("abc"))]),
    Value("bytea", "Data?", [("'\\x00ff7F'", .blob([0, 255, 127])), ("''", .blob([]))]),
    Value(
      "uuid", "UUID?",
      [("'0f8fad5b-d9cb-469f-a165-70867728950e'", .text("0F8FAD5B-D9CB-469F-A165-70867728950E"))]),
    Value(
      "timestamptz", "Date?",
      [
        ("'2001-01-01 00:00:00.5Z'", .real(0.5)), ("'2001-01-01 02:00:00+02'", .real(0)),
        ("'1969-12-31 23:59:59.999999Z'", .real(-978_307_200.000001)),
        ("'9999-12-31 23:59:59Z'", .real(252_423_993_599)),
        ("'infinity'", nil), ("'-infinity'", nil), ("'0044-03-15 BC'", nil), ("'10000-01-01'", nil),
      ]),
    Value("timestamp", "Date?", [("'2001-01-02 00:00:00'", .real(86_400)), ("'infinity'", nil)]),
    Value(
      "date", "Date?",
      [("'2000-12-31'", .real(-86_400)), ("'0001-01-01'", .real(-63_113_904_000)), ("'0001-01-01 BC'", nil)]),
    Value("time", "String?", [("'08:30'", .text("08:30:00"))]),
    Value("interval", "String?", [("'1 day 02:00'", .text("1 day 02:00:00"))]),
    Value("json", "String?", [("'{\"b\":  1}'", .text("{\"b\":  1}"))]),
    Value("jsonb", "String?", [("'{\"b\":  1}'", .text("{\"b\": 1}"))]),
    Value("inet", "String?", [("'10.0.0.1'", .text("10.0.0.1"))]),
    Value("xml", "String?", [("'<a>1</a>'", .text("<a>1</a>"))]),
    Value("tsvector", "String?", [("'fat cat'", .text("'cat' 'fat'"))]),
    Value("point", "String?", [("'(1,2.5)'", .text("(1,2.5)"))]),
    Value("int4range", "String?", [("'[1,5)'", .text("[1,5)"))]),
    Value("pair", "String?", [("'(1,\"x y\")'", .text(#"(1,"x y")"#)), ("ROW(NULL, NULL)", .text("(,)"))]),
    Value("oid", "Int?", [("4294967295", .integer(4_294_967_295))]),
    Value("oid[]", "[Int]?", [("'{7}'", .text("[7]"))]),
    Value("varbit", "String?", [("B'101'", .text("101"))]),
    Value("mood", "Mood?", [("'so so'", .text("so so")), ("'happy'", .text("happy"))]),
    Value(
      "integer[]", "[Int32]?",
      [
        ("'{1,-2}'", .text("[1,-2]")), ("'{}'", .text("[]")), ("NULL", .null), ("'{1,NULL}'", nil),
        ("'{{1},{2}}'", nil),
        ("'[5:6]={1,2}'", .text("[1,2]")),
      ]),
    Value("boolean[]", "[Bool]?", [("'{t,f}'", .text("[true,false]"))]),
    Value("text[]", "[String]?", [("ARRAY['a\"b', 'NULL', '']", .text(#"["a\"b","NULL",""]"#)), ("'{NULL}'", nil)]),
    Value("double precision[]", "[Double]?", [("'{0.5,Infinity,NaN}'", .text(#"[0.5,"Infinity","NaN"]"#))]),
    Value(
      "numeric[]", "[Decimal]?",
      [("'{1.5,-2}'", .text("[1.5,-2]")), ("'{NaN}'", nil), ("'{1234567890123456789012345678901234567.89}'", nil)]),
    Value(
      "uuid[]", "[UUID]?",
      [("'{0f8fad5b-d9cb-469f-a165-70867728950e}'", .text(#"["0F8FAD5B-D9CB-469F-A165-70867728950E"]"#))]),
    Value("bytea[]", "[Data]?", [("ARRAY['\\x00ff'::bytea]", .text(#"["AP8="]"#))]),
    Value("mood[]", "[Mood]?", [("'{happy,\"so so\"}'", .text(#"["happy","so so"]"#))]),
    Value("timestamptz[]", "[Date]?", [("'{2001-01-01 00:00:01Z}'", .text("[1.000000]")), ("'{infinity}'", nil)]),
    Value("inet[]", "[String]?", [("'{10.0.0.1}'", .text(#"["10.0.0.1"]"#))]),
    Value("small", "Int16?", [("7", .integer(7))]),
    Value("size", "Size?", [("'XL'", .text("XL"))]),
  ]

  private static let types = """
    CREATE TYPE mood AS ENUM ('happy', 'so so');
    CREATE TYPE pair AS (a int, b text);
    CREATE DOMAIN small AS smallint CHECK (VALUE < 10);
    CREATE DOMAIN size AS varchar(2) CHECK (VALUE IN ('S', 'XL'));
    """

  /// Imports one table for each type, and compares all values.
  @Test func valuesOfAllTypes() throws {
    let tables = Self.values.enumerated().map { index, value in
      """
      CREATE TABLE t\(index) (id int PRIMARY KEY, v \(value.type));
      INSERT INTO t\(index) VALUES \(value.values.enumerated().map { "(\($0 + 1), \($1.sql))" }.joined(separator: ", "));
      """
    }
    let source = try ImportSource(Self.types + tables.joined())
    let (result, store) = try source.copy("--rejects", "rejects.ndjson")
    #expect(result.status == 1)
    let schema = try source.schema
    let rejects = try String(contentsOf: source.folder.appendingPathComponent("rejects.ndjson"), encoding: .utf8)
    for (index, value) in Self.values.enumerated() {
      let text = schema.split(separator: "class T\(index) {").dropFirst().first?.split(separator: "}").first ?? ""
      #expect(text.contains("var v: \(value.property)\n"), "\(value.type): \(text)")
      let found = try store.rows(verbatim: "SELECT id, v FROM T\(index) ORDER BY id")
      let expected = value.values.enumerated().compactMap { place, item in
        item.stored.map { [SQLValue.integer(Int64(place + 1)), $0] }
      }
      #expect(found == expected, "\(value.type)")
      for (place, item) in value.values.enumerated() where item.stored == nil {
        #expect(rejects.contains(#""row":\#(place + 1),"table":"t\#(index)""#), "\(value.type): \(item.sql)")
      }
    }
  }

  /// The rejected rows stop an import without `--rejects`, and the message names the value.
  @Test func rowsThatDoNotFitStopTheImport() throws {
    let source = try ImportSource(
      """
      CREATE TABLE visits (id int PRIMARY KEY, at timestamptz, fee numeric, codes int[]);
      INSERT INTO visits VALUES (1, '2024-05-01', 1, '{1}'), (2, 'infinity', 1, NULL), (3, NULL, 'Infinity', NULL),
        (4, NULL, NULL, '{1,NULL}');
      """)
    let result = source.run("--name", "Shop", "--into", "copy.store")
    #expect(result.status == 1)
    #expect(
      result.output == """
        visits row 2, at: 'infinity' is not a date
        visits row 3, fee: 'Infinity' is not a Decimal
        visits row 4, codes: '{1,NULL}' is not valid JSON
        error: 3 rows do not fit, so nothing was written; '--rejects FILE' writes them to FILE and copies all others

        """)
    #expect(try FileManager.default.contentsOfDirectory(atPath: source.folder.path) == [])
  }

  /// Numbers become dates if the user says so.
  @Test func numbersAreDatesOnRequest() throws {
    let source = try ImportSource(
      """
      CREATE TABLE visits (id int PRIMARY KEY, opened bigint, closed int, day text);
      INSERT INTO visits VALUES (1, 978307200500, 978307201, '2001-01-01 00:00:02');
      """)
    let (_, store) = try source.copy(
      "--dates", "visits.opened=milliseconds", "--dates", "visits.closed=unix", "--dates", "visits.day=iso")
    #expect(try store.rows(verbatim: "SELECT opened, closed, day FROM Visit") == [[.real(0.5), .real(1), .real(2)]])
    #expect(try source.schema.contains("  var closed: Date?\n"))
  }

  /// The import shows the state in which it began, although another program goes on writing.
  @Test func allTablesAreReadInOneState() throws {
    let source = try ImportSource(
      """
      CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a);
      INSERT INTO a VALUES (1); INSERT INTO b VALUES (1, 1);
      """)
    let connection = try ImportConnection(source.url())
    let catalogue = try ImportCatalogue(connection, schemas: [], progress: { _ in })
    try source.psql("DELETE FROM b; DELETE FROM a; INSERT INTO a VALUES (2); INSERT INTO b VALUES (2, 2), (3, NULL)")
    let stage = try ImportStage()
    try stage.fill(from: catalogue, connection, progress: { _ in })
    let staged = try Connection(stage.url.path, .readOnly)
    #expect(try staged.rows(verbatim: "SELECT id FROM a") == [[.integer(1)]])
    #expect(try staged.rows(verbatim: "SELECT id, a FROM b") == [[.integer(1), .integer(1)]])
  }

  /// Expressions as the server writes them, and the default in the form that the draft reads.
  static let defaults: [(String, String)] = [
    ("'draft'::public.order_status", "'draft'"), ("'it''s'::text", "'it''s'"), ("E'a\\\\b'::text", "'a\\b'"),
    ("0.00", "0"), ("1.50", "1.5"), ("100", "100"), ("(-1)", "-1"), ("'-1'::integer", "'-1'"), ("true", "true"),
    ("NULL::character varying", "null"), ("now()", "CURRENT_TIMESTAMP"), ("CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP"),
    ("gen_random_uuid()", "gen_random_uuid()"), ("public.uuid_generate_v4()", "gen_random_uuid()"),
    ("'{}'::text[]", "'{}'"), ("''::character varying(20)", "''"), ("'x'::timestamp(3) with time zone", "'x'"),
    ("nextval('public.a_seq'::regclass)", "nextval('public.a_seq'::regclass)"), ("(1 + 2)", "(1 + 2)"),
    ("lower('A'::text)", "lower('A'::text)"), ("'unterminated", "'unterminated'"), ("", ""),
  ]

  @Test(arguments: defaults) func defaultsAreReadWithoutCasts(_ source: String, _ expected: String) {
    #expect(ImportExpression(source).defaultText == expected)
  }

  static let checks: [(String, String?, ImportExpression.Choices?)] = [
    ("CHECK ((size = ANY (ARRAY['S'::text, 'M'::text])))", "size", .texts(["S", "M"])),
    (
      "CHECK (((state)::text = ANY ((ARRAY['on hold'::character varying, 'it''s]'::character varying])::text[])))",
      "state", .texts(["on hold", "it's]"])
    ),
    ("CHECK ((level = ANY (ARRAY[1, '-2'::integer])))", nil, nil),
    ("CHECK ((level = ANY (ARRAY[1, (-2)])))", "level", .integers([1, -2])),
    ("CHECK ((\"Kind\" = 'a'::text)) NOT VALID", "Kind", .texts(["a"])),
    ("CHECK (((kind IS NULL) OR (kind = 'a'::text) OR (kind = 'b'::text)))", "kind", .texts(["a", "b"])),
    ("CHECK ((VALUE = ANY (ARRAY['EUR'::text, 'NOK'::text])))", "VALUE", .texts(["EUR", "NOK"])),
    ("CHECK ((kind <> 'a'::text))", nil, nil), ("CHECK ((lower(kind) = 'a'::text))", nil, nil),
    ("CHECK (((kind = 'a'::text) AND (size = 'b'::text)))", nil, nil),
    ("CHECK (((kind = 'a'::text) OR (size = 'b'::text)))", nil, nil), ("CHECK ((price >= (0)::numeric))", nil, nil),
    ("CHECK ((NOT (kind = 'a'::text)))", nil, nil), ("CHECK ((kind = ANY (ARRAY['a'::text, 'a'::text])))", nil, nil),
    ("CHECK ((kind = size))", nil, nil), ("EXCLUDE USING gist (kind WITH =)", nil, nil),
  ]

  @Test(arguments: checks) func listsOfValuesAreRecognized(
    _ source: String, _ column: String?, _ values: ImportExpression.Choices?
  ) {
    let found = ImportExpression(source).choices
    #expect(found?.column == column)
    #expect(found?.values == values)
  }
}
