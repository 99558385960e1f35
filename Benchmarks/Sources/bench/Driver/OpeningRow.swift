import Foundation
import LargeModels
import Trellis

/// Measures opening a store with a hundred models in a new process.
struct OpeningRow {
  var name: String
  var title: String
  var limit: Double?

  static let all = [
    // Key paths for a thousand properties are created once per process.
    OpeningRow(name: "schema-100", title: "read a schema of 100 models", limit: nil),
    OpeningRow(
      name: "open-100", title: "open a store of 100 models", limit: 5),
  ]

  /// A process's times for the schema and container.
  struct Times: Codable {
    var schema: Double
    var container: Double
  }

  /// Opens a container in this process.
  static func open(_ url: URL) throws -> Times {
    let (schema, reading) = Sample.time { Schema(Model0.self) }
    let (container, opening) = try Sample.time {
      try ModelContainer(for: schema, configurations: [ModelConfiguration(url: url)])
    }
    guard container.schema.entities.count == 100 else {
      throw RawFailure(description: "the schema has \(container.schema.entities.count) models")
    }
    return Times(schema: reading, container: opening)
  }

  /// Opens a store in a new process for each round. An additional process creates the store first.
  static func measure(_ names: Set<String>, rounds: Int, in folder: URL) throws -> [Row] {
    var rows = all.filter { names.contains($0.name) }.map { opening in
      Row(
        name: opening.name, title: opening.title, unit: "ms", limit: opening.limit, isAbsolute: true)
    }
    let store = folder.appendingPathComponent("large.store")
    for round in 0...rounds {
      let outcome = try Child.run(Child.ownExecutable, ["open", store.path])
      if let problem = outcome.problem {
        for index in rows.indices { rows[index].unavailable = "opening \(problem)" }
        break
      }
      let times = try JSONDecoder().decode(Times.self, from: outcome.output)
      guard round > 0 else { continue }
      for index in rows.indices {
        rows[index].ours.append(rows[index].name == "schema-100" ? times.schema : times.container)
      }
    }
    return rows
  }
}
