import Foundation
import SchemaGraph
import SchemaModel
import StoreCare
import StoreTransfer
import Trellis

/// Answers the page's requests. The first component of a path is the token, which ``StudioAccess`` has checked.
package struct StudioAPI: Sendable {
  private let store: StudioStore
  private let companions: StudioCompanions

  package init(_ store: StudioStore, _ companions: StudioCompanions = StudioCompanions()) {
    self.store = store
    self.companions = companions
  }

  package func response(to request: HTTPRequest) -> HTTPResponse {
    let path = Array(request.path.dropFirst())
    guard path.first == "api" else { return PageFiles.response(to: path) }
    do {
      return try answer(path.dropFirst().joined(separator: "/"), request.query)
    } catch let error as StudioError {
      return .error(400, error.description)
    } catch let error as SQLiteError {
      return .error(500, "the store cannot be read: \(error)")
    } catch let error as CareFailure {
      return .error(500, "\(error)")
    } catch {
      return .error(500, "\(error)")
    }
  }

  private func answer(_ name: String, _ query: HTTPQuery) throws -> HTTPResponse {
    switch name {
    case "store": return .json(try store.read { try $0.overview() })
    case "rows":
      let rows = try RowQuery(query)
      let after = try query["after"].map { text in
        guard let cursor = PageCursor(text) else { throw StudioError("'after' is not a place in a table") }
        return cursor
      }
      return .json(try store.read { try $0.page(rows, after: after) })
    case "row":
      let (entity, key) = (try query.text("entity"), try query.key())
      return .json(try store.read { try $0.detail(entity, key: key) })
    case "value":
      let (entity, key, property) = (try query.text("entity"), try query.key(), try query.text("property"))
      let value = try store.read { try $0.value(entity, key: key, property: property) }
      return HTTPResponse(contentType: value.type, body: Data(value.bytes))
    case "search":
      let text = try query.text("text")
      return .json(try store.read { try $0.search(text) })
    case "history":
      let before = query["before"].flatMap { Int64($0) }
      return .json(try store.read { try $0.timeline(before: before) })
    case "diagram":
      let schema = try store.read { $0.source.target.resolved }
      return HTTPResponse(
        contentType: "image/svg+xml", body: Data(DiagramDrawing(Diagram([schema])).text.utf8))
    case "change": return .json(["version": try store.version()])
    case "export": return try export(query)
    case let name where StudioCompanions.requests.contains(name): return try companions.answer(name, query)
    default: return .error(404, "there is no '\(name)'")
    }
  }

  private func export(_ query: HTTPQuery) throws -> HTTPResponse {
    guard let format = RowFormat(rawValue: query["format"] ?? "csv"), format == .csv || format == .json else {
      throw StudioError("the format must be csv or json")
    }
    let rows = try RowQuery(query)
    let bytes: [UInt8]
    do {
      bytes = try store.read { try $0.export(rows, format) }
    } catch let error as UnexportableValue {
      throw StudioError("\(error)")
    }
    return HTTPResponse(
      contentType: format == .csv ? "text/csv; charset=utf-8" : "application/json; charset=utf-8",
      headers: [.init("Content-Disposition", "attachment; filename=\"rows.\(format.rawValue)\"")], body: Data(bytes))
  }
}

extension RowQuery {
  fileprivate init(_ query: HTTPQuery) throws(StudioError) {
    entity = try query.text("entity")
    sort = query["sort"]
    isDescending = query["descending"] == "1"
    filter = query["where"]
    search = query["search"]
  }
}

extension HTTPQuery {
  fileprivate func text(_ name: String) throws(StudioError) -> String {
    guard let text = self[name] else { throw StudioError("'\(name)' is missing") }
    return text
  }

  fileprivate func key() throws(StudioError) -> Int64 {
    guard let key = Int64(try text("key")) else { throw StudioError("'key' must be a number") }
    return key
  }
}

// MARK: Overview

/// The store's schema and sizes.
struct StoreOverview: Encodable, Sendable {
  struct Entity: Encodable, Sendable {
    var name: String
    var superentity: String?
    var subclasses: [String]
    /// Nil if counting takes too long.
    var count: Int64?
    var documentation: String
    var properties: [StudioSchema.Property]
  }
  var path: String
  var name: String
  var version: String
  var size: Int64
  var isReadOnly = true
  var hasHistory: Bool
  var entities: [Entity]
}

extension StoreReader {
  func overview() throws -> StoreOverview {
    let resolved = source.target.resolved
    let end = ContinuousClock.now + .seconds(1)
    let entities = try schema.entities.map { entity in
      let left = ContinuousClock.now.duration(to: end)
      let count =
        left > .zero
        ? try Deadline.run(left, on: connection) { try self.count(table(entity), where: membership(entity)) } : nil
      return StoreOverview.Entity(
        name: entity.name, superentity: entity.resolved.superentity,
        subclasses: schema.entities.filter { $0.resolved.superentity == entity.name }.map(\.name), count: count,
        documentation: entity.resolved.documentation.joined(separator: "\n"), properties: entity.properties)
    }
    let transactions = try connection.integers(
      "SELECT 1 FROM \(name: HistoryTables.transactions) WHERE \"changes\" IS NOT NULL LIMIT 1")
    return StoreOverview(
      path: source.url.path, name: resolved.name, version: resolved.version.description,
      size: FileStamp.size(source.url.path), hasHistory: !transactions.isEmpty, entities: entities)
  }
}
