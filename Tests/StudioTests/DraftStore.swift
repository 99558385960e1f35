import Foundation
import SchemaDiagnostics
import StoreStudio
import StoreTransfer
import Testing

/// An empty store of a schema in a temporary folder, which the studio may change.
final class DraftStore {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "draft-\(UUID().uuidString)")
  let url: URL
  let api: StudioAPI
  private let store: StudioStore

  init(_ schema: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "draft.store")
    try TransferTarget([SourceFile(path: "draft.schema", text: schema)]).create(at: url)
    store = try StudioStore(url)
    api = StudioAPI(store, allowsWrites: true)
  }

  func close() { store.close() }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func object(_ name: String, _ query: [String: String] = [:]) throws -> [String: Any] {
    var parameters = HTTPQuery()
    for (name, value) in query { parameters.append(name, value) }
    return try object(api.response(to: HTTPRequest(path: ["token", "api", name], query: parameters)))
  }

  private func object(_ response: HTTPResponse) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
  }

  func post(_ draft: [String: Any]) throws -> [String: Any] {
    let body = try JSONSerialization.data(withJSONObject: draft)
    return try object(api.response(to: HTTPRequest(method: "POST", path: ["token", "api", "save"], body: body)))
  }

  /// Inserts a row and returns the key.
  @discardableResult
  func insert(_ entity: String, _ values: [String: String?], lists: [String: [String]] = [:]) throws -> String {
    let lists = lists.mapValues { ["add": $0, "remove": []] }
    let answer = try post([
      "inserts": [
        ["entity": entity, "id": "new-1", "values": values.mapValues { $0 ?? NSNull() as Any }, "lists": lists]
      ]
    ])
    let keys = try #require(answer["keys"] as? [String: String])
    return try #require(keys["new-1"], "\(answer)")
  }

  /// Changes a value and returns the answer.
  func update(_ entity: String, _ key: String, _ name: String, from: String?, to: String?) throws -> [String: Any] {
    let change: [String: Any] = ["from": from ?? NSNull(), "to": to ?? NSNull()]
    return try post(["updates": [["entity": entity, "key": key, "values": [name: change]]]])
  }

  func value(_ entity: String, _ key: String, _ name: String) throws -> String? {
    let values = try #require(try object("editable", ["entity": entity, "key": key])["values"] as? [String: Any])
    return values[name] as? String
  }

  /// Returns the outcome, followed by the problems, conflicts or consequences.
  static func summary(_ answer: [String: Any]) -> String {
    func rows(_ name: String, _ value: Any?, _ text: ([String: Any]) -> String) -> String {
      (value as? [[String: Any]] ?? []).map { " \(name) \(text($0))" }.joined()
    }
    let consequences = answer["consequences"] as? [String: Any]
    return "\(answer["outcome"] ?? answer["error"] ?? "")"
      + rows("problem", answer["problems"]) { "\($0["property"] ?? "") \($0["message"] ?? "")" }
      + rows("conflict", answer["conflicts"]) { "\($0["property"] ?? "row") \($0["theirs"] ?? "nil")" }
      + rows("deleted", consequences?["deleted"]) { "\($0["entity"] ?? "") \($0["count"] ?? "")" }
      + rows("cleared", consequences?["cleared"]) {
        "\($0["entity"] ?? "").\($0["property"] ?? "") \($0["count"] ?? "")"
      }
  }
}
