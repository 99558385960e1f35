import Foundation
import Testing
import Trellis

@testable import SampleTrips

/// The current version can open a store of the first release with all its contents.
struct VintageTests {
  @Test func storesOfTheFirstReleaseOpen() throws {
    let program = try Program()
    #expect(program.run("vintage").out.hasPrefix("8 trips in a store of version 1.0.0: "))
    #expect(program.run("vintage").error.contains("a store already exists at"))
    let list = program.run("list")
    #expect(list.error == "")
    // One of two duplicate trips remains.
    #expect(list.out.components(separatedBy: "Entered twice").count == 2)
    let page = program.run("show", "Porto in a week").out
    #expect(page.contains("Casa do Rio"))
    #expect(page.contains("Cais da Ribeira 4"))
    #expect(page.contains("1,000.10") || page.contains("1000.1"), "\(page)")
    #expect(page.contains("A walk through Porto"))
    #expect(program.run("list", "--unconfirmed").out.contains("京都"))
    #expect(!program.run("list", "--unconfirmed").out.contains("Reykjavík"))
    // A second opening changes nothing.
    #expect(program.run("list").out == list.out)
  }

  @Test func theFirstReleaseDoesNotSupportJSON() throws {
    let program = try Program(kind: "json:")
    let outcome = program.run("vintage")
    #expect(outcome.status != 0)
    #expect(outcome.error.contains("the first release supported only SQLite files"))
    #expect(!FileManager.default.fileExists(atPath: program.path("trips.store")))
  }

  /// The plan fills values, which an opening without it would skip.
  @Test func storesOfTheFirstReleaseAreRejectedWithoutThePlan() throws {
    let program = try Program()
    _ = program.run("vintage")
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: program.path("trips.store")))
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Trip.self, configurations: configuration)
    }
    #expect(error?.explanation?.hasSuffix("'migrationPlan: SampleTripsMigrationPlan.self'") == true)
    // Nothing was touched.
    _ = try ModelContainer(
      for: Trip.self, migrationPlan: SampleTripsMigrationPlan.self, configurations: configuration)
  }

  @Test func valuesAndRelationshipsAreKept() throws {
    let program = try Program()
    _ = program.run("vintage")
    let context = ModelContext(
      try ModelContainer(
        for: Trip.self, migrationPlan: SampleTripsMigrationPlan.self,
        configurations: ModelConfiguration(url: URL(fileURLWithPath: program.path("trips.store")))))
    let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]))
    #expect(trips.count == 7)
    let first = try #require(trips.first)
    #expect(first.name == "Reykjavík in a week")
    #expect(first.budget == Decimal(string: "999.1"))
    #expect(first.kind == .personal)
    #expect(first.bucketList.map(\.title) == ["A walk through Reykjavík"])
    #expect(first.bucketList.first?.trip === first)
    #expect(first.livingAccommodation?.placeName == "Harbour Rooms")
    #expect(first.livingAccommodation?.isConfirmed == true)
    #expect(first.livingAccommodation?.trip === first)
    #expect(try context.fetchCount(FetchDescriptor<LivingAccommodation>()) == 6)
    #expect(trips.last?.budget == Decimal(string: "1004.1") || trips.last?.name == "Entered twice")
    #expect(trips.first { $0.name == "Entered twice" }?.livingAccommodation == nil)
  }
}
