import Foundation
import PostgresCommands
import PostgresSupport
import SampleTripsGolden
import StoreStudio
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Changes that the studio saves to stores on a server.
@Suite(.waiting) struct StudioSavingTests {
  private static let shop = """
    schema Shop 1.0.0

    @Model
    class Customer {
        #Unique<Customer>([\\.name])
        var name: String
        var visits: Int = 0
        @Relationship(deleteRule: .cascade, inverse: \\Order.customer) var orders: [Order] = []
        @Relationship(deleteRule: .deny, inverse: \\Card.owner) var cards: [Card] = []
    }

    @Model
    class Order {
        var number: Int
        var customer: Customer?
    }

    @Model
    class Card {
        var code: String
        var owner: Customer?
    }
    """

  private func summary(_ answer: [String: Any]) -> String {
    let problems = (answer["problems"] as? [[String: Any]] ?? []).map { problem in
      " \(problem["property"] ?? "") \(problem["message"] ?? "")"
    }
    let conflicts = (answer["conflicts"] as? [[String: Any]] ?? []).map { " \($0["theirs"] ?? "nil")" }
    return "\(answer["outcome"] ?? answer["error"] ?? "")" + (problems + conflicts).joined()
  }

  private func insert(
    _ entity: String, _ values: [String: String], in pair: StudioPair
  ) throws -> String {
    let answer = try pair.server.save(["inserts": [["entity": entity, "id": "new-1", "values": values]]])
    return try #require((answer["keys"] as? [String: String])?["new-1"], "\(answer)")
  }

  private func change(_ entity: String, _ key: String, _ name: String, _ from: String, _ to: String) -> [String: Any] {
    ["updates": [["entity": entity, "key": key, "values": [name: ["from": from, "to": to]]]]]
  }

  @Test func rulesAreThoseOfTheSchema() throws {
    let pair = try StudioPair(text: Self.shop)
    let ada = try insert("Customer", ["name": "Ada"], in: pair)
    let order = try insert("Order", ["number": "1", "customer": ada], in: pair)
    let card = try insert("Card", ["code": "x", "owner": ada], in: pair)
    let same = try pair.server.save(["inserts": [["entity": "Customer", "id": "new-1", "values": ["name": "Ada"]]]])
    #expect(summary(same) == "invalid name another Customer has the same name")
    let wrong = try pair.server.save(change("Order", order, "number", "1", "one"))
    #expect(summary(wrong) == "invalid number must be an integer")
    let deletion: [String: Any] = ["deletes": [["entity": "Customer", "key": ada]]]
    #expect(summary(try pair.server.save(deletion)) == "invalid cards cannot be deleted while 'cards' has 1 row")
    #expect(summary(try pair.server.save(["deletes": [["entity": "Card", "key": card]]])) == "saved")
    // A trial names the rows that the delete rules add, and saves nothing.
    let trial = try pair.server.post(deletion.merging(["isTrial": true]) { $1 })
    let deleted = (trial["consequences"] as? [String: Any])?["deleted"] as? [[String: Any]]
    #expect(deleted?.map { $0["entity"] as? String } == ["Customer", "Order"], "\(trial)")
    #expect(try pair.server.keys(["entity": "Order"]) == [order])
    #expect(summary(try pair.server.post(deletion)) == "confirm")
    #expect(summary(try pair.server.save(deletion)) == "saved")
    #expect(try pair.server.keys(["entity": "Order"]) == [])
    #expect(try pair.server.keys(["entity": "Customer"]) == [])
  }

  @Test func rowsExchangeUniqueValues() throws {
    let pair = try StudioPair(text: Self.shop)
    let ada = try insert("Customer", ["name": "Ada"], in: pair)
    let bob = try insert("Customer", ["name": "Bob"], in: pair)
    let answer = try pair.server.save([
      "updates": [
        ["entity": "Customer", "key": ada, "values": ["name": ["from": "Ada", "to": "Bob"]]],
        ["entity": "Customer", "key": bob, "values": ["name": ["from": "Bob", "to": "Ada"]]],
      ]
    ])
    #expect(summary(answer) == "saved")
    #expect(try pair.server.value("Customer", ada, "name") == "Bob")
  }

  @Test func textsThatAServerCannotStoreAreErrors() throws {
    let pair = try StudioPair(text: Self.shop)
    let ada = try insert("Customer", ["name": "Ada"], in: pair)
    let answer = try pair.server.save(change("Customer", ada, "name", "Ada", "A\0a"))
    #expect(summary(answer).contains("U+0000, which PostgreSQL cannot store"), "\(answer)")
    #expect(try pair.server.value("Customer", ada, "name") == "Ada")
  }

  @Test func changesByOthersAreConflicts() throws {
    let pair = try StudioPair(text: Self.shop)
    let (schema, server) = (pair.database.quoted, pair.database.server)
    let ada = try insert("Customer", ["name": "Ada"], in: pair)
    try server.psql("UPDATE \(schema).\"Customer\" SET \"visits\" = 5")
    #expect(summary(try pair.server.save(change("Customer", ada, "visits", "0", "1"))) == "conflict 5")
    try server.psql("DELETE FROM \(schema).\"Customer\"")
    #expect(summary(try pair.server.save(change("Customer", ada, "visits", "5", "6"))) == "conflict nil")
  }

  /// A statement that is committed after the studio has compared the values, and before it writes them.
  @Test func laterCommitsAreConflicts() throws {
    let pair = try StudioPair(text: Self.shop)
    let schema = pair.database.quoted
    let ada = try insert("Customer", ["name": "Ada"], in: pair)
    let lock = 7_317
    // Commits when the studio waits for the row.
    let wait = try pair.start(
      """
      BEGIN; UPDATE \(schema)."Customer" SET "visits" = 5; SELECT pg_advisory_lock(\(lock));
      DO $$ BEGIN
        FOR attempt IN 1..200 LOOP
          EXIT WHEN EXISTS (
            SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)));
          PERFORM pg_sleep(0.05);
        END LOOP;
      END $$;
      COMMIT
      """, lock: lock)
    #expect(summary(try pair.server.save(change("Customer", ada, "visits", "0", "1"))) == "conflict 5")
    try wait()
    #expect(try pair.server.value("Customer", ada, "visits") == "5")
  }

  /// Several studios and another program append words to the same text.
  @Test func noUpdateIsLost() async throws {
    let pair = try StudioPair(text: Self.shop)
    let key = try insert("Customer", ["name": "Ada"], in: pair)
    let configuration = pair.database.configuration
    let count = Repetitions.scaled(8)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask {
          let studio = StudioAnswers(try DatabaseStudio.open(configuration))
          var done = 0
          while done < count {
            let text = try #require(try studio.value("Customer", key, "name"))
            let change = ["from": text, "to": "\(text) \(number)-\(done)"]
            let answer = try studio.save([
              "updates": [["entity": "Customer", "key": key, "values": ["name": change]]]
            ])
            switch answer["outcome"] as? String {
            case "saved": done += 1
            case "conflict": continue
            default: throw Unexpected(answer: "\(answer)")
            }
          }
        }
      }
      let (schema, server) = (pair.database.quoted, pair.database.server)
      group.addTask {
        for done in 0..<count {
          try server.psql("UPDATE \(schema).\"Customer\" SET \"name\" = \"name\" || ' p-\(done)'")
        }
      }
      try await group.waitForAll()
    }
    let words = try #require(try pair.server.value("Customer", key, "name")).split(separator: " ").map(String.init)
    let expected = (["0", "1", "2", "p"]).flatMap { writer in (0..<count).map { "\(writer)-\($0)" } }
    #expect(words.sorted() == (["Ada"] + expected).sorted())
  }

  /// An app's saves and the studio's saves wait for each other, in either order.
  @Test func appsSaveMeanwhile() async throws {
    let configuration = try PostgresServer.shared.get().configuration()
    let container = try ModelContainer(for: Trip.self, configurations: configuration)
    let context = ModelContext(container)
    let trip = Trip(name: "a", destination: "b", startDate: .now, endDate: .now)
    context.insert(trip)
    try context.save()
    let key = "\(try #require(trip.persistentModelID.row))"
    let count = Repetitions.scaled(10)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let context = ModelContext(container)
        let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        for _ in 0..<count {
          trip.destination += "b"
          try context.save()
        }
      }
      group.addTask {
        let studio = StudioAnswers(try DatabaseStudio.open(configuration))
        for number in 1...count {
          let change = ["from": String(repeating: "a", count: number), "to": String(repeating: "a", count: number + 1)]
          let answer = try studio.save(["updates": [["entity": "Trip", "key": key, "values": ["name": change]]]])
          if answer["outcome"] as? String != "saved" { throw Unexpected(answer: "\(answer)") }
        }
      }
      try await group.waitForAll()
    }
    let studio = StudioAnswers(try DatabaseStudio.open(configuration))
    #expect(try studio.value("Trip", key, "name") == String(repeating: "a", count: count + 1))
    #expect(try studio.value("Trip", key, "destination") == String(repeating: "b", count: count + 1))
  }

  private struct Unexpected: Error { let answer: String }

  @Test func readersDoNotWrite() throws {
    let pair = try StudioPair("SampleTrips", rows: 2)
    var configuration = pair.database.configuration
    configuration.allowsSave = false
    let api = StudioAPI(try DatabaseStudio.open(configuration))
    let save = HTTPRequest(method: "POST", path: ["token", "api", "save"], body: Data("{}".utf8))
    #expect(api.response(to: save).status == 404)
    #expect(api.response(to: HTTPRequest(path: ["token", "api", "store"])).status == 200)
  }

  /// Random drafts for a file and for a server have the same answers and lead to the same rows.
  @Test func draftsHaveTheSameEffectsAsInAFile() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Repetitions.scaled(2) {
      let pair = try StudioPair("Relationships", rows: 8, seed: seed)
      for number in 0..<15 {
        let draft = try Self.draft(pair.file, &random)
        let (ours, theirs) = (try pair.server.save(draft), try pair.file.save(draft))
        #expect(summary(ours) == summary(theirs), "seed \(seed), \(draft)")
        if number % 5 == 4 { try pair.compare("seed \(seed), \(draft)") }
      }
    }
  }

  /// Returns a random change of a value, a relationship or a list, or a random deletion.
  private static func draft(_ store: StudioAnswers, _ random: inout SeededGenerator) throws -> [String: Any] {
    let entities = try store.entities
    func row(_ entity: String) throws -> String {
      try store.keys(["entity": entity]).randomElement(using: &random) ?? "1"
    }
    let entity = try #require(entities.randomElement(using: &random))
    let name = try #require(entity["name"] as? String)
    let key = try row(name)
    let properties = try #require(entity["properties"] as? [[String: Any]])
    guard Int.random(in: 0..<5, using: &random) > 0, let property = properties.randomElement(using: &random),
      let label = property["name"] as? String
    else { return ["deletes": [["entity": name, "key": key]]] }
    var update: [String: Any] = ["entity": name, "key": key]
    if property["kind"] as? String == "toMany" {
      let other = try row(try #require(property["destination"] as? String))
      let isRemoved = Bool.random(using: &random)
      update["lists"] = [label: isRemoved ? ["add": [], "remove": [other]] : ["add": [other], "remove": []]]
    } else {
      let destination = property["destination"] as? String
      let to = try destination.map { Bool.random(using: &random) ? try row($0) : nil } ?? "7"
      let from = try store.value(name, key, label)
      update["values"] = [label: ["from": from ?? NSNull() as Any, "to": to ?? NSNull() as Any]]
    }
    return ["updates": [update]]
  }
}
