import Foundation
import SampleTripsGolden
import StoreStudio
import Testing
import Trellis

/// The answers to the page's requests, for a store with trips.
@Suite struct StudioAPITests {
  // MARK: Tables

  @Test func theOverviewListsEntitiesAndProperties() throws {
    let store = try TripStore(trips: 3)
    let overview = try store.object("store")
    #expect(overview["name"] as? String == "SampleTrips")
    #expect(overview["hasHistory"] as? Bool == true)
    let entities = try #require(overview["entities"] as? [[String: Any]])
    #expect(
      entities.map { "\($0["name"] ?? "") \($0["count"] ?? "")" }.sorted() == [
        "BucketListItem 6", "LivingAccommodation 3", "Trip 3",
      ])
    let trip = try #require(entities.first { $0["name"] as? String == "Trip" })
    let properties = try #require(trip["properties"] as? [[String: Any]])
    let forms = properties.map { "\($0["name"] ?? "") \($0["kind"] ?? "") \($0["form"] ?? "")" }
    #expect(forms.contains("kind attribute enum"))
    #expect(forms.contains("startDate attribute date"))
    #expect(forms.contains("bucketList toMany relationship"))
    #expect(!forms.contains { $0.hasPrefix("forecast") })
  }

  @Test func pagesContainEveryRowOnce() throws {
    let store = try TripStore(trips: 450)
    for (sort, descending) in [(nil, "0"), ("name", "0"), ("name", "1"), ("details", "0"), ("details", "1")] {
      var (keys, after, pages) = ([String](), String?.none, 0)
      repeat {
        var query = ["entity": "BucketListItem", "descending": descending]
        query["sort"] = sort == "name" ? "title" : sort
        query["after"] = after
        let page = try store.object("rows", query)
        keys += try #require(page["rows"] as? [[String: Any]]).compactMap { $0["key"] as? String }
        after = page["next"] as? String
        pages += 1
      } while after != nil
      #expect(keys.count == 900)
      #expect(Set(keys).count == 900)
      #expect(pages == 5)
    }
  }

  @Test func missingValuesAreSortedFirstAndPaged() throws {
    let store = try TripStore(trips: 450, referenced: 100)
    for descending in ["0", "1"] {
      var (values, after) = ([String?](), String?.none)
      repeat {
        var query = ["entity": "LivingAccommodation", "sort": "bookingReference", "descending": descending]
        query["after"] = after
        let page = try store.object("rows", query)
        let names = try #require(page["columns"] as? [String])
        let column = try #require(names.firstIndex(of: "bookingReference"))
        values += try #require(page["rows"] as? [[String: Any]]).map { row in
          ((row["cells"] as? [Any])?[column] as? [String: Any])?["text"] as? String
        }
        after = page["next"] as? String
      } while after != nil
      let expected = [String?](repeating: nil, count: 350) + (0..<100).map { String(format: "R%03d", $0) }
      #expect(values == (descending == "1" ? expected.reversed() : expected))
    }
  }

  @Test func predicatesAndSearchesSelectRows() throws {
    let store = try TripStore(trips: 20)
    func names(_ query: [String: String]) throws -> [String] {
      let page = try store.object("rows", query.merging(["entity": "Trip"]) { first, _ in first })
      let column = try #require((page["columns"] as? [String])?.firstIndex(of: "name"))
      return try #require(page["rows"] as? [[String: Any]]).compactMap { row in
        ((row["cells"] as? [Any])?[column] as? [String: Any])?["text"] as? String
      }
    }
    #expect(try names(["where": "$0.name == \"Trip 7\""]) == ["Trip 7"])
    #expect(try names(["where": "$0.bucketList.contains { $0.title == \"Item 3b\" }"]) == ["Trip 3"])
    #expect(try names(["search": "trip 1"]).count == 11)
    #expect(try store.object("rows", ["entity": "Trip", "search": "trip 1"])["count"] as? Int == 11)
    #expect(try names(["search": "%"]) == [])
    #expect(try names(["search": "p 1", "where": "$0.kind == .business"]).count == 5)
    let failure = try store.object("rows", ["entity": "Trip", "where": "$0.nmae == 1"], status: 400)
    #expect((failure["error"] as? String)?.contains("nmae") == true)
  }

  // MARK: Rows

  @Test func rowsShowTheirRelationshipsInBothDirections() throws {
    let store = try TripStore(trips: 2)
    let trip = try store.object("row", ["entity": "Trip", "key": "1"])
    #expect(trip["label"] as? String == "Trip 0")
    let lists = try #require(trip["toMany"] as? [[String: Any]])
    #expect(lists.map { $0["count"] as? Int } == [2])
    let members = try #require(lists.first?["rows"] as? [[String: String]])
    #expect(members.map { $0["label"] } == ["Item 0a", "Item 0b"])
    let cells = try #require(trip["cells"] as? [String: Any])
    #expect((cells["kind"] as? [String: Any])?["text"] as? String == "business")
    #expect((cells["startDate"] as? [String: Any])?["text"] as? String == "2001-01-01T00:00:01Z")
    #expect(cells["budget"] is NSNull)
    let answer = try store.object("consequences", ["entity": "Trip", "key": "1"])
    let consequences = try #require(answer["consequences"] as? [String: Any])
    let deleted = try #require(consequences["deleted"] as? [[String: Any]])
    #expect(
      deleted.map { "\($0["entity"] ?? "") \($0["count"] ?? "")" } == [
        "BucketListItem 2", "LivingAccommodation 1", "Trip 1",
      ])
    let item = try store.object("row", ["entity": "BucketListItem", "key": members.first?["key"] ?? ""])
    let link = (item["cells"] as? [String: Any])?["trip"] as? [String: Any]
    #expect(link?["entity"] as? String == "Trip")
    #expect(link?["text"] as? String == "Trip 0")
    _ = try store.object("row", ["entity": "Trip", "key": "99"], status: 400)
  }

  @Test func largeValuesAreCutAndSentOnRequest() throws {
    let store = try TripStore(trips: 1)
    let text = String(repeating: "é", count: 5_000)
    try store.change { trip in
      trip.destination = text
      trip.photo = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(count: 200_000)
    }
    let cells = try #require(try store.object("row", ["entity": "Trip", "key": "1"])["cells"] as? [String: Any])
    let destination = try #require(cells["destination"] as? [String: Any])
    #expect(destination["text"] as? String == String(text.prefix(500)))
    #expect(destination["bytes"] as? Int == 10_000)
    let whole = store.response("value", ["entity": "Trip", "key": "1", "property": "destination"])
    #expect(String(decoding: whole.body, as: UTF8.self) == text)
    let photo = store.response("value", ["entity": "Trip", "key": "1", "property": "photo"])
    #expect(photo.contentType == "image/png")
    #expect(photo.body.count == 200_008)
  }

  // MARK: Stores

  @Test func historyShowsAuthorsChangesAndTombstones() throws {
    let store = try TripStore(trips: 1)
    try store.change { $0.destination = "Oslo" }
    try store.delete()
    let history = try store.object("history")
    let transactions = try #require(history["transactions"] as? [[String: Any]])
    #expect(transactions.map { $0["author"] as? String } == ["deleter", "changer", "writer"])
    let changes = try transactions.map { try #require($0["changes"] as? [[String: Any]]) }
    #expect(changes[1].map { $0["properties"] as? [String] } == [["destination"]])
    let deleted = try #require(changes[0].first { $0["entity"] as? String == "Trip" })
    #expect((deleted["tombstone"] as? [String: String])?["name"] == "Trip 0")
    #expect(history["next"] is NSNull || history["next"] == nil)
  }

  @Test func searchFindsTextInEveryEntity() throws {
    let store = try TripStore(trips: 3)
    let found = try store.object("search", ["text": "item 2a"])
    let results = try #require(found["results"] as? [[String: String]])
    #expect(
      results.map { "\($0["entity"] ?? "") \($0["property"] ?? "") \($0["text"] ?? "")" } == [
        "BucketListItem title Item 2a"
      ])
    #expect(found["isComplete"] as? Bool == true)
  }

  @Test func commitsOfOtherContextsChangeTheVersion() throws {
    let store = try TripStore(trips: 1)
    let before = try store.object("change")["version"] as? String
    #expect(try store.object("change")["version"] as? String == before)
    try store.change { $0.destination = "Bergen" }
    #expect(try store.object("change")["version"] as? String != before)
  }

  @Test func replacedFilesAreOpenedAgain() throws {
    let (store, other) = (try TripStore(trips: 1), try TripStore(trips: 5))
    func count() throws -> Int? { try (store.object("rows", ["entity": "Trip"])["rows"] as? [Any])?.count }
    #expect(try count() == 1)
    try store.replace(by: other)
    #expect(try count() == 5)
  }

  @Test func viewsAreExported() throws {
    let store = try TripStore(trips: 12)
    let csv = store.response(
      "export", ["entity": "Trip", "format": "csv", "search": "Trip 1", "sort": "name", "descending": "1"])
    let lines = String(decoding: csv.body, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.first?.hasPrefix("id,") == true)
    #expect(lines[1].contains("Trip 11"))
    let json = store.response("export", ["entity": "Trip", "format": "json", "where": "$0.name == \"Trip 3\""])
    #expect((try JSONSerialization.jsonObject(with: json.body) as? [[String: Any]])?.count == 1)
    #expect(store.response("export", ["entity": "Trip", "format": "xml"]).status == 400)
  }

  @Test(
    arguments: [
      ("nothing", [:], 404), ("rows", [:], 400), ("rows", ["entity": "Nothing"], 400),
      ("rows", ["entity": "Trip", "sort": "bucketList"], 400), ("rows", ["entity": "Trip", "sort": "address"], 400),
      ("rows", ["entity": "Trip", "after": "x"], 400), ("row", ["entity": "Trip", "key": "x"], 400),
      ("value", ["entity": "Trip", "key": "1", "property": "x"], 400),
    ] as [(String, [String: String], Int)])
  func requestsThatCannotBeAnsweredHaveAReason(_ name: String, _ query: [String: String], _ status: Int) throws {
    let store = try TripStore(trips: 1)
    let failure = try store.object(name, query, status: status)
    #expect((failure["error"] as? String)?.isEmpty == false)
  }

  @Test func thePageAndTheDiagramAreServed() throws {
    let store = try TripStore(trips: 1)
    #expect(store.response("diagram").contentType == "image/svg+xml")
    let places = try JSONSerialization.jsonObject(with: store.response("places").body) as? [[String: Any]] ?? []
    #expect(places.compactMap { $0["model"] as? String }.sorted() == ["BucketListItem", "LivingAccommodation", "Trip"])
    for place in places {
      let sizes = ["x", "y", "width", "height"].compactMap { place[$0] as? Double }
      #expect(sizes.count == 4 && sizes.allSatisfy { $0 > 0 && $0 < 1 })
    }
    for (name, type) in [("", "text/html"), ("studio.css", "text/css"), ("studio.js", "text/javascript")] {
      let file = store.api.response(to: HTTPRequest(path: ["token", name]))
      #expect(file.status == 200)
      #expect(file.contentType.hasPrefix(type))
      #expect(!file.body.isEmpty)
    }
    #expect(store.api.response(to: HTTPRequest(path: ["token", "..", "Package.swift"])).status == 404)
    let incomplete = store.api.response(to: HTTPRequest(path: ["token"]))
    #expect(incomplete.status == 308)
    #expect(incomplete.headers == [.init("Location", "/token/")])
  }
}
