import Foundation
import Trellis
import TrellisJSON

/// Measures JSON files. One process creates, connects and saves lists of items, another process opens and reads them.
struct JSONRow {
  var name: String
  var title: String
  /// The number of items, ten per trip.
  var items: Int
  var isSave: Bool
  var bars = Bars()

  static let all = [
    JSONRow(name: "json-save-1000", title: "JSON file, 1,000 items saved", items: 1_000, isSave: true),
    JSONRow(
      name: "json-save-5000", title: "JSON file, 5,000 items saved", items: 5_000, isSave: true,
      bars: Bars(must: 150, aim: 150)),
    JSONRow(
      name: "json-save-20000", title: "JSON file, 20,000 items saved", items: 20_000, isSave: true),
    JSONRow(
      name: "json-open-5000", title: "JSON file, 5,000 items opened", items: 5_000, isSave: false,
      bars: Bars(must: 150)),
  ]

  /// Executes a row in this process and returns its time.
  static func execute(_ name: String, _ file: URL) throws -> Double {
    guard let row = all.first(where: { $0.name == name }) else {
      throw UsageFailure("no row is called '\(name)'")
    }
    return row.isSave ? try row.save(file) : try row.open(file)
  }

  private func save(_ file: URL) throws -> Double {
    let container = try ModelContainer(
      for: Trip.self, configurations: JSONFileConfiguration(url: file))
    let trips = Workload.trips(items / 10)
    return try Sample.time {
      let context = ModelContext(container)
      for (number, values) in trips.enumerated() {
        let trip = Trip(values)
        context.insert(trip)
        for item in 0..<10 {
          // Set alternating ends, so that both inverses must be maintained.
          let new = BucketListItem(title: "item \(item) of \(number)")
          if item % 2 == 0 { new.trip = trip } else { trip.bucketList.append(new) }
        }
      }
      try context.save()
    }.value
  }

  private func open(_ file: URL) throws -> Double {
    let (found, time) = try Sample.time {
      let context = ModelContext(
        try ModelContainer(for: Trip.self, configurations: JSONFileConfiguration(url: file)))
      let trips = try context.fetch(FetchDescriptor<Trip>())
      return (trips, trips.reduce(0) { $0 + $1.bucketList.count })
    }
    guard found.1 == items else {
      throw RawFailure(description: "the file has \(found.1) items of \(items)")
    }
    return time
  }

  static func measure(_ json: JSONRow, rounds: Int, in folder: URL) throws -> Row {
    var row = Row(
      name: json.name, title: json.title, unit: "ms", bars: json.bars, isAbsolute: true)
    let file = folder.appendingPathComponent("\(json.name).json")
    guard let saving = json.isSave ? json : all.first(where: { $0.isSave && $0.items == json.items })
    else { return row }
    for round in 0..<rounds {
      if json.isSave { try? FileManager.default.removeItem(at: file) }
      if !json.isSave, round == 0 {
        let outcome = try Child.run(Child.ownExecutable, ["json", saving.name, file.path])
        if let problem = outcome.problem { row.unavailable = "saving \(problem)" }
      }
      let outcome = try Child.run(Child.ownExecutable, ["json", json.name, file.path])
      if let problem = outcome.problem { row.unavailable = "the process \(problem)" }
      if row.unavailable != nil { break }
      row.ours.append(try JSONDecoder().decode(Double.self, from: outcome.output))
    }
    return row
  }
}
