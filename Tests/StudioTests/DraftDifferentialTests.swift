import Foundation
import RelationshipsGolden
import StoreStudio
import TestSupport
import Testing
import Trellis

/// Random changes that a context and the studio save to equal stores.
@Suite struct DraftDifferentialTests {
  @Test func theStudioWritesWhatAContextWrites() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Repetitions.scaled(4) {
      let pair = try StorePair()
      for _ in 0..<20 {
        let changes = try pair.changes(&random)
        let problem = try pair.save(changes)
        // A context ignores changes to a row that it deletes. The studio refuses such a draft.
        if problem?.contains("deleted by the same save") == true { break }
        if problem?.contains("leads to a row that is deleted") == true { break }
        #expect(problem == nil, "seed \(seed), \(changes): \(problem ?? "")")
        if problem != nil { break }
      }
    }
  }
}

/// A relationship of the schema as a context changes it.
private struct Link: Sendable {
  let entity: String
  let name: String
  let destination: String
  let isToMany: Bool
  /// Sets, adds or removes the row with a key.
  let apply: @Sendable (ModelContext, _ owner: Int64, _ other: Int64?, _ isRemoved: Bool) throws -> Void

  static func one<O: PersistentModel, D: PersistentModel>(
    _ name: String, _ path: any ReferenceWritableKeyPath<O, D?> & Sendable
  ) -> Link {
    Link(
      entity: O._$definition.entityName, name: name, destination: D._$definition.entityName, isToMany: false
    ) { context, owner, other, _ in
      try model(O.self, owner, context)[keyPath: path] = try other.map { try model(D.self, $0, context) }
    }
  }

  static func many<O: PersistentModel, D: PersistentModel>(
    _ name: String, _ path: any ReferenceWritableKeyPath<O, [D]> & Sendable
  ) -> Link {
    Link(
      entity: O._$definition.entityName, name: name, destination: D._$definition.entityName, isToMany: true
    ) { context, owner, other, isRemoved in
      let (owner, other) = (try model(O.self, owner, context), try model(D.self, try #require(other), context))
      if isRemoved {
        owner[keyPath: path].removeAll { $0 === other }
      } else {
        owner[keyPath: path].append(other)
      }
    }
  }

  static func model<M: PersistentModel>(_: M.Type, _ key: Int64, _ context: ModelContext) throws -> M {
    try #require(try context.fetch(FetchDescriptor<M>()).first { $0.persistentModelID.row == key })
  }

  static let all: [Link] = [
    one("sponsor", \Library.sponsor), one("desk", \Library.desk), one("library", \Book.library),
    one("library", \Desk.library), one("firstBook", \Reader.firstBook), one("mentor", \Reader.mentor),
    one("spouse", \Reader.spouse), one("cupboard", \Shelf.cupboard), many("books", \Library.books),
    many("readers", \Library.readers), many("libraries", \Reader.libraries), many("pupils", \Reader.pupils),
    many("friends", \Reader.friends),
  ]
}

private enum Change: CustomStringConvertible {
  case link(Link, owner: Int64, other: Int64?, isRemoved: Bool)
  case delete(String, Int64)
  case rename(Int64, String)
  case insert(String, name: String)

  /// The rows that the change mentions.
  var rows: Set<String> {
    switch self {
    case .link(let link, let owner, let other, _):
      Set(["\(link.entity) \(owner)"] + (other.map { ["\(link.destination) \($0)"] } ?? []))
    case .delete(let entity, let key): ["\(entity) \(key)"]
    case .rename(let key, _): ["Reader \(key)"]
    case .insert: ["new"]
    }
  }

  var description: String {
    switch self {
    case .link(let link, let owner, let other, let isRemoved):
      "\(link.entity) \(owner).\(link.name) \(isRemoved ? "-" : "+") \(other.map { "\($0)" } ?? "nil")"
    case .delete(let entity, let key): "delete \(entity) \(key)"
    case .rename(let key, let name): "Reader \(key).name = \(name)"
    case .insert(let entity, let name): "insert \(entity) '\(name)'"
    }
  }
}

/// Two copies of a store: a context changes one, the studio the other.
private final class StorePair {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "pair-\(UUID().uuidString)")
  private var context: URL { folder.appending(path: "context.store") }
  private var studio: URL { folder.appending(path: "studio.store") }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try change { context in
      let readers = (0..<6).map { Reader(name: "Reader \($0)", friends: []) }
      readers.forEach(context.insert)
      (readers[1].mentor, readers[2].mentor, readers[0].spouse) = (readers[0], readers[0], readers[1])
      readers[3].friends = [readers[4], readers[5]]
      let libraries = (0..<3).map { _ in Library() }
      libraries.forEach(context.insert)
      libraries[0].readers = [readers[2], readers[0], readers[1]]
      libraries[1].sponsor = readers[5]
      libraries[2].desk = Desk()
      context.insert(Desk())
      context.insert(Shelf(cupboard: libraries[0]))
      context.insert(Shelf())
      for number in 0..<3 {
        let book = Book(title: "Book \(number)", authors: [readers[number]], firstReader: readers[number + 3])
        context.insert(book)
        book.library = libraries[number % 2]
      }
    }
    try FileManager.default.copyItem(at: context, to: studio)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Each change opens the store again, because an open store uses its reserved keys.
  private func change(_ body: (ModelContext) throws -> Void) throws {
    let container = try ModelContainer(for: Library.self, configurations: ModelConfiguration(url: context))
    let context = ModelContext(container)
    context.author = "studio"
    try body(context)
    try context.save()
  }

  private func keys(_ entity: String) throws -> [Int64] {
    try Connection(context.path, .readOnly).integers("SELECT \"id\" FROM \(name: entity) ORDER BY 1")
  }

  /// Returns up to three changes that mention different rows.
  func changes(_ random: inout SeededGenerator) throws -> [Change] {
    var (changes, rows) = ([Change](), Set<String>())
    for _ in 0...random.roll(3) {
      let change = try change(&random)
      guard rows.isDisjoint(with: change.rows) else { continue }
      rows.formUnion(change.rows)
      changes.append(change)
    }
    let isDeletion = { (change: Change) in if case .delete = change { true } else { false } }
    return changes.filter { !isDeletion($0) } + changes.filter(isDeletion)
  }

  private func change(_ random: inout SeededGenerator) throws -> Change {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .insert(["Reader", "Desk", "Library", "Shelf"].randomElement(using: &random) ?? "Desk", name: "New")
    case 1:
      let entity = ["Library", "Book", "Desk", "Reader", "Shelf"].randomElement(using: &random) ?? "Book"
      if let key = try keys(entity).randomElement(using: &random) { return .delete(entity, key) }
    case 2:
      if let key = try keys("Reader").randomElement(using: &random) {
        return .rename(key, "Reader \(Int.random(in: 0..<8, using: &random))")
      }
    default: break
    }
    while true {
      let link = try #require(Link.all.randomElement(using: &random))
      guard let owner = try keys(link.entity).randomElement(using: &random) else { continue }
      if link.isToMany {
        let members = try members(link, owner)
        if Bool.random(using: &random), let member = members.randomElement(using: &random) {
          return .link(link, owner: owner, other: member, isRemoved: true)
        }
        let others = try keys(link.destination).filter { !members.contains($0) }
        guard let other = others.randomElement(using: &random) else { continue }
        return .link(link, owner: owner, other: other, isRemoved: false)
      }
      let other =
        Int.random(in: 0..<4, using: &random) == 0 ? nil : try keys(link.destination).randomElement(using: &random)
      return .link(link, owner: owner, other: other, isRemoved: false)
    }
  }

  private func members(_ link: Link, _ owner: Int64) throws -> [Int64] {
    let row = try object("row", ["entity": link.entity, "key": "\(owner)"])
    let lists = try #require(row["toMany"] as? [[String: Any]])
    let list = lists.first { $0["name"] as? String == link.name }
    return (list?["rows"] as? [[String: Any]] ?? []).compactMap { ($0["key"] as? String).flatMap { Int64($0) } }
  }

  // MARK: Saving

  /// Saves a change in both stores.
  ///
  /// - Returns: The difference between the stores; nil if there is none.
  func save(_ changes: [Change]) throws -> String? {
    var refusal: String?
    do {
      try change { context in for change in changes { try Self.apply(change, context) } }
    } catch let error as SwiftDataError {
      refusal = "\(error)"
    }
    var draft: [String: [Any]] = [:]
    for change in changes { draft.merge(try self.draft(change)) { $0 + $1 } }
    let answer = try post(draft)
    guard (answer["outcome"] as? String == "saved") == (refusal == nil) else {
      return "the context says \(refusal ?? "saved"), the studio \(answer)"
    }
    let (first, second) = (try Self.dump(context), try Self.dump(studio))
    guard first != second else { return nil }
    let lines = first.difference(from: second).map { change in
      switch change {
      case .insert(_, let line, _): "context: \(line)"
      case .remove(_, let line, _): "studio: \(line)"
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func apply(_ change: Change, _ context: ModelContext) throws {
    switch change {
    case .link(let link, let owner, let other, let isRemoved): try link.apply(context, owner, other, isRemoved)
    case .rename(let key, let name): try Link.model(Reader.self, key, context).name = name
    case .delete(let entity, let key):
      switch entity {
      case "Library": context.delete(try Link.model(Library.self, key, context))
      case "Book": context.delete(try Link.model(Book.self, key, context))
      case "Desk": context.delete(try Link.model(Desk.self, key, context))
      case "Reader": context.delete(try Link.model(Reader.self, key, context))
      default: context.delete(try Link.model(Shelf.self, key, context))
      }
    case .insert(let entity, let name):
      switch entity {
      case "Reader": context.insert(Reader(name: name, friends: []))
      case "Desk": context.insert(Desk())
      case "Library": context.insert(Library())
      default: context.insert(Shelf())
      }
    }
  }

  private func draft(_ change: Change) throws -> [String: [Any]] {
    switch change {
    case .delete(let entity, let key): return ["deletes": [["entity": entity, "key": "\(key)"]]]
    case .rename(let key, let name):
      return [
        "updates": [["entity": "Reader", "key": "\(key)", "values": ["name": try value("Reader", key, "name", name)]]]
      ]
    case .insert(let entity, let name):
      return ["inserts": [["entity": entity, "id": "new-1", "values": entity == "Reader" ? ["name": name] : [:]]]]
    case .link(let link, let owner, let other, let isRemoved):
      let other = other.map { "\($0)" }
      var update: [String: Any] = ["entity": link.entity, "key": "\(owner)"]
      if link.isToMany {
        update["lists"] = [link.name: isRemoved ? ["add": [], "remove": [other]] : ["add": [other], "remove": []]]
      } else {
        update["values"] = [link.name: try value(link.entity, owner, link.name, other)]
      }
      return ["updates": [update]]
    }
  }

  private func value(_ entity: String, _ key: Int64, _ property: String, _ to: String?) throws -> [String: Any] {
    let row = try object("editable", ["entity": entity, "key": "\(key)"])
    let values = try #require(row["values"] as? [String: Any])
    return ["from": values[property] ?? NSNull(), "to": to ?? NSNull()]
  }

  private func api() throws -> StudioAPI { StudioAPI(try StudioStore(studio), allowsWrites: true) }

  private func object(_ name: String, _ query: [String: String]) throws -> [String: Any] {
    var parameters = HTTPQuery()
    for (name, value) in query { parameters.append(name, value) }
    let response = try api().response(to: HTTPRequest(path: ["token", "api", name], query: parameters))
    return try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
  }

  /// Sends a draft, and again with the consequences that are to be confirmed.
  private func post(_ draft: [String: Any]) throws -> [String: Any] {
    let api = try api()
    func send(_ draft: [String: Any]) throws -> [String: Any] {
      let body = try JSONSerialization.data(withJSONObject: draft)
      let response = api.response(to: HTTPRequest(method: "POST", path: ["token", "api", "save"], body: body))
      return try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
    }
    let answer = try send(draft)
    guard answer["outcome"] as? String == "confirm" else { return answer }
    let consequences = try #require(answer["consequences"] as? [String: Any])
    return try send(draft.merging(["confirmed": consequences["fingerprint"] ?? ""]) { $1 })
  }

  /// Returns all rows of all tables without the times of transactions.
  private static func dump(_ url: URL) throws -> [String] {
    let connection = try Connection(url.path, .readOnly)
    let tables = try connection.rows("SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table' ORDER BY 1")
    return try tables.flatMap { table -> [String] in
      guard case .text(let name) = table[0] else { return [] }
      return try connection.rows("SELECT * FROM \(name: name) ORDER BY 1, 2").map { row in
        let values = try row.enumerated().map { index, value in
          if name == HistoryTables.transactions, index == 1 { return "time" }
          guard case .blob(let bytes) = value, name == HistoryTables.transactions else { return "\(value)" }
          return try changes(bytes).joined(separator: ", ")
        }
        return "\(name) \(values.joined(separator: " | "))"
      }
    }
  }

  /// Returns the changes of a transaction, whose order does not matter.
  private static func changes(_ bytes: [UInt8]) throws -> [String] {
    var (changes, reader) = ([String](), HistoryReader(bytes))
    while let group = try reader?.next() {
      for row in group.rows.keys {
        let slots = (columns: Array(group.columns.slots), lists: Array(group.lists.slots))
        changes.append("\(group.kind) \(group.entity)/\(row) \(slots)")
      }
    }
    return changes.sorted()
  }
}
