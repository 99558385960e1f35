import AppleStoreFiles
import CSQLite
import Foundation
import SchemaCommands
import SchemaDriver
import StoreCommands

/// The files that are mutated, and the verbs that read them.
struct Subject {
  struct File {
    /// The path below the folder `source`.
    var path: String
    var bytes: [UInt8]
    var kind: ByteMutation.Kind
    /// Returns the file's contents for mutated bytes.
    var contents: ([UInt8]) throws -> [UInt8] = { $0 }
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  var name: String
  var files: [File]
  /// The verbs with their arguments. Paths are relative to the parent of the folders `source` and `target`.
  var verbs: [[String]]

  /// Creates all subjects with the tool itself.
  ///
  /// - Parameter work: A folder for the files that the tool writes.
  static func all(in work: URL) throws -> [Subject] {
    try schema.write(to: work.appendingPathComponent("Garden.schema"), atomically: true, encoding: .utf8)
    try execute(["fixture", "head", "Garden.schema", "--rows", "12", "--output", "garden.store"], in: work)
    let store = try files(in: work, named: "garden.store")
    var subjects = [
      Subject(
        name: "store", files: store,
        verbs: [
          ["store", "check", "source/garden.store"], ["store", "info", "source/garden.store"],
          ["export", "source/garden.store", "--to", "ndjson", "target/rows"],
          ["store", "check", "source/garden.store", "--repair", "target/repaired.store"],
        ])
    ]
    try makeForeignDatabase(at: work.appendingPathComponent("shop.sqlite"))
    subjects.append(
      Subject(
        name: "database", files: try files(in: work, named: "shop.sqlite"),
        verbs: [
          [
            "import", "--from", "sqlite", "source/shop.sqlite", "--name", "Shop", "--output", "target", "--into",
            "target/shop.store", "--rejects", "target/rejects.ndjson",
          ]
        ]))
    subjects += try appleStores()
    for form in ["csv", "ndjson"] {
      try execute(["export", "garden.store", "--to", form, form], in: work)
      subjects.append(
        Subject(
          name: form, files: try files(in: work, named: form),
          verbs: [
            [
              "import", "--from", form, "source/\(form)", "--into", "target/\(form).store", "--rejects",
              "target/rejects.ndjson",
            ]
          ]))
    }
    return subjects
  }

  /// Stores of Apple's frameworks: mutated databases, compressed models, and archived models before their compression.
  private static func appleStores() throws -> [Subject] {
    let name = "Voyages.store"
    func store(_ cache: [UInt8]) throws -> [UInt8] {
      let store = try AppleTestStore(nil, VoyageStore.entities, VoyageStore.tables + VoyageStore.rows, cache: cache)
      return [UInt8](try Data(contentsOf: store.url))
    }
    let archive = ModelArchive.bytes(VoyageStore.model)
    let large = File(path: ".Voyages_SUPPORT/_EXTERNAL_DATA/A1B2-C3", bytes: [7, 7, 7, 7], kind: .text)
    return [
      ("Apple store", File(path: name, bytes: try store(DeflateWriter.fixed(archive)), kind: .database)),
      ("model cache", File(path: name, bytes: DeflateWriter.fixed(archive), kind: .propertyList, contents: store)),
      (
        "archive",
        File(path: name, bytes: archive, kind: .propertyList, contents: { try store(DeflateWriter.stored($0)) })
      ),
    ].map { title, file in
      Subject(
        name: title, files: [file, large],
        verbs: [
          [
            "import", "--from", "store", "source/\(name)", "--output", "target", "--into", "target/voyages.store",
            "--rejects", "target/rejects.ndjson",
          ], ["store", "check", "source/\(name)"],
        ])
    }
  }

  private static func execute(_ arguments: [String], in work: URL) throws {
    let outcome = StoreVerbs.run(arguments, in: work.path)
    guard outcome.status == .clean else {
      throw Failure(description: "'\(arguments.joined(separator: " "))': \(outcome.findings)\(outcome.progress)")
    }
  }

  /// Reads a file with its companions, or a folder.
  private static func files(in work: URL, named name: String) throws -> [File] {
    var found: [File] = []
    for case let path as String in FileManager.default.enumerator(atPath: work.path) ?? .init()
    where path.hasPrefix(name) {
      let url = work.appendingPathComponent(path)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
        continue
      }
      let bytes = [UInt8](try Data(contentsOf: url))
      found.append(File(path: path, bytes: bytes, kind: bytes.starts(with: "SQLite format 3".utf8) ? .database : .text))
    }
    return found.sorted { $0.path < $1.path }
  }

  private static let schema = """
    schema Garden 1.0.0

    @Model
    class Plant {
        #Unique<Plant>([\\.name])
        #Index<Plant>([\\.planted])
        var name: String
        var planted: Date
        var height: Double?
        var price: Decimal = 0
        var kind: Kind = Kind.herb
        var code: UUID
        var tags: [String] = []
        @Attribute(.flattened) var place: Place?
        @Attribute(.externalStorage) var photo: Data?
        @Relationship(inverse: \\Bed.plants) var bed: Bed?
        @Relationship var friends: [Plant] = []
    }

    @Model
    class Tree: Plant {
        var rings: Int = 1
    }

    @Model
    class Bed {
        var number: Int
        @Relationship(.ordered, deleteRule: .cascade) var plants: [Plant] = []
    }

    enum Kind: String, Codable { case herb, tree, vegetable }

    struct Place: Codable {
        var row: Int = 0
        var note: String?
    }

    """

  /// Writes a database as a program without Trellis would have written it.
  private static func makeForeignDatabase(at url: URL) throws {
    var handle: OpaquePointer?
    guard sqlite3_open(url.path, &handle) == SQLITE_OK, let handle else {
      throw Failure(description: "\(url.path) cannot be created")
    }
    defer { sqlite3_close(handle) }
    guard sqlite3_exec(handle, foreignDatabase, nil, nil, nil) == SQLITE_OK else {
      throw Failure(description: String(cString: sqlite3_errmsg(handle)))
    }
  }

  private static let foreignDatabase = """
    CREATE TABLE customers (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(80) NOT NULL, email TEXT UNIQUE, created_at TEXT,
      state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'regular', 'closed')));
    CREATE TABLE orders (
      code TEXT PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id) ON DELETE CASCADE,
      total DECIMAL(10, 2), paid BOOLEAN DEFAULT 0, placed INTEGER, doubled REAL GENERATED ALWAYS AS (total * 2)
    ) WITHOUT ROWID;
    CREATE TABLE tags (id INTEGER PRIMARY KEY, "label text" TEXT COLLATE NOCASE);
    CREATE TABLE order_tags (
      order_code TEXT REFERENCES orders(code) ON DELETE CASCADE, tag_id INTEGER REFERENCES tags(id),
      PRIMARY KEY (order_code, tag_id));
    CREATE TABLE mixed (a, b BLOB, c INT);
    CREATE INDEX orders_placed ON orders(placed, total);
    CREATE VIEW open_orders AS SELECT * FROM orders WHERE paid = 0;
    CREATE TRIGGER stamp AFTER INSERT ON customers BEGIN UPDATE customers SET created_at = 0 WHERE 0; END;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO customers SELECT i, 'Customer ' || i, 'c' || i || '@example.org',
      '2026-01-' || substr('0' || i, -2) || ' 10:00:00', CASE i % 3 WHEN 0 THEN 'new' ELSE 'regular' END FROM n;
    INSERT INTO orders SELECT 'o' || id, id, id * 1.5, id % 2, 1760000000 + id FROM customers;
    INSERT INTO tags VALUES (1, 'red'), (2, 'blue'), (-3, 'green');
    INSERT INTO order_tags SELECT code, 1 FROM orders UNION ALL SELECT code, -3 FROM orders WHERE customer_id < 5;
    INSERT INTO mixed VALUES (1, x'00ff', 'text'), (NULL, 'b', 2), (2.5, x'', 9223372036854775807);
    """
}
