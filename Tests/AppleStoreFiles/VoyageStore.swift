package import SchemaImport

/// A store with every structure: inheritance with equal property names, composites, ordered lists, pairs, a list
/// without inverse, decimals, external data and encoded values.
package enum VoyageStore {
  private typealias M = TestModels

  package static var model: CoreDataModel {
    let place = M.composite(
      "ApplePlace", [M.attribute("city", "String"), M.attribute("height", "Double", optional: true)])
    return M.model(
      [
        M.entity(
          "AppleVehicle", [M.attribute("name", "String")], [M.toMany("voyages", "AppleVoyage", "vehicle")]),
        M.entity("AppleBoat", parent: "AppleVehicle", [M.attribute("code", "String", optional: true)]),
        M.entity(
          "AppleCar", parent: "AppleVehicle",
          [M.attribute("code", "Integer 64", optional: true), M.attribute("doors", "Integer 16", optional: true)]),
        M.entity("AppleSailor", [M.attribute("name", "String")], [M.toOne("voyage", "AppleVoyage", "crew")]),
        M.entity(
          "AppleLabel", [M.attribute("text", "String")],
          [M.toMany("voyages", "AppleVoyage", "labels"), M.toMany("related", "AppleLabel", "related")]),
        M.entity(
          "AppleVoyage",
          [
            M.attribute("title", "String"), M.attribute("start", "Date", optional: true),
            M.attribute("budget", "Decimal"), M.attribute("key", "UUID"), M.attribute("link", "URI", optional: true),
            M.attribute("isDone", "Boolean"), M.attribute("ratio", "Float"),
            M.attribute("photo", "Binary", optional: true, external: true),
            M.attribute("origin", "Composite", optional: true, className: "ApplePlace", composite: "ApplePlace"),
            M.attribute("goal", "Composite", className: "ApplePlace", composite: "ApplePlace"),
            M.attribute("tags", "Transformable", className: "Array<String>"),
            M.attribute("colour", "Transformable", optional: true, className: "NSColor"),
          ],
          [
            M.toMany("crew", "AppleSailor", "voyage", ordered: true, rule: "Cascade"),
            M.toMany("labels", "AppleLabel", "voyages", ordered: true),
            M.toOne("vehicle", "AppleVehicle", "voyages"), M.toMany("stops", "AppleStop", nil),
          ]),
        M.entity("AppleStop", [M.attribute("place", "String")]),
      ], [place])
  }

  package static let entities: [(name: String, number: Int, parent: Int)] = [
    ("AppleLabel", 1, 0), ("AppleSailor", 2, 0), ("AppleStop", 3, 0), ("AppleVehicle", 4, 0), ("AppleBoat", 5, 4),
    ("AppleCar", 6, 4), ("AppleVoyage", 7, 0),
  ]

  package static let tables = """
    CREATE TABLE ZAPPLEVEHICLE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCODE1 INTEGER, ZDOORS INTEGER,
      ZNAME VARCHAR, ZCODE VARCHAR);
    CREATE TABLE ZAPPLESAILOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZVOYAGE INTEGER,
      Z_FOK_VOYAGE INTEGER, ZNAME VARCHAR);
    CREATE TABLE ZAPPLELABEL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR);
    CREATE TABLE ZAPPLESTOP (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z7STOPS INTEGER, ZPLACE VARCHAR);
    CREATE TABLE ZAPPLEVOYAGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISDONE INTEGER,
      ZVEHICLE INTEGER, Z4_VEHICLE INTEGER, ZSTART TIMESTAMP, ZBUDGET DECIMAL, ZRATIO FLOAT, ZHEIGHT FLOAT,
      ZHEIGHT1 FLOAT, ZTITLE VARCHAR, ZCITY VARCHAR, ZCITY1 VARCHAR, ZLINK VARCHAR, ZKEY BLOB, ZPHOTO BLOB, ZTAGS BLOB,
      ZCOLOUR BLOB);
    CREATE TABLE Z_1VOYAGES (Z_1LABELS INTEGER, Z_7VOYAGES INTEGER, Z_FOK_1LABELS INTEGER,
      PRIMARY KEY (Z_1LABELS, Z_7VOYAGES));
    CREATE TABLE Z_1RELATED (Z_1RELATED INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1RELATED, REFLEXIVE));
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP TIMESTAMP);

    """

  package static let large = [UInt8](repeating: 7, count: 200_000)
  package static let tagsArchive = PropertyListWriter.bytes(
    .dictionary([
      ("$version", .integer(100_000)), ("$archiver", .text("NSKeyedArchiver")),
      ("$top", .dictionary([("root", .uid(1))])),
      (
        "$objects",
        .list([
          .text("$null"),
          .dictionary([("NS.objects", .list([.uid(3), .uid(4)])), ("$class", .uid(2))]),
          .dictionary([("$classname", .text("NSArray")), ("$classes", .list([.text("NSArray")]))]),
          .text("sea"), .text("\"wind\""),
        ])
      ),
    ]))

  package static var rows: String {
    """
    INSERT INTO ZAPPLEVEHICLE VALUES (1, 4, 1, NULL, NULL, 'Sled', NULL), (2, 5, 1, NULL, NULL, 'Fram', 'F-1'),
      (3, 6, 1, 42, 5, 'Saab', NULL);
    INSERT INTO ZAPPLEVOYAGE VALUES
      (10, 7, 3, 1, 2, 5, 5, 3.3333333333, 0.1, 12.5, NULL, 'North', 'Oslo', 'Bergen', 'https://example.org/a',
       X'00112233445566778899AABBCCDDEEFF', \(hexadecimal([1, 9, 8])), \(hexadecimal(Array("[\"ice\",\"snow\"]".utf8))),
       X'62706C697374'),
      (11, 7, 1, 0, NULL, NULL, NULL, 7, 0.5, 0.25, NULL, 'South', 'Cairo', NULL, NULL,
       X'FFEEDDCCBBAA99887766554433221100', \(hexadecimal([2] + Array("A1B2-C3".utf8) + [0])),
       \(hexadecimal(tagsArchive)), NULL);
    INSERT INTO ZAPPLESAILOR VALUES (1, 2, 1, 10, 3072, 'Third'), (2, 2, 1, 10, 1024, 'First'),
      (3, 2, 1, 10, 2048, 'Second'), (4, 2, 1, NULL, NULL, 'Ashore');
    INSERT INTO ZAPPLELABEL VALUES (1, 1, 1, 'cold'), (2, 1, 1, 'long'), (3, 1, 1, 'unused');
    INSERT INTO ZAPPLESTOP VALUES (1, 3, 1, 10, 'Hammerfest'), (2, 3, 1, NULL, 'Nowhere');
    INSERT INTO Z_1VOYAGES VALUES (1, 10, 2048), (2, 10, 1024), (2, 11, 1024);
    INSERT INTO Z_1RELATED VALUES (1, 2);
    INSERT INTO ATRANSACTION VALUES (1, 0.5)
    """
  }

  package static func store(isOpen: Bool = false, more: String = "") throws -> AppleTestStore {
    let store = try AppleTestStore(model, entities, tables + rows + ";\n" + more, isOpen: isOpen)
    try store.write(large, to: "A1B2-C3")
    return store
  }
}
