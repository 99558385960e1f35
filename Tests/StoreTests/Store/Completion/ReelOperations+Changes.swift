import Foundation
import Testing
import Trellis

extension ReelOperation {
  private static func refusal(_ world: ReelWorld, _ body: () throws -> Void) throws -> String {
    do {
      try body()
      return "saved"
    } catch let error as SwiftDataError {
      let details = error.details.map { "\($0.model.entityName) \($0.properties) \($0.rule) \($0.reason)" }
      world.context.rollback()
      return "refused \(details.sorted())"
    }
  }

  private static func save(_ world: ReelWorld) throws -> String {
    try refusal(world) { try world.context.save() }
  }

  static let changes: [ReelOperation] = [
    .init("insert a graph") { world in
      let studio = ReelStudio(name: "Dag")
      let film = ReelSeries(title: "new", year: 2000, episodes: 9)
      film.scenes = [ReelScene(text: "n1"), ReelScene(text: "n2")]
      film.remake = try world.film("t8")
      studio.films = [film, try world.film("t0")]
      world.context.insert(studio)
      return try save(world)
    },
    .init("change relationships") { world in
      let film = try world.film("t1")
      film.studio = try world.studio("Alva")
      film.tags.removeLast()
      film.remake = try world.film("t9")
      try world.film("t7").scenes = film.scenes
      return try save(world)
    },
    .init("upsert by insertion") { world in
      let studio = ReelStudio(name: "Alva", founded: 1)
      studio.films = [try world.film("t1"), ReelFilm(title: "new", year: 1)]
      world.context.insert(studio)
      return try save(world)
    },
    .init("insert snapshots") { world in
      let studio = try world.studio("Alva").persistentModelID
      let result = try world.context.insert(
        contentsOf: (0..<3).map { ReelFilm.Snapshot(title: "n\($0)", year: $0, studio: studio) })
      return "\(result.insertedCount) \(result.updatedCount)"
    },
    .init("upsert snapshots") { world in
      let result = try world.context.upsert(contentsOf: [
        ReelStudio.Snapshot(name: "Alva", founded: 5), ReelStudio.Snapshot(name: "Dag", founded: 6),
      ])
      return "\(result.insertedCount) \(result.updatedCount)"
    },
    .init("delete by predicate") { world in
      try world.context.delete(model: ReelFilm.self, where: #Predicate { $0.year > 1992 })
      return try save(world)
    },
    .init("delete by predicate without subclasses") { world in
      try world.context.delete(
        model: ReelFilm.self, where: #Predicate { $0.year > 1990 }, includeSubclasses: false)
      return try save(world)
    },
    .init("delete a subclass") { world in
      try world.context.delete(model: ReelSeries.self)
      return try save(world)
    },
    .init("delete all of a model") { world in
      try world.context.delete(model: ReelScene.self)
      return try save(world)
    },
    .init("cascade and nullify") { world in
      world.context.delete(try world.film("t1"))
      world.context.delete(try world.film("t2"))
      world.context.delete(try world.studio("Alva"))
      return try save(world)
    },
    .init("cascade over rows nobody has read") { world in
      world.context.delete(
        try #require(
          try world.context.fetch(
            FetchDescriptor<ReelFilm>(predicate: #Predicate { $0.title == "t0" })
          ).first))
      return try save(world)
    },
    .init("deny") { world in
      world.context.delete(try world.studio("Cleo"))
      return try save(world)
    },
    .init("deny by predicate") { world in
      try refusal(world) {
        try world.context.delete(model: ReelStudio.self)
        try world.context.save()
      }
    },
    .init("maximum count") { world in
      let tag = try #require(
        try world.context.fetch(
          FetchDescriptor<ReelTag>(predicate: #Predicate { $0.word == "dark" })
        ).first)
      tag.panels = (0..<3).map { ReelPanel(name: "p\($0)") }
      return try save(world)
    },
    .init("minimum count") { world in
      try world.context.delete(model: ReelPanel.self)
      return try save(world)
    },
    .init("undo and redo") { world in
      let undo = UndoManager()
      world.context.undoManager = undo
      try world.film("t1").title = "changed"
      world.context.processPendingChanges()
      world.context.delete(try world.film("t2"))
      try world.context.save()
      undo.undo()
      undo.undo()
      try world.context.save()
      undo.redo()
      return try save(world)
    },
    .init("roll back") { world in
      try world.film("t1").title = "changed"
      world.context.delete(try world.film("t2"))
      world.context.insert(ReelStudio(name: "Dag", films: [try world.film("t3")]))
      world.context.rollback()
      return "\(world.context.hasChanges)"
    },
    .init("transaction") { world in
      try world.context.transaction {
        try world.film("t1").title = "changed"
        world.context.insert(ReelStudio(name: "Dag"))
      }
      struct Stop: Error {}
      try? world.context.transaction {
        world.context.delete(try world.film("t3"))
        throw Stop()
      }
      return "\(world.context.hasChanges)"
    },
    .init("two contexts") { world in
      let film = try world.film("t1")
      let other = ModelContext(world.container)
      let twin = try #require(try world.films(other).first { $0.title == "t1" })
      twin.year = 1
      twin.studio = nil
      film.rating = 10
      try other.save()
      return try save(world)
    },
    .init("a model that somebody else has deleted") { world in
      let film = try world.film("t1")
      let other = ModelContext(world.container)
      other.delete(try #require(try world.films(other).first { $0.title == "t1" }))
      film.rating = 10
      try other.save()
      return try save(world) + " \(film.isDeleted)"
    },
    .init("erase") { world in
      _ = try world.films()
      try world.container.erase()
      return try save(world)
    },
    .init("delete all data") { world in
      world.container.deleteAllData()
      world.context.insert(ReelFilm(title: "new", year: 1))
      return try save(world)
    },
  ]
}
