import Foundation
import Testing

@testable import Trellis

@Suite struct FetchDescriptorTests {
  private func titled(_ title: String) -> FetchDescriptor<Song> {
    FetchDescriptor(
      predicate: #Predicate { $0.title == title && $0.title.contains("a") },
      sortBy: [SortDescriptor(\.title)])
  }

  @Test func defaultsMatchTheDocumentation() {
    let descriptor = FetchDescriptor<Song>()
    #expect(descriptor.predicate == nil && descriptor.sortBy.isEmpty)
    #expect(descriptor.fetchLimit == nil && descriptor.fetchOffset == 0)
    #expect(descriptor.includePendingChanges && descriptor.propertiesToFetch.isEmpty)
    #expect(descriptor.relationshipKeyPathsForPrefetching.isEmpty)
  }

  @Test func descriptorsAreEqualIfTheirQueriesAreEqual() {
    #expect(FetchDescriptor<Song>() == FetchDescriptor<Song>())
    #expect(titled("a") == titled("a"))
    #expect(titled("a") != titled("b"))
    #expect(titled("a") != FetchDescriptor<Song>(sortBy: [SortDescriptor(\.title)]))
    let other = FetchDescriptor<Song>(
      predicate: #Predicate { $0.title != "a" }, sortBy: [SortDescriptor(\.title)])
    #expect(titled("a") != other)
    var limited = titled("a")
    limited.fetchLimit = 1
    #expect(limited != titled("a"))
    var unlimited = FetchDescriptor<Song>()
    unlimited.fetchOffset = nil
    #expect(unlimited == FetchDescriptor<Song>())
  }

  @Test func predicatesWithSeveralVariablesAreComparable() {
    func crossing(_ title: String) -> FetchDescriptor<Album> {
      FetchDescriptor(
        predicate: #Predicate { album in
          album.songs.contains { song in song.title == title && album.title == title }
        })
    }
    #expect(crossing("a") == crossing("a"))
    #expect(crossing("a") != crossing("b"))
  }

  @Test func S083_batchesAreLoadedOnAccess() {
    final class Log { var ranges: [Range<Int>] = [] }
    let log = Log()
    let results = FetchResultsCollection(count: 10, batchSize: 4) { range in
      log.ranges.append(range)
      return range.map { $0 * 10 }
    }
    #expect(log.ranges.isEmpty && results.count == 10)
    #expect(results[9] == 90)
    #expect(log.ranges == [8..<10])
    #expect(Array(results) == (0..<10).map { $0 * 10 })
    #expect(log.ranges == [8..<10, 0..<4, 4..<8])
    #expect(results.last == 90 && results.index(0, offsetBy: 3) == 3)
    #expect(Array(results.reversed()).first == 90)
  }
}
