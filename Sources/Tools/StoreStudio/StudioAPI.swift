import CSQLite
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
  private let allowsWrites: Bool

  package init(
    _ store: StudioStore, _ companions: StudioCompanions = StudioCompanions(), allowsWrites: Bool = false
  ) {
    self.store = store
    self.companions = companions
    self.allowsWrites = allowsWrites
  }

  package func response(to request: HTTPRequest) -> HTTPResponse {
    let path = Array(request.path.dropFirst())
    // The page's relative addresses need the slash.
    if path.isEmpty, let token = request.path.first { return .redirect(to: "/\(token)/") }
    guard path.first == "api" else { return PageFiles.response(to: path) }
    do {
      let name = path.dropFirst().joined(separator: "/")
      return request.method == "POST" ? try change(name, request.body) : try answer(name, request.query)
    } catch let error as StudioError {
      return .error(400, error.description)
    } catch let error as SQLiteError where error.code.rawValue == SQLITE_BUSY {
      return .error(503, "another program is writing to the store: try again")
    } catch let error as SQLiteError {
      return .error(500, "the store cannot be \(request.method == "POST" ? "written" : "read"): \(error)")
    } catch let error as SwiftDataError {
      return .error(500, error.explanation ?? error.description)
    } catch let error as CareFailure {
      return .error(500, "\(error)")
    } catch {
      return .error(500, "\(error)")
    }
  }

  private func answer(_ name: String, _ query: HTTPQuery) throws -> HTTPResponse {
    switch name {
    case "store":
      let isReadOnly = !allowsWrites
      return .json(try store.read { try $0.overview(isReadOnly: isReadOnly) })
    case "editable":
      let (entity, key) = (try query.text("entity"), try query.key())
      return .json(try store.read { try $0.editable(entity, key: key) })
    case "consequences":
      let (entity, key) = (try query.text("entity"), try query.key())
      return .json(try store.read { try $0.consequences(entity, key: key) })
    case "choices":
      let (entity, text) = (try query.text("entity"), query["text"] ?? "")
      return .json(try store.read { try $0.choices(entity, text) })
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
      let history = try HistoryQuery(query)
      return .json(try store.read { try $0.timeline(history) })
    case "diagram": return HTTPResponse(contentType: "image/svg+xml", body: Data(try diagram().text.utf8))
    case "places": return .json(try diagram().places)
    case "change": return .json(["version": try store.version()])
    case "export": return try export(query)
    case let name where StudioCompanions.requests.contains(name): return try companions.answer(name, query)
    default: return .error(404, "there is no '\(name)'")
    }
  }

  private func diagram() throws -> DiagramDrawing {
    DiagramDrawing(Diagram([try store.read { $0.target.resolved }]))
  }

  private func change(_ name: String, _ body: Data) throws -> HTTPResponse {
    guard name == "save", allowsWrites else { return .error(404, "there is no '\(name)'") }
    guard let draft = try? JSONDecoder().decode(Draft.self, from: body) else {
      throw StudioError("the changes are not readable")
    }
    return .json(try store.save(draft))
  }

  private func export(_ query: HTTPQuery) throws -> HTTPResponse {
    guard let format = RowFormat(rawValue: query["format"] ?? "csv"), format == .csv || format == .json else {
      throw StudioError("the format must be csv or json")
    }
    let rows = try RowQuery(query)
    let name = rows.entity.unicodeScalars.allSatisfy(\.isASCII) ? rows.entity : "rows"
    let bytes: [UInt8]
    do {
      bytes = try store.read { try $0.export(rows, format) }
    } catch let error as UnexportableValue {
      throw StudioError("\(error)")
    }
    return HTTPResponse(
      contentType: format == .csv ? "text/csv; charset=utf-8" : "application/json; charset=utf-8",
      headers: [.init("Content-Disposition", "attachment; filename=\"\(name).\(format.rawValue)\"")], body: Data(bytes))
  }
}

extension RowQuery {
  fileprivate init(_ query: HTTPQuery) throws(StudioError) {
    entity = try query.text("entity")
    sort = query["sort"]
    isDescending = query["descending"] == "1"
    filter = query["where"]
    search = query["search"]
    if let owner = query["of"] {
      // A reference without an inverse is named like 'Booking.trip'.
      let through = query["through"]?.split(separator: ".", maxSplits: 1).map(String.init)
      let key = try query.key()
      related =
        if let through, through.count == 2 {
          RowQuery.Related(entity: through[0], property: through[1], key: key, isReversed: true)
        } else {
          RowQuery.Related(entity: owner, property: try query.text("property"), key: key, isReversed: false)
        }
    }
  }
}

extension HistoryQuery {
  fileprivate init(_ query: HTTPQuery) throws(StudioError) {
    before = query["before"].flatMap { Int64($0) }
    author = query["author"]
    if let entity = query["entity"] { row = (entity, try query.key()) }
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
    /// Nil if counting takes too long or fails.
    var count: Int64?
    var documentation: String
    var properties: [StudioSchema.Property]
  }
  var path: String
  var name: String
  var version: String
  var size: Int64
  var isReadOnly: Bool
  var hasHistory: Bool
  var entities: [Entity]
}

extension StoreReader {
  func overview(isReadOnly: Bool) throws -> StoreOverview {
    let resolved = target.resolved
    let end = ContinuousClock.now + .seconds(1)
    let entities = try schema.entities.map { entity in
      let left = ContinuousClock.now.duration(to: end)
      let count =
        left > .zero
        ? try? database.run(within: left) { try self.count(table(entity), where: membership(entity)) } : nil
      return StoreOverview.Entity(
        name: entity.name, superentity: entity.resolved.superentity,
        subclasses: schema.entities.filter { $0.resolved.superentity == entity.name }.map(\.name), count: count,
        documentation: entity.resolved.documentation.joined(separator: "\n"), properties: try properties(entity))
    }
    let history = database.internalTable(HistoryTables.transactions)
    let transactions = try? database.integers("SELECT 1 FROM \(name: history) WHERE \"changes\" IS NOT NULL LIMIT 1")
    return StoreOverview(
      path: database.place, name: resolved.name, version: resolved.version.description,
      size: try database.size(), isReadOnly: isReadOnly, hasHistory: transactions?.isEmpty == false,
      entities: entities)
  }

  /// Returns the properties with the default values as texts.
  private func properties(_ entity: StudioSchema.Entity) throws -> [StudioSchema.Property] {
    try entity.properties.map { property in
      var property = property
      if property.kind == "attribute", let index = entity.table.column(named: property.name) {
        let column = entity.table.columns[index]
        let value = target.catalogue.preset(of: column.column, in: entity.layout.table)
        property.default = try value.flatMap { try text(of: $0, column.form) }
      }
      return property
    }
  }
}
