import Foundation
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// The location of a predicate's evaluation.
enum Answer: Equatable {
  case sql, memory
}

/// A store with thirty films for checks of predicates.
final class FilmFixture {
  let container: ModelContainer
  let context: ModelContext
  private var others: [ModelContext] = []

  /// The films, sorted by number.
  private(set) var films: [Film] = []
  private(set) var studios: [Studio] = []
  private(set) var people: [Person] = []
  private(set) var genres: [Genre] = []

  static let day = Date(timeIntervalSinceReferenceDate: 86_400 * 10)

  init() throws {
    container = try ModelContainer(
      for: Film.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    fill()
    try context.save()
  }

  static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, UInt8(number)))
  }

  private func fill() {
    let countries = ["Norge", "Chile"].map { Country(name: $0) }
    people = ["Ada", "Bo", "ada"].map { Person(name: $0) }
    countries[0].leader = people[0]
    studios = (0..<4).map { number in
      let studio = Studio(id: Self.uuid(100 + number), name: ["Nord", "Süd", "Ost", "nord"][number])
      studio.code = number
      studio.flag = number % 2 == 0
      studio.rank = number == 3 ? nil : number * 10
      studio.country = number == 2 ? nil : countries[number % 2]
      return studio
    }
    people[1].agency = studios[1]
    people[2].agency = studios[2]
    genres = ["drama", "noir", "Drama"].map { Genre(name: $0) }
    films = (0..<30).map(film)
    films[4].prequel = films[3]
    films[5].prequel = films[4]
    films[6].prequel = films[4]
    for film in films { context.insert(film) }
  }

  private func film(_ number: Int) -> Film {
    let film = Film(
      name: ["alpha", "Alpha", "beta", "Ålesund", "gamma ray", "a%_b", ""][number % 7],
      date: Self.day.addingTimeInterval(Double(number % 5) * 3600), uid: Self.uuid(number),
      place: Place(city: ["Oslo", "Lima"][number % 2], floor: number % 3 == 0 ? nil : number % 3),
      director: people[number % 3])
    film.note = number % 4 == 0 ? nil : ["x", "alpha", "Zürich"][number % 3]
    film.count = number % 6
    film.optCount = number % 5 == 0 ? nil : number % 3
    film.small = Int8(number * 8 - 120)
    film.big = [0, 1, .max, 1 << 63][number % 4]
    film.size = [0, 0.5, 1.5, -2.25][number % 4]
    film.ratio = [0, 0.5, 1.5, -2.25][number % 4]
    film.price = [0, 9.5, 10, -1][number % 4]
    film.length = .seconds([60, 90, -1, 7_200][number % 4])
    film.flag = number % 2 == 0
    film.archived = number % 3 == 0
    film.optFlag = [true, false, nil][number % 3]
    film.optDate = number % 4 == 1 ? nil : Self.day.addingTimeInterval(Double(number % 3) * 3600)
    film.optUID = number % 3 == 0 ? nil : Self.uuid(number % 4)
    film.link = number % 2 == 0 ? nil : URL(string: "https://example.org/\(number % 3)")
    film.mood = Mood.allCases[number % 3]
    film.optMood = number % 4 == 0 ? nil : Mood.allCases[number % 3]
    film.moodRaw = film.optMood?.rawValue
    film.grade = Rating.allCases[number % 3]
    film.tags = number % 4 == 0 ? [] : ["t\(number % 3)", "common"]
    film.scores = Array(0..<(number % 4))
    film.words = number % 2 == 0 ? ["w"] : []
    film.labels = number % 3 == 0 ? [:] : ["k": number % 3, "n": 1]
    film.data = Data(repeating: 1, count: number % 3)
    film.optPlace = number % 2 == 0 ? nil : film.place
    film.studio = number % 5 == 4 ? nil : studios[number % 4]
    for index in 0..<(number % 4) {
      let scene = Scene(title: ["intro", "chase", "end"][index])
      scene.length = index == 1 ? nil : number + index
      scene.weight = index + 1
      scene.lead = number % 2 == 0 ? people[index] : nil
      film.scenes.append(scene)
    }
    film.genres = genres.enumerated().filter { number % ($0.offset + 2) == 0 }.map(\.element)
    return film
  }

  /// Another context, which the fixture retains.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    others.append(context)
    return context
  }

  // MARK: Checks

  func store() throws -> DefaultStore {
    try #require(container.core.stores.first?.store as? DefaultStore)
  }

  /// The SQL of a predicate. Throws ``Untranslatable`` if it is evaluated in memory.
  func sql<T: PersistentModel>(_ predicate: Predicate<T>) throws -> String {
    let store = try store()
    let translator = PredicateTranslator(
      layout: store.catalogue.layout, entity: try store.plans.plan(for: T._$definition).entity,
      marks: store.marks, storeIdentifier: store.identifier)
    return try translator.filter(predicate).text
  }

  /// Executes all kinds of queries, with and without pending changes, and compares the results with
  /// `Predicate.evaluate`.
  ///
  /// - Parameter isSelective: True if the predicate must match some films but not all, so that the comparison is
  ///   meaningful.
  func check(
    _ predicate: Predicate<Film>, _ answer: Answer, isSelective: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    var text = "in memory"
    do {
      text = try sql(predicate)
      #expect(answer == .sql, "\(text)", sourceLocation: location)
    } catch let reason as Untranslatable {
      #expect(answer == .memory, "\(reason)", sourceLocation: location)
    }
    let note = Comment(rawValue: text)
    let expected = try films.filter(predicate.evaluate).map(\.persistentModelID)
    if isSelective {
      #expect(
        !expected.isEmpty && expected.count < films.count, "\(expected.count) of \(films.count)",
        sourceLocation: location)
    }
    // A new context, a context with all models and a context with changes.
    for (prepare, isKept) in [(nothing, false), (loaded, true), (changed, true)] {
      let context = ModelContext(container)
      try prepare(context)
      let all = try context.fetch(FetchDescriptor<Film>())
      let matches = try Set(all.filter(predicate.evaluate).map(\.persistentModelID))
      if !context.hasChanges {
        #expect(matches == Set(expected), note, sourceLocation: location)
      }
      let other = isKept ? context : ModelContext(container)
      let descriptor = FetchDescriptor(predicate: predicate)
      #expect(
        try Set(other.fetch(descriptor).map(\.persistentModelID)) == matches, note,
        sourceLocation: location)
      #expect(try other.fetchCount(descriptor) == matches.count, note, sourceLocation: location)
      #expect(
        try Set(other.fetchIdentifiers(descriptor)) == matches, note, sourceLocation: location)
      try other.delete(model: Film.self, where: predicate)
      let rest = try other.fetch(FetchDescriptor<Film>()).map(\.persistentModelID)
      #expect(
        Set(rest) == Set(all.map(\.persistentModelID)).subtracting(matches), note,
        sourceLocation: location)
      other.rollback()
    }
  }

  private func nothing(_ context: ModelContext) {}

  private func loaded(_ context: ModelContext) throws {
    for film in try context.fetch(FetchDescriptor<Film>()) { _ = film.scenes.count }
  }

  /// Makes pending changes of every kind, which move films into and out of most matches.
  private func changed(_ context: ModelContext) throws {
    let all = try context.fetch(FetchDescriptor<Film>(sortBy: [SortDescriptor(\.small)]))
    for (index, film) in all.enumerated() where index % 5 == 0 {
      let model = all[(index + 7) % 30]
      (film.name, film.note, film.count) = (model.name, model.note, model.count)
      (film.optCount, film.flag, film.optFlag) = (model.optCount, model.flag, model.optFlag)
      (film.date, film.optDate, film.mood) = (model.date, model.optDate, model.mood)
      (film.tags, film.scores, film.place) = (model.tags, model.scores, model.place)
      (film.studio, film.director) = (model.studio, model.director)
    }
    context.delete(all[1])
    context.delete(all[2].scenes.first ?? all[3].scenes[0])
    all[8].genres = []
    if let studio = all[12].studio { studio.name = "Nord" }
    let new = Film(
      name: "alpha", date: Self.day, uid: Self.uuid(200), place: Place(city: "Oslo"),
      director: all[9].director)
    new.studio = all[9].studio
    context.insert(new)
  }
}
