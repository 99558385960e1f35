import Foundation
import InheritanceGolden
import RelationshipsGolden
import SampleTripsGolden
import StoreStudio
import Testing
import Trellis
import TrellisTesting

/// The view 'Comparison': a store beside its backup, an older version, or another store.
@Suite struct StoreComparisonTests {
  /// A store that is compared with its backup.
  private struct Backup {
    let folder = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
    let api: StudioAPI

    /// - Parameters:
    ///   - write: Writes the rows of the backup.
    ///   - change: Changes the store afterwards.
    init(
      _ types: [any PersistentModel.Type], _ write: (ModelContext) throws -> Void,
      _ change: (ModelContext) throws -> Void
    ) throws {
      let copies = folder.appending(path: "copies")
      try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
      let url = folder.appending(path: "original.store")
      let container = try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url))
      let context = ModelContext(container)
      try write(context)
      try context.save()
      let backup = try #require(try container.backup(to: copies).first)
      try change(context)
      try context.save()
      var companions = StudioCompanions()
      companions.comparison = try StoreComparison(url, with: backup)
      api = StudioAPI(try StudioStore(url), companions)
    }

    func end() { try? FileManager.default.removeItem(at: folder) }
  }

  private func compare(_ store: TripStore, _ other: URL, limit: Duration = .seconds(20)) throws {
    var companions = StudioCompanions()
    companions.comparison = try StoreComparison(store.url, with: other, limit: limit)
    store.api = StudioAPI(try StudioStore(store.url), companions)
  }

  /// Returns the counts of an answer: only here, only there, changed, equal.
  private func counts(_ answer: [String: Any]) -> [Int?] {
    ["onlyHere", "onlyThere", "changed", "equal"].map { answer[$0] as? Int }
  }

  /// Returns the differences of an answer as texts such as `changed Trip 1: name a → b`.
  private func differences(_ answer: [String: Any]) throws -> [String] {
    try #require(answer["rows"] as? [[String: Any]]).map { row in
      let values = try #require(row["values"] as? [[String: Any]]).map { value in
        let texts = ["there", "here"].map { (value[$0] as? [String: Any])?["text"] as? String ?? "nil" }
        return "\(value["property"] ?? "") \(texts.joined(separator: " → "))"
      }
      let head = "\(row["kind"] ?? "") \(row["label"] ?? "")"
      return values.isEmpty ? head : "\(head): \(values.joined(separator: ", "))"
    }
  }

  // MARK: Copies

  @Test func aBackupIsEqualUntilTheStoreIsChanged() throws {
    let store = try TripStore(trips: 3)
    try compare(store, try store.backup(in: store))
    let summary = try store.object("comparison")
    #expect(summary["areCopies"] as? Bool == true)
    #expect((summary["changes"] as? [Any])?.isEmpty == true)
    let tables = try #require(summary["tables"] as? [[String: Any]])
    #expect(
      tables.map { $0["name"] as? String }.sorted { $0 ?? "" < $1 ?? "" } == [
        "BucketListItem", "LivingAccommodation", "Trip",
      ])
    #expect(counts(try store.object("differences", ["entity": "BucketListItem"])) == [0, 0, 0, 6])
    try store.change { trip in
      trip.destination = "<script>"
      trip.kind = .personal
      trip.livingAccommodation = nil
    }
    let changed = try store.object("differences", ["entity": "Trip"])
    #expect(counts(changed) == [0, 0, 1, 2])
    #expect(changed["isComplete"] as? Bool == true)
    #expect(changed["next"] == nil)
    #expect(
      try differences(changed) == [
        "changed Trip 0: destination Bergen → <script>, kind business → personal, livingAccommodation Place 0 → nil"
      ])
  }

  @Test func insertedAndDeletedRowsAreOnOneSide() throws {
    let (store, deleted) = (try TripStore(trips: 2), try TripStore(trips: 2))
    let backup = try deleted.backup(in: deleted)
    try deleted.delete()
    try compare(deleted, backup)
    let answer = try deleted.object("differences", ["entity": "Trip"])
    #expect(counts(answer) == [0, 2, 0, 0])
    let gone = try differences(answer)
    #expect(gone.count == 2)
    #expect(gone.first?.hasPrefix("onlyThere Trip 0: name Trip 0 → nil, destination Bergen → nil") == true, "\(gone)")
    // The stores of different programs have nothing to do with each other.
    try compare(store, deleted.url)
    #expect(try store.object("comparison")["areCopies"] as? Bool == false)
    let own = try differences(store.object("differences", ["entity": "Trip"]))
    #expect(own.first?.hasPrefix("onlyHere Trip 0: name nil → Trip 0, ") == true, "\(own)")
  }

  @Test func differencesArePagedAndTheFirstPageCountsAll() throws {
    let store = try TripStore(trips: 450)
    let backup = try store.backup(in: store)
    try store.delete()
    try compare(store, backup)
    var (keys, sizes, after) = ([String](), [Int](), String?.none)
    repeat {
      var query = ["entity": "Trip"]
      query["after"] = after
      let page = try store.object("differences", query)
      if after == nil { #expect(counts(page) == [0, 450, 0, 0]) }
      let rows = try #require(page["rows"] as? [[String: Any]])
      keys += rows.compactMap { $0["key"] as? String }
      sizes.append(rows.count)
      after = page["next"] as? String
    } while after != nil
    #expect(sizes == [200, 200, 50])
    #expect(Set(keys).count == 450)
  }

  @Test func aStoppedComparisonSaysSoAndGoesOn() throws {
    let store = try TripStore(trips: 3_000)
    try compare(store, try store.backup(in: store), limit: .zero)
    var (equal, answers, after) = (0, 0, String?.none)
    repeat {
      var query = ["entity": "BucketListItem"]
      query["after"] = after
      let answer = try store.object("differences", query)
      equal += try #require(answer["equal"] as? Int)
      answers += 1
      after = answer["next"] as? String
      #expect(answer["isComplete"] as? Bool == (after == nil))
    } while after != nil && answers < 1_000
    #expect(equal == 6_000)
    #expect(answers > 1)
  }

  // MARK: Relationships and classes

  @Test func listsInJoinTablesAreProperties() throws {
    let backup = try Backup([Library.self]) { context in
      let readers = ["Ada", "Bob", "Cid"].map { Reader(name: $0) }
      for _ in 0..<3 { context.insert(Library(readers: readers)) }
    } _: { context in
      let libraries = try context.fetch(FetchDescriptor<Library>())
        .sorted { $0.persistentModelID < $1.persistentModelID }
      libraries[0].readers.removeAll { $0.name == "Bob" }
      libraries[2].readers.reverse()
    }
    defer { backup.end() }
    let libraries = try backup.api.object("differences", ["entity": "Library"])
    #expect(counts(libraries) == [0, 0, 2, 1])
    #expect(
      try differences(libraries) == [
        "changed Library 1: readers 3 rows: Ada, Bob, Cid → 2 rows: Ada, Cid",
        "changed Library 3: readers 3 rows: Ada, Bob, Cid → 3 rows: Cid, Bob, Ada",
      ])
    let readers = try backup.api.object("differences", ["entity": "Reader"])
    #expect(
      try differences(readers) == [
        "changed Bob: libraries 3 rows: Library 1, Library 2, Library 3 → 2 rows: Library 2, Library 3"
      ])
  }

  @Test func subclassesAreComparedWithTheirSuperclass() throws {
    let backup = try Backup([Journey.self, BusinessJourney.self, PersonalJourney.self]) { context in
      context.insert(BusinessJourney(name: "a", company: "x"))
      context.insert(PersonalJourney(name: "b"))
    } _: { context in
      let journey = try #require(try context.fetch(FetchDescriptor<BusinessJourney>()).first)
      journey.company = "y"
      context.insert(PersonalJourney(name: "c"))
    }
    defer { backup.end() }
    let summary = try backup.api.object("comparison")
    let tables = try #require(summary["tables"] as? [[String: Any]])
    let table = try #require(tables.first { $0["name"] as? String == "Journey" })
    #expect((table["subclasses"] as? [String])?.contains("BusinessJourney") == true)
    let found = try differences(backup.api.object("differences", ["entity": "Journey"]))
    #expect(found.count == 2)
    #expect(found.first == "changed a: company x → y")
    #expect(found.last?.hasPrefix("onlyHere c: class nil → PersonalJourney, name nil → c") == true, "\(found)")
    _ = try backup.api.object("differences", ["entity": "BusinessJourney"], status: 400)
  }

  // MARK: Schemas

  @Test func differentSchemasAreComparedByTheirCommonProperties() throws {
    let store = try TripStore(trips: 2)
    let old = store.url.deletingLastPathComponent().appending(path: "old.store")
    try StoreFixture(SampleTripsSchema.V1_0_0.self, rowsPerModel: 4).write(to: old)
    try compare(store, old)
    let summary = try store.object("comparison")
    let changes = try #require(summary["changes"] as? [[String: Any]]).compactMap { $0["text"] as? String }
    #expect(changes.contains("attribute 'Trip.tags' added with type '[String]'"))
    let tables = try #require(summary["tables"] as? [[String: Any]])
    let trips = try #require(tables.first { $0["name"] as? String == "Trip" })
    let omitted = try #require(trips["omitted"] as? [String])
    #expect(Set(["title", "name", "budget", "tags"]).isSubset(of: omitted))
    #expect(!omitted.contains("destination"))
    // The older version has no accommodations.
    #expect(counts(try store.object("differences", ["entity": "LivingAccommodation"])) == [2, 0, 0, 0])
  }

  @Test(
    arguments: [[:], ["entity": "Nothing"], ["entity": "Trip", "after": "x"]] as [[String: String]])
  func invalidRequestsHaveAReason(_ query: [String: String]) throws {
    let store = try TripStore(trips: 1)
    try compare(store, try store.backup(in: store))
    #expect((try store.object("differences", query, status: 400)["error"] as? String)?.isEmpty == false)
  }

  @Test(arguments: ["comparison", "migration", "statements"])
  func viewsWithoutAFileExplainTheirOption(_ name: String) throws {
    let store = try TripStore(trips: 1)
    #expect((try store.object(name)["hint"] as? String)?.contains("trellis studio STORE --") == true)
  }
}
