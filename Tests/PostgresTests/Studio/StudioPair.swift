import Foundation
import PostgresCommands
import PostgresSupport
import SchemaDiagnostics
import SchemaFixtures
import SchemaModel
import SchemaVersions
import StoreStudio
import StoreTransfer
import TestSupport
import Testing
import Trellis
import TrellisPostgres

/// The studio's answers about a store.
struct StudioAnswers {
  let api: StudioAPI

  init(_ store: StudioStore) { api = StudioAPI(store, allowsWrites: true) }

  func response(_ name: String, _ query: [String: String] = [:]) -> HTTPResponse {
    var parameters = HTTPQuery()
    for (name, value) in query { parameters.append(name, value) }
    return api.response(to: HTTPRequest(path: ["token", "api", name], query: parameters))
  }

  func object(_ name: String, _ query: [String: String] = [:]) throws -> [String: Any] {
    try Self.object(response(name, query))
  }

  private static func object(_ response: HTTPResponse) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
  }

  func post(_ draft: [String: Any]) throws -> [String: Any] {
    let body = try JSONSerialization.data(withJSONObject: draft)
    return try Self.object(api.response(to: HTTPRequest(method: "POST", path: ["token", "api", "save"], body: body)))
  }

  /// Sends a draft, and again with the consequences that are to be confirmed.
  func save(_ draft: [String: Any]) throws -> [String: Any] {
    let answer = try post(draft)
    guard answer["outcome"] as? String == "confirm" else { return answer }
    let consequences = try #require(answer["consequences"] as? [String: Any])
    return try post(draft.merging(["confirmed": consequences["fingerprint"] ?? ""]) { $1 })
  }

  var entities: [[String: Any]] {
    get throws { try #require(try object("store")["entities"] as? [[String: Any]]) }
  }

  /// Returns all rows of a table, page by page.
  func rows(_ query: [String: String]) throws -> [[String: Any]] {
    var (rows, after) = ([[String: Any]](), String?.none)
    repeat {
      let page = try object("rows", query.merging(after.map { ["after": $0] } ?? [:]) { $1 })
      rows += try #require(page["rows"] as? [[String: Any]], "\(query) \(page)")
      after = page["next"] as? String
    } while after != nil
    return rows
  }

  func keys(_ query: [String: String]) throws -> [String] { try rows(query).compactMap { $0["key"] as? String } }

  /// Returns a column's texts in the order of a table.
  func texts(_ column: String, _ query: [String: String]) throws -> [String?] {
    let names = try #require(try object("rows", query)["columns"] as? [String])
    let index = try #require(names.firstIndex(of: column))
    return try rows(query).map { (($0["cells"] as? [Any])?[index] as? [String: Any])?["text"] as? String }
  }

  func value(_ entity: String, _ key: String, _ name: String) throws -> String? {
    let values = try #require(try object("editable", ["entity": entity, "key": key])["values"] as? [String: Any])
    return values[name] as? String
  }

  // MARK: Comparison

  /// The answers to many requests, without what differs between a file and a server.
  func all() throws -> [String: String] {
    var answers: [String: String] = [:]
    for text in ["a", "%", "\\", "LONG"] { answers["search \(text)"] = Self.text(try object("search", ["text": text])) }
    for entity in try entities {
      let name = try #require(entity["name"] as? String)
      answers["overview \(name)"] = Self.text(entity)
      let properties = try #require(entity["properties"] as? [[String: Any]])
      for property in properties where property["isSortable"] as? Bool == true {
        let sort = try #require(property["name"] as? String)
        for direction in ["0", "1"] {
          var rows = try rows(["entity": name, "sort": sort, "descending": direction])
          // A file compares text as it is written, a server in Normalization Form C.
          if property["form"] as? String == "text" { rows.sort { "\($0["key"] ?? "")" < "\($1["key"] ?? "")" } }
          answers["rows \(name) \(sort) \(direction)"] = Self.text(rows)
        }
      }
      let keys = try keys(["entity": name])
      for key in keys {
        let query = ["entity": name, "key": key]
        answers["row \(name) \(key)"] = Self.text(try object("row", query))
        answers["editable \(name) \(key)"] = Self.text(try object("editable", query))
      }
      for property in properties where property["form"] as? String == "data" {
        for key in keys.prefix(10) {
          let property = try #require(property["name"] as? String)
          let response = response("value", ["entity": name, "key": key, "property": property])
          answers["value \(name).\(property) \(key)"] = response.body.base64EncodedString()
        }
      }
      for format in ["csv", "json"] {
        let response = response("export", ["entity": name, "format": format, "sort": ""].filter { $0.value != "" })
        answers["export \(name) \(format)"] = String(decoding: response.body, as: UTF8.self)
      }
    }
    return answers
  }

  /// Returns a text without times, SQL, and the names of files with large values.
  private static func text(_ value: Any) -> String {
    func comparable(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(comparable) }
      if let text = value as? String {
        return text.hasPrefix("data:") ? text.split(separator: ":").prefix(2).joined(separator: ":") : text
      }
      guard let object = value as? [String: Any] else { return value }
      return object.filter { !["milliseconds", "sql", "plan", "isImage"].contains($0.key) }.mapValues(comparable)
    }
    let data = try? JSONSerialization.data(
      withJSONObject: comparable(value), options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

/// A store in a database, and a store file with the same rows.
final class StudioPair {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "pair-\(UUID().uuidString)")
  let database: TestDatabase
  let url: URL
  let server: StudioAnswers
  let file: StudioAnswers

  /// - Parameter schema: A schema's name in `Schemas/`.
  convenience init(_ schema: String, rows: Int, seed: UInt64 = 1) throws {
    let path = TestDatabase.root.appendingPathComponent("Schemas/\(schema)/\(schema).schema").path
    try self.init(text: String(contentsOfFile: path, encoding: .utf8), rows: rows, seed: seed)
  }

  init(text: String, rows: Int = 0, seed: UInt64 = 1) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "pair.store")
    database = try TestDatabase()
    let files = [SourceFile(path: "pair.schema", text: text)]
    let target = try TransferTarget(files)
    let fixture = try SchemaFixture(
      target.resolved, of: SchemaHistory(head: target.resolved), files: files, module: target.resolved.name, rows: rows,
      seed: seed, keepsNullCharacters: false)
    let configuration = database.configuration
    try fixture.write { schema in
      var own = configuration
      own.schema = schema
      return try PostgresStore(own)
    }
    try fixture.write(to: url)
    server = StudioAnswers(try DatabaseStudio.open(configuration))
    file = StudioAnswers(try StudioStore(url))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs statements in another session, and returns when they have taken an advisory lock. The thread is not one of
  /// those that run tests.
  ///
  /// - Returns: A function that waits until the session has ended.
  func start(_ statements: String, lock number: Int) throws -> () throws -> Void {
    let (server, end) = (database.server, DispatchSemaphore(value: 0))
    let outcome = Shared<Result<String, any Error>?>(nil)
    Thread.detachNewThread {
      let result = Result { try server.psql(statements) }
      outcome.withLock { $0 = result }
      end.signal()
    }
    let query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = \(number)"
    for _ in 0..<500 where outcome.withLock({ $0 == nil }) {
      guard try server.psql(query).hasPrefix("0") else { break }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return {
      end.wait()
      _ = try outcome.withLock { $0 }?.get()
    }
  }

  /// Expects equal answers about both stores.
  func compare(_ comment: String = "") throws {
    let (ours, theirs) = (try server.all(), try file.all())
    #expect(ours.keys.sorted() == theirs.keys.sorted(), "\(comment)")
    for (request, answer) in ours.sorted(by: { $0.key < $1.key }) where answer != theirs[request] {
      let lines = answer.split(separator: "\n").difference(from: (theirs[request] ?? "").split(separator: "\n"))
      Issue.record("\(comment) \(request): \(lines.prefix(6).map { "\($0)".prefix(300) })")
      return
    }
  }
}
