import Foundation
import Testing
import Trellis

/// An operation of a context with its result.
struct ReelOperation: Sendable, CustomTestStringConvertible {
  let name: String
  let run: @Sendable (ReelWorld) throws -> String

  var testDescription: String { name }

  init(_ name: String, _ run: @escaping @Sendable (ReelWorld) throws -> String) {
    self.name = name
    self.run = run
  }

  // MARK: Queries

  /// A filter by studio and year with a sort order by year and title, both as a descriptor and for stores that evaluate
  /// them.
  private static func descriptor(
    limit: Int? = nil, offset: Int? = nil, isFiltered: Bool = true, isSorted: Bool = true
  ) -> FetchDescriptor<ReelFilm> {
    var descriptor = FetchDescriptor<ReelFilm>()
    if isFiltered {
      descriptor.predicate = #Predicate { $0.year > 1990 && $0.title != "t6" && $0.studio?.name != "Bror" }
    }
    if isSorted { descriptor.sortBy = [SortDescriptor(\.year, order: .reverse), SortDescriptor(\.title)] }
    descriptor.fetchLimit = limit
    descriptor.fetchOffset = offset
    return descriptor
  }

  /// Creates the descriptors together with the filter and order for stores that evaluate them.
  ///
  /// - Parameter isSectioned: True if films without a studio come first.
  private static func asking<R>(
    _ world: ReelWorld, isSectioned: Bool = false, _ body: () throws -> R
  ) rethrows -> R {
    let bror = try? world.studio("Bror").persistentModelID
    return try TalentStore.Question.$current.withValue(
      .init { snapshot in
        guard let year = snapshot[\ReelFilm.year], let title = snapshot[\ReelFilm.title] else {
          return false
        }
        return year > 1990 && title != "t6" && (snapshot[\ReelFilm.studio] != bror)
      } precedes: { lhs, rhs in
        let (isFirst, isOtherFirst) = (lhs[\ReelFilm.studio] == nil, rhs[\ReelFilm.studio] == nil)
        if isSectioned, isFirst != isOtherFirst { return isFirst }
        let (one, other) = (lhs[\ReelFilm.year] ?? 0, rhs[\ReelFilm.year] ?? 0)
        return one != other
          ? one > other : (lhs[\ReelFilm.title] ?? "") < (rhs[\ReelFilm.title] ?? "")
      }, operation: body)
  }

  private static func titles(_ films: some Sequence<ReelFilm>) -> String {
    films.map(\.title).joined(separator: " ")
  }

  private static let pages: [(Int?, Int?)] = [
    (nil, nil), (3, nil), (nil, 2), (2, 1), (0, nil), (100, 3), (2, 100), (1, 4),
  ]

  private static func pages(
    _ world: ReelWorld, isFiltered: Bool = true, isSorted: Bool = true,
    _ ask: (FetchDescriptor<ReelFilm>) throws -> String
  ) throws -> String {
    try asking(world) {
      try pages.map { limit, offset in
        try ask(
          descriptor(limit: limit, offset: offset, isFiltered: isFiltered, isSorted: isSorted))
      }.joined(separator: " | ")
    }
  }

  static let questions: [ReelOperation] = [
    .init("fetch") { world in try pages(world) { titles(try world.context.fetch($0)) } },
    .init("fetch, sorted") { world in
      try pages(world, isFiltered: false) { titles(try world.context.fetch($0)) }
    },
    .init("fetch, filtered") { world in
      try asking(world) {
        titles(try world.context.fetch(descriptor(isSorted: false)).sorted { $0.title < $1.title })
      }
    },
    .init("fetch with pending changes") { world in
      try world.film("t1").year = 2020
      world.context.insert(ReelFilm(title: "new", year: 1995))
      world.context.delete(try world.film("t4"))
      return try pages(world) { titles(try world.context.fetch($0)) }
    },
    .init("fetch without pending changes") { world in
      try world.film("t1").year = 2020
      world.context.insert(ReelFilm(title: "new", year: 1995))
      return try pages(world) { descriptor in
        var descriptor = descriptor
        descriptor.includePendingChanges = false
        return titles(try world.context.fetch(descriptor))
      }
    },
    .init("fetch of a subclass") { world in
      let descriptor = FetchDescriptor<ReelSeries>(
        predicate: #Predicate { $0.episodes > 3 }, sortBy: [SortDescriptor(\.episodes)])
      return try world.context.fetch(descriptor).map { "\($0.title) \($0.episodes)" }.joined(separator: " ")
    },
    .init("count") { world in try pages(world) { "\(try world.context.fetchCount($0))" } },
    .init("count, unsorted") { world in
      try pages(world, isSorted: false) { "\(try world.context.fetchCount($0))" }
    },
    .init("count of all") { world in
      try pages(world, isFiltered: false, isSorted: false) { "\(try world.context.fetchCount($0))" }
    },
    .init("identifiers") { world in
      try pages(world) { descriptor in
        titles(
          try world.context.fetchIdentifiers(descriptor).compactMap {
            world.context.model(for: $0) as? ReelFilm
          })
      }
    },
    .init("identifiers of all") { world in
      try pages(world, isFiltered: false) { descriptor in
        titles(
          try world.context.fetchIdentifiers(descriptor).compactMap {
            world.context.model(for: $0) as? ReelFilm
          })
      }
    },
    .init("batches") { world in
      try pages(world) { titles(try world.context.fetch($0, batchSize: 2)) }
    },
    .init("batches of identifiers") { world in
      try pages(world) { "\(try world.context.fetchIdentifiers($0, batchSize: 2).count)" }
    },
    .init("enumerate") { world in
      try pages(world) { descriptor in
        var seen: [String] = []
        try world.context.enumerate(descriptor, batchSize: 2) { seen.append($0.title) }
        return seen.joined(separator: " ")
      }
    },
    .init("snapshots") { world in
      try pages(world) { descriptor in
        try world.context.fetchSnapshots(descriptor, as: ReelFilm.Snapshot.self).map(\.title)
          .joined(separator: " ")
      }
    },
    .init("enumerate snapshots") { world in
      try pages(world) { descriptor in
        var seen: [String] = []
        try world.context.enumerateSnapshots(descriptor, as: ReelFilm.Snapshot.self) {
          seen.append("\($0.title) \($0.rating as Any)")
        }
        return seen.joined(separator: " ")
      }
    },
    .init("aggregates") { world in
      try pages(world) { descriptor in
        let (count, rated, sum, least) = try world.context.aggregate(
          .count, .count(\.rating), .sum(\.year), .minimum(\.rating), over: descriptor)
        return "\(count) \(rated) \(sum) \(least as Any)"
      }
    },
    .init("groups") { world in
      try world.context.groups(
        of: FetchDescriptor<ReelFilm>(predicate: #Predicate { $0.year > 1990 }), by: \.year,
        computing: .count, .maximum(\.rating), having: .count > 1, orderedBy: [.descending(.count)]
      ).map { "\($0)" }.joined(separator: " ")
    },
    .init("values") { world in
      let values = try world.context.values(
        of: \.title, \.studio?.name,
        fetching: FetchDescriptor<ReelFilm>(sortBy: [SortDescriptor(\.title)]))
      return values.map { "\($0)" }.joined(separator: " ")
    },
    .init("distinct values") { world in
      "\(try world.context.distinctValues(of: \ReelFilm.studio?.name))"
    },
    .init("prefetch") { world in
      var descriptor = descriptor()
      descriptor.relationshipKeyPathsForPrefetching = [\.studio, \.tags, \.scenes]
      return try asking(world) {
        try world.context.fetch(descriptor).map {
          "\($0.title) \($0.studio?.name ?? "-") \($0.tags.count) \($0.scenes.count)"
        }.joined(separator: " ")
      }
    },
    .init("properties to fetch") { world in
      var descriptor = descriptor()
      descriptor.propertiesToFetch = [\.title]
      return try asking(world) {
        try world.context.fetch(descriptor).map { "\($0.title) \($0.year)" }.joined(separator: " ")
      }
    },
    .init("related models") { world in
      let studio = try world.studio("Alva")
      let films = studio.related(\.films)
      let old = films.filter(#Predicate { $0.year < 1993 })
      let first = try films.first(sortedBy: SortDescriptor(\.year), SortDescriptor(\.title))
      return "\(try films.count) \(try old.count) \(try films.isEmpty) \(first?.title ?? "-") "
        + titles(try old.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.title)])))
        + " \(try films.aggregate(.sum(\.year)))"
    },
    .init("counts of lists") { world in
      let films = try world.films()
      return "\(try world.context.counts(of: \.tags, in: films)) "
        + "\(try world.context.counts(of: \.scenes, in: films))"
    },
    .init("models by identifier") { world in
      let identifiers = try ModelContext(world.container).fetch(
        FetchDescriptor<ReelFilm>(sortBy: [SortDescriptor(\.title)])
      ).map(\.persistentModelID)
      let films = identifiers.compactMap { world.context.model(for: $0) as? ReelFilm }
      let registered: ReelFilm? = world.context.registeredModel(for: identifiers[0])
      return "\(titles(films)) \(registered === films[0])"
    },
    .init("predicates over relationships") { world in
      let dark = FetchDescriptor<ReelFilm>(
        predicate: #Predicate { film in film.tags.contains { $0.word == "dark" } && !film.scenes.isEmpty })
      return titles(try world.context.fetch(dark).sorted { $0.title < $1.title })
    },
    .init("sections") { world in
      try asking(world, isSectioned: true) {
        let observer = try ResultsObserver(
          fetchDescriptor: descriptor(), sectionBy: \.studio?.name, modelContext: world.context)
        return (observer.sections?.map { "\($0.title): \(titles($0))" } ?? []).joined(separator: " ")
      }
    },
    .init("results that are observed") { world in
      try asking(world) {
        let observer = try ResultsObserver(fetchDescriptor: descriptor(limit: 3), modelContext: world.context)
        let before = titles(observer.results)
        let other = ModelContext(world.container)
        other.insert(ReelFilm(title: "newest", year: 2030))
        try other.save()
        observer.update()
        return before + " then " + titles(observer.results)
      }
    },
  ]
}
