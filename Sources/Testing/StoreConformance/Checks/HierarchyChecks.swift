import Foundation
import Trellis

extension ConformanceCheck {
  static let hierarchies: [ConformanceCheck] = [
    ConformanceCheck(.hierarchies, "finds all subclasses through the base class") { store in
      let container = try media(store)
      let found: Models<ConformanceMedium> = try container.all(\.title)
      try expect(
        "fetch by base class: classes", found.map { "\(type(of: $0))" },
        [
          "ConformanceConcert", "ConformanceFilm", "ConformanceFilm", "ConformanceMedium",
          "ConformanceRecording",
        ])
      try expect(
        "fetch by base class: titles", found.map(\.title),
        ["concert", "film 1", "film 2", "medium", "recording"])
      let context = ModelContext(container)
      try expect("fetchCount by base class", try context.fetchCount(FetchDescriptor<ConformanceMedium>()), 5)
      try expect(
        "fetchIdentifiers by base class: count",
        try context.fetchIdentifiers(FetchDescriptor<ConformanceMedium>()).count, 5)
    },
    ConformanceCheck(.hierarchies, "finds a single class with all inherited values") { store in
      let container = try media(store)
      let films: Models<ConformanceFilm> = try container.all(\.title)
      try expect("fetch by subclass: titles", films.map(\.title), ["film 1", "film 2"])
      try expect("fetch by subclass: own values", films.map(\.minutes), [90, 120])
      try expect("fetch by subclass: inherited values", films.map(\.weight), [2, 3])
      let recordings: Models<ConformanceRecording> = try container.all(\.title)
      try expect("fetch by intermediate class", recordings.map(\.title), ["concert", "recording"])
      try expect("fetch by intermediate class: values", recordings.map(\.speaker), ["Bo", "Al"])
      let concerts: Models<ConformanceConcert> = try container.all(\.title)
      try expect("fetch by most derived class: values", concerts.map(\.hall), ["Old Hall"])
      try expect(
        "fetch by most derived class: a reference to the base class", concerts.map { $0.encore?.title },
        ["film 1"])
      try expect(
        "fetchCount by intermediate class",
        try ModelContext(container).fetchCount(FetchDescriptor<ConformanceRecording>()), 2)
    },
    ConformanceCheck(.hierarchies, "filters, orders and pages across classes") { store in
      let context = ModelContext(try media(store))
      var descriptor = FetchDescriptor<ConformanceMedium>(
        predicate: #Predicate { $0.weight >= 2 }, sortBy: [SortDescriptor(\.weight, order: .reverse)])
      try expect(
        "fetch by base class where weight >= 2", try context.fetch(descriptor).map(\.weight), [5, 4, 3, 2])
      descriptor.fetchOffset = 1
      descriptor.fetchLimit = 2
      try expect("fetch by base class with offset and limit", try context.fetch(descriptor).map(\.weight), [4, 3])
      var ofClass = FetchDescriptor<ConformanceFilm>(
        predicate: #Predicate { $0.minutes > 60 }, sortBy: [SortDescriptor(\.weight)])
      ofClass.fetchLimit = 1
      try expect("fetch by subclass with limit 1", try context.fetch(ofClass).map(\.title), ["film 1"])
    },
    ConformanceCheck(
      .hierarchies, "keeps classes and values when reopened", needsReopening: true
    ) { store in
      do { _ = try media(store) }
      let found: Models<ConformanceMedium> = try store.container().all(\.title)
      try expect(
        "fetch by base class after reopening", found.map { ($0 as? ConformanceFilm)?.minutes },
        [nil, 90, 120, nil, nil])
      try expect(
        "fetch by base class after reopening: most derived class",
        found.compactMap { ($0 as? ConformanceConcert)?.hall }, ["Old Hall"])
    },
    ConformanceCheck(.hierarchies, "updates subclass models") { store in
      let container = try media(store)
      let context = ModelContext(container)
      for medium in try context.fetch(FetchDescriptor<ConformanceMedium>()) {
        medium.weight += 10
        if let concert = medium as? ConformanceConcert { concert.hall = "New Hall" }
      }
      try context.save()
      let found: Models<ConformanceMedium> = try container.all(\.title)
      try expect("fetch after inherited values changed", found.map(\.weight), [15, 12, 13, 11, 14])
      try expect(
        "fetch after a value in the most derived class changed",
        found.compactMap { ($0 as? ConformanceConcert)?.hall }, ["New Hall"])
    },
    ConformanceCheck(.hierarchies, "keeps base class references to models of every subclass") { store in
      let container = try media(store)
      let loans: Models<ConformanceLoan> = try container.all(\.reader)
      try expect(
        "fetch: classes of referenced models", loans.map { $0.medium.map { "\(type(of: $0))" } },
        ["ConformanceConcert", "ConformanceFilm", "ConformanceMedium"])
      let films: Models<ConformanceFilm> = try container.all(\.title)
      try expect("fetch: an inherited list", films.map { $0.loans.map(\.reader) }, [["b"], []])
    },
    ConformanceCheck(.hierarchies, "deletes subclass models together with the base class") {
      store in
      let container = try media(store)
      let context = ModelContext(container)
      try context.delete(model: ConformanceRecording.self)
      try context.save()
      let left: Models<ConformanceMedium> = try container.all(\.title)
      try expect("fetch after delete(model:) for a class", left.map(\.title), ["film 1", "film 2", "medium"])
      let loans: Models<ConformanceLoan> = try container.all(\.reader)
      try expect(
        "fetch: references to deleted subclass models", loans.map { $0.medium?.title },
        [nil, "film 1", "medium"])
    },
    ConformanceCheck(.hierarchies, "keeps subclass models on request") { store in
      let container = try media(store)
      let context = ModelContext(container)
      try context.delete(model: ConformanceMedium.self, includeSubclasses: false)
      try context.save()
      let left: Models<ConformanceMedium> = try container.all(\.title)
      try expect(
        "fetch after delete(model:includeSubclasses: false)", left.map(\.title),
        ["concert", "film 1", "film 2", "recording"])
    },
  ]

  private static func media(_ store: ConformanceStore) throws -> ModelContainer {
    let container = try store.container()
    let context = ModelContext(container)
    let medium = ConformanceMedium(title: "medium", weight: 1)
    let film = ConformanceFilm(title: "film 1", weight: 2)
    film.minutes = 90
    let second = ConformanceFilm(title: "film 2", weight: 3)
    second.minutes = 120
    let recording = ConformanceRecording(title: "recording", weight: 4)
    recording.speaker = "Al"
    let concert = ConformanceConcert(title: "concert", weight: 5)
    concert.speaker = "Bo"
    concert.hall = "Old Hall"
    concert.encore = film
    for model in [medium, film, second, recording, concert] { context.insert(model) }
    context.insert(ConformanceLoan(reader: "a", medium: concert))
    context.insert(ConformanceLoan(reader: "b", medium: film))
    context.insert(ConformanceLoan(reader: "c", medium: medium))
    try context.save()
    return container
  }
}
