import Foundation
import PostgresCommands
import PostgresSupport
import SchemaDriver
import StoreStudio
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// The studio's answers about stores on a server.
@Suite(.waiting) struct StudioReadingTests {
  /// Every kind of value, paging in both directions, rows with their relationships, searches and exports.
  @Test(arguments: ["Values", "Inheritance", "Relationships", "SampleTrips"])
  func answersAreThoseAboutAFile(_ schema: String) throws {
    try StudioPair(schema, rows: 24).compare()
  }

  @Test func longTablesArePaged() throws {
    let pair = try StudioPair("SampleTrips", rows: 450)
    for direction in ["0", "1"] {
      let query = ["entity": "Trip", "sort": "startDate", "descending": direction]
      #expect(try pair.server.keys(query) == pair.file.keys(query))
    }
    // As in Swift, equal text in different normalization forms is equal. Missing values come first.
    for (entity, sort) in [("Trip", "name"), ("LivingAccommodation", "bookingReference")] {
      let query = ["entity": entity, "sort": sort]
      let texts = try pair.server.texts(sort, query)
      #expect(texts.count == 450)
      #expect(Set(try pair.server.keys(query)).count == 450)
      #expect(zip(texts, texts.dropFirst()).allSatisfy { $0 == nil || $1 != nil })
      let present = texts.compactMap { $0 }
      #expect(zip(present, present.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(try pair.server.keys(query.merging(["descending": "1"]) { $1 }).reversed() == pair.server.keys(query))
    }
  }

  @Test(arguments: [
    "$0.budget != nil && $0.budget! > 1000", "$0.budget == nil", "$0.kind == .business", "$0.name.contains(\"é\")",
    "$0.bucketList.contains { $0.isInPlan }", "$0.tags.count > 3", "$0.name < $0.destination",
    "$0.livingAccommodation?.placeName == $0.name", "$0.startDate > $0.endDate",
    "$0.tags.contains(\"a\") && $0.bucketList.count > 1",
  ])
  func filtersSelectTheRowsThatTheySelectInAFile(_ text: String) throws {
    let pair = try Self.trips.get()
    let query = ["entity": "Trip", "where": text]
    #expect(try pair.server.keys(query) == pair.file.keys(query))
    let sorted = query.merging(["sort": "endDate", "descending": "1", "search": "a"]) { $1 }
    #expect(try pair.server.keys(sorted) == pair.file.keys(sorted))
    #expect(pair.server.response("export", query).body == pair.file.response("export", query).body)
  }

  private static nonisolated(unsafe) let trips = Result { try StudioPair("SampleTrips", rows: 60) }

  @Test func unusualValuesAreShownExactly() throws {
    let pair = try StudioPair(
      text: """
        schema Odd 1.0.0

        @Model
        class Odd {
            var text: String
            var large: UInt64
            var real: Double
            var single: Float
            var flag: Bool
            var number: Decimal
            var data: Data
        }
        """)
    let image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1])
    let answer = try pair.server.save([
      "inserts": [
        [
          "entity": "Odd", "id": "new-1",
          "values": [
            "text": "e\u{301}", "large": "18446744073709551615", "real": "NaN", "single": "NaN", "flag": "true",
            "number": "-12.5", "data": image.base64EncodedString(),
          ],
        ]
      ]
    ])
    let key = try #require((answer["keys"] as? [String: String])?["new-1"], "\(answer)")
    for (property, value) in [
      ("text", "e\u{301}"), ("large", "18446744073709551615"), ("real", "NaN"), ("single", "NaN"), ("flag", "true"),
      ("number", "-12.5"),
    ] {
      let found = try pair.server.value("Odd", key, property)
      #expect(found.map { Array($0.unicodeScalars) } == Array(value.unicodeScalars), "\(property)")
    }
    let row = try pair.server.object("row", ["entity": "Odd", "key": key])
    let cells = try #require(row["cells"] as? [String: [String: Any]])
    #expect((row["label"] as? String).map { Array($0.unicodeScalars) } == Array("e\u{301}".unicodeScalars))
    #expect(cells["data"]?["bytes"] as? Int == 10)
    #expect(cells["data"]?["isImage"] as? Bool == true)
    // The table contains the normalized text, and the page after the row begins at it.
    #expect(try pair.server.keys(["entity": "Odd", "search": "\u{E9}"]) == [key])
    for sort in ["text", "large", "real", "single", "flag"] {
      #expect(try pair.server.keys(["entity": "Odd", "sort": sort]) == [key])
    }
  }

  @Test func theHistoryListsSavesAndPreservedValues() throws {
    let pair = try StudioPair(
      text: """
        schema Shop 1.0.0

        @Model
        class Order {
            @Attribute(.preserveValueOnDeletion) var name: String
            var number: Int
        }
        """)
    let before = try pair.server.object("change")["version"] as? String
    let answer = try pair.server.save([
      "inserts": [["entity": "Order", "id": "new-1", "values": ["name": "ä", "number": "1"]]]
    ])
    let key = try #require((answer["keys"] as? [String: String])?["new-1"], "\(answer)")
    #expect(try pair.server.object("change")["version"] as? String != before)
    _ = try pair.server.save([
      "updates": [["entity": "Order", "key": key, "values": ["number": ["from": "1", "to": "2"]]]]
    ])
    _ = try pair.server.save(["deletes": [["entity": "Order", "key": key]]])
    let history = try pair.server.object("history")
    let transactions = try #require(history["transactions"] as? [[String: Any]])
    #expect(transactions.map { $0["author"] as? String } == ["studio", "studio", "studio"])
    let changes = try transactions.map { try #require(($0["changes"] as? [[String: Any]])?.first) }
    #expect(changes.map { $0["kind"] as? String } == ["delete", "update", "insert"])
    #expect(changes[0]["label"] as? String == "ä")
    #expect(changes[0]["tombstone"] as? [String: String] == ["name": "ä"])
    #expect(changes[1]["properties"] as? [String] == ["number"])
  }

  @Test func slowQueriesAreStopped() throws {
    let pair = try StudioPair("SampleTrips", rows: 2)
    let (schema, lock) = (pair.database.quoted, 7_318)
    let wait = try pair.start(
      "BEGIN; LOCK TABLE \(schema).\"Trip\"; SELECT pg_advisory_lock(\(lock)); SELECT pg_sleep(1.5); COMMIT", lock: lock
    )
    let trip = try #require(try pair.server.entities.first { $0["name"] as? String == "Trip" })
    #expect(trip["count"] is NSNull || trip["count"] == nil)
    try wait()
    let again = try #require(try pair.server.entities.first { $0["name"] as? String == "Trip" })
    #expect(try again["count"] as? Int == pair.server.keys(["entity": "Trip"]).count)
  }

  @Test func aReplacedStoreIsOpenedAgain() throws {
    let pair = try StudioPair("SampleTrips", rows: 4)
    #expect(try pair.server.keys(["entity": "Trip"]).count == 4)
    let before = try pair.server.object("change")["version"] as? String
    #expect(pair.database.run("fixture", "--rows", "6", "--force", TestDatabase.schemas).status == .clean)
    #expect(try pair.server.object("change")["version"] as? String != before)
    #expect(try pair.server.keys(["entity": "Trip"]).count == 6)
  }

  @Test func passwordsAreNotShown() throws {
    let pair = try StudioPair("SampleTrips", rows: 2)
    let overview = String(decoding: pair.server.response("store").body, as: UTF8.self)
    #expect(overview.contains(pair.database.name))
    #expect(!overview.contains(TestDatabase.password))
    for words in [["--schema", "missing"], ["--compare", "a.store"], ["--schema", "missing", "--port", "1"]] {
      let result = pair.database.run(["studio", pair.database.url, "--no-open"] + words)
      #expect(result.status == .usage)
      #expect(!result.progress.contains(TestDatabase.password), "\(result)")
    }
    let refused = pair.database.run(["studio", pair.database.url, "--no-open", "--trace", "a.jsonl"])
    #expect(refused.progress == "error: '--trace' applies to store files, not to databases\n")
  }
}
