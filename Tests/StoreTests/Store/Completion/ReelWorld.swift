import Foundation
import Testing
import Trellis

/// A container with a store of some kind and a few films.
final class ReelWorld {
  let container: ModelContainer
  let context: ModelContext

  static let schema = Schema(
    ReelFilm.self, ReelSeries.self, ReelStudio.self, ReelContract.self, ReelScene.self, ReelTag.self,
    ReelPanel.self)

  init(_ configuration: any DataStoreConfiguration) throws {
    container = try ModelContainer(for: Self.schema, configurations: [configuration])
    try Self.fill(ModelContext(container))
    context = ModelContext(container)
  }

  private static func fill(_ context: ModelContext) throws {
    let studios = ["Alva", "Bror", "Cleo"].map { ReelStudio(name: $0, founded: 1900 + $0.utf8.count) }
    for studio in studios { context.insert(studio) }
    studios[2].contracts.append(ReelContract(name: "c1"))
    let tags = ["dark", "new", "old"].map { ReelTag(word: $0) }
    for tag in tags { context.insert(tag) }
    let panel = ReelPanel(name: "p")
    context.insert(panel)
    tags[0].panels = [panel]
    var films: [ReelFilm] = []
    for number in 0..<12 {
      let film =
        number % 4 == 3
        ? ReelSeries(title: "t\(number)", year: 1990 + number % 5, episodes: number)
        : ReelFilm(title: number == 5 ? "T5" : "t\(number)", year: 1990 + number % 5)
      film.rating = number % 3 == 0 ? nil : Double(number) / 2
      film.premiere = number % 2 == 0 ? Date(timeIntervalSinceReferenceDate: Double(number)) : nil
      context.insert(film)
      film.studio = number == 11 ? nil : studios[number % 2]
      film.tags = tags.filter { _ in number % 3 == 1 } + (number == 2 ? [tags[1]] : [])
      if number < 3 { film.scenes = [ReelScene(text: "s\(number)a"), ReelScene(text: "s\(number)b")] }
      films.append(film)
    }
    films[1].remake = films[2]
    try context.save()
  }

  func films(_ context: ModelContext? = nil) throws -> [ReelFilm] {
    try (context ?? self.context).fetch(FetchDescriptor(sortBy: [SortDescriptor(\.title)]))
  }

  func film(_ title: String) throws -> ReelFilm {
    try #require(try films().first { $0.title == title })
  }

  func studio(_ name: String) throws -> ReelStudio {
    try #require(try context.fetch(FetchDescriptor<ReelStudio>()).first { $0.name == name })
  }

  /// All contents as text.
  static func text(_ context: ModelContext) throws -> [String] {
    var lines: [String] = []
    for film in try context.fetch(FetchDescriptor<ReelFilm>()) {
      lines.append(
        """
        \(type(of: film)) \(film.title) \(film.year) \(film.rating as Any) \
        \(film.premiere?.timeIntervalSinceReferenceDate as Any) \
        \((film as? ReelSeries)?.episodes ?? 0) \(film.studio?.name ?? "-") \
        \(film.scenes.map(\.text).sorted()) \(film.tags.map(\.word).sorted()) \
        \(film.remake?.title ?? "-") \(film.original?.title ?? "-")
        """)
    }
    for studio in try context.fetch(FetchDescriptor<ReelStudio>()) {
      lines.append(
        "studio \(studio.name) \(studio.founded) \(studio.films.map(\.title).sorted()) "
          + "\(studio.contracts.map(\.name))")
    }
    for tag in try context.fetch(FetchDescriptor<ReelTag>()) {
      lines.append(
        "tag \(tag.word) \(tag.films.map(\.title).sorted()) \(tag.panels?.map(\.name) ?? [])")
    }
    for scene in try context.fetch(FetchDescriptor<ReelScene>()) {
      lines.append("scene \(scene.text) \(scene.film?.title ?? "-")")
    }
    for contract in try context.fetch(FetchDescriptor<ReelContract>()) {
      lines.append("contract \(contract.name) \(contract.studio?.name ?? "-")")
    }
    for panel in try context.fetch(FetchDescriptor<ReelPanel>()) {
      lines.append("panel \(panel.name) \(panel.tags.map(\.word).sorted())")
    }
    return lines.sorted()
  }
}
