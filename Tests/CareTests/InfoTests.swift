import Foundation
import SampleTripsGolden
import StoreCare
import Testing
import Trellis

@Suite struct InfoTests {
  @Test func everyPartIsMeasured() throws {
    let store = try StoreUnderTest("SampleTrips")
    let info = try StoreInfo(store.path)
    #expect(info.version == "3.0.0")
    #expect(info.bytes == info.pages * info.pageSize)
    let trips = try #require(info.tables.first { $0.name == "Trip" })
    #expect(trips.rows == 24)
    #expect(trips.bytes > 0)
    #expect(info.isEstimated || trips.indexes.map(\.name).contains("Trip_startDate_index"))
    #expect(info.externalFiles.count == store.externalFiles.count)
    #expect(info.externalFiles.bytes > 128 * 1024)
    #expect(info.history.transactions == 0)
    #expect(info.history.removable == nil)
    #expect(info.text.contains("\n  history        0 transactions, "))
  }

  @Test(
    arguments: [
      ("30d", .age(seconds: 2_592_000)), ("12h", .age(seconds: 43_200)), ("8w", .age(seconds: 4_838_400)),
      ("1000", .newest(1_000)), ("0", nil), ("-1", nil), ("d", nil), ("3x", nil), ("", nil), ("99999999999d", nil),
    ] as [(String, HistoryPolicy?)]) func aPolicyIsAnAgeOrANumber(_ text: String, _ policy: HistoryPolicy?)
  {
    #expect(HistoryPolicy(text) == policy)
  }

  @Test(
    arguments: [
      ("0.0", "2001-01-01T00:00:00Z"), ("800000000.0", "2026-05-09T06:13:20Z"), ("9e999", nil), ("-9e999", nil),
      ("1e300", nil),
    ] as [(String, String?)]) func theOldestTransactionIsADate(_ time: String, _ date: String?) throws
  {
    let store = try StoreUnderTest("SampleTrips")
    try store.run("INSERT INTO trellis_history VALUES (1, \(time), NULL, 'b', 'p', x'010001')")
    let json = CareTests.store("info", store.path, "--format", "json")
    #expect(json.status == 0, "\(json.errors)")
    let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((report?["history"] as? [String: Any])?["oldest"] as? String == date)
  }

  @Test func aPolicyShowsWhatItWouldFree() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "trips.store")
    let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
    for number in 0..<6 {
      let context = ModelContext(container)
      context.insert(BucketListItem(title: "item \(number)"))
      try context.save()
    }
    func removable(_ policy: HistoryPolicy, after seconds: Double = 0) throws -> Int? {
      try StoreInfo(url.path, keeping: policy, now: .now + seconds).history.removable?.count
    }
    #expect(try removable(.newest(4)) == 2)
    #expect(try removable(.newest(100)) == 0)
    #expect(try removable(.newest(1)) == 5)
    #expect(try removable(.age(seconds: 3_600)) == 0)
    // The last transaction is always kept.
    #expect(try removable(.age(seconds: 3_600), after: 7_200) == 5)
    let all = try StoreInfo(url.path, keeping: .newest(1)).history
    #expect((1..<all.bytes).contains(all.removable?.bytes ?? 0))
  }
}
