import Foundation
import TestSupport
import TestTraits
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Invalid values in the internal tables of a store must lead to a typed error or a correct result, never to
/// a trap.
@Suite(.serialized, .waiting) struct HostileNumberTests {
  private static let models: [any PersistentModel.Type] = [
    Parcel.self, Item.self, Label.self, Stamp.self, Stop.self,
  ]
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(_ name: String) -> URL { folder.appending(path: name) }

  /// A store with contents in every internal table, and a history with tombstones.
  private func fill(_ url: URL) throws {
    let context = try open(url)
    let stamp = Stamp(motif: "ship")
    // Large enough to be stored in external files, if the store uses them.
    let size = 200_000
    for number in 0..<3 {
      let parcel = Parcel(code: "p\(number)", words: ["a"], picture: Data(repeating: 3, count: size))
      context.insert(parcel)
      parcel.stamps = [stamp]
      parcel.route = [Stop(place: "Oslo"), Stop(place: "Bergen")]
      context.insert(Item(name: "i\(number)", parcel: parcel))
      try context.save()
    }
    let all = try context.fetch(FetchDescriptor<Parcel>(sortBy: [SortDescriptor(\.code)]))
    all[1].picture = Data(repeating: 4, count: size)
    try context.save()
    context.delete(all[0])
    try context.save()
  }

  private func open(_ url: URL) throws -> ModelContext {
    let schema = Schema(Self.models)
    var configuration = ModelConfiguration(schema: schema, url: url)
    configuration.history.retention = .newest(.max)
    return ModelContext(try ModelContainer(for: schema, configurations: configuration))
  }

  /// Opens, reads, saves, and reads the history.
  private func use(_ url: URL, _ title: String) throws {
    func attempt(_ body: () throws -> Void) {
      do {
        try body()
      } catch {
        let isTyped = error is SwiftDataError || error is SQLiteError || error is ExternalFileError
        #expect(isTyped, "\(title): \(type(of: error)) \(error)")
      }
    }
    attempt {
      let context = try open(url)
      let begin = try? context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.token).max()
      attempt {
        for parcel in try context.fetch(FetchDescriptor<Parcel>()) {
          _ = (parcel.stamps.count, parcel.route.map(\.place), parcel.items.count, parcel.picture?.count)
        }
      }
      // Several saves, one of which applies the retention policy.
      attempt {
        for number in 0..<2 {
          context.insert(Item(name: "new \(number)"))
          try context.save()
        }
        let last = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.token).max()
        if let begin, let last { #expect(last > begin, "\(title): \(last) does not come after \(begin)") }
      }
      context.rollback()
      attempt {
        for parcel in try context.fetch(FetchDescriptor<Parcel>()) {
          parcel.route.reverse()
          parcel.note = "changed"
        }
        try context.save()
        if let parcel = try context.fetch(FetchDescriptor<Parcel>()).first { context.delete(parcel) }
        try context.save()
      }
      context.rollback()
      attempt { _ = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) }
      attempt {
        let none = try #require(
          DefaultHistoryToken([(context.container.core.stores.first?.identifier ?? ""): .beginning]))
        _ = try context.fetchHistory(
          HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > none }))
      }
      attempt { _ = try context.history.changes() }
      attempt {
        try context.deleteHistory(
          HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == nil }))
      }
    }
  }

  // MARK: Tables

  private static let values: [SQLValue] = [
    .integer(.min), .integer(-1), .integer(0), .integer(.max - 1), .integer(.max), .text("x"), .blob([1, 0, 255]),
    .blob([1, 3, 1, 2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
    .blob([1, 0, 1, 0, 1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 127]), .null, .real(1e300),
    .real(.infinity),
  ]

  @Test func everyColumnOfEveryInternalTable() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let template = file("template.store")
    try fill(template)
    var places: [(table: String, column: String, key: String?)] = []
    do {
      let connection = try Connection(template.path, .existing)
      let entities = ["Parcel", "Item", "Label", "Stamp", "Stop"]
      for case .text(let table)? in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .map(\.first) where !entities.contains(table)
      {
        for case .text(let column)? in try connection.rows("SELECT name FROM pragma_table_info(\(value: .text(table)))")
          .map(\.first)
        {
          guard table == "trellis_metadata", column == "value" else {
            places.append((table, column, nil))
            continue
          }
          for case .text(let key)? in try connection.rows("SELECT \"key\" FROM trellis_metadata").map(\.first) {
            places.append((table, column, key))
          }
        }
      }
      _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let tables = Set(places.map(\.table))
    #expect(
      tables.isSuperset(of: [
        "trellis_metadata", "trellis_history", "trellis_tombstones", "trellis_history_names",
        "trellis_discarded_files",
      ]), "\(tables)")
    #expect(tables.count >= 6, "no table of pairs among \(tables)")
    var count = 0
    for place in Repetitions.sample(places, every: 8, "columns of internal tables") {
      for value in Self.values {
        let url = file("case \(count).store")
        try copy(template, to: url)
        defer { remove(url) }
        guard try change(url, place.table, place.column, place.key, to: value) else { continue }
        count += 1
        try use(url, "\(place) = \(value)")
      }
    }
    #expect(count > (Repetitions.isThorough ? 300 : 20))
  }

  /// - Returns: False if the table rejects the value.
  private func change(
    _ url: URL, _ table: String, _ column: String, _ key: String?, to value: SQLValue
  ) throws -> Bool {
    let connection = try Connection(url.path, .existing)
    let condition: SQLFragment = key.map { "\"key\" = \(value: .text($0))" } ?? "TRUE"
    do {
      try connection.execute("UPDATE OR IGNORE \(name: table) SET \(name: column) = \(value: value) WHERE \(condition)")
    } catch is SQLiteError {
      return false
    }
    return connection.changes > 0
  }

  private func copy(_ template: URL, to url: URL) throws {
    try FileManager.default.copyItem(at: template, to: url)
    try FileManager.default.copyItem(atPath: template.path + "-external", toPath: url.path + "-external")
  }

  private func remove(_ url: URL) {
    for suffix in ["", "-wal", "-shm", "-journal", "-external"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }

  @Test(arguments: [Int64.min, -1, 32_768, 1 << 31, .max]) func numbersInHistoryNames(number: Int64) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for (index, pattern) in [#""columns":\d+"#, #""slot":\d+"#].enumerated() {
      let url = file("names \(index).store")
      try fill(url)
      do {
        let connection = try Connection(url.path, .existing)
        let rows = try connection.rows("SELECT \"names\" FROM trellis_history_names")
        guard case .text(let text)? = rows.first?.first else {
          Issue.record("there are no names")
          return
        }
        let key = ["columns", "slot"][index]
        let other = text.replacingOccurrences(of: pattern, with: "\"\(key)\":\(number)", options: .regularExpression)
        #expect(other != text)
        try connection.execute("UPDATE trellis_history_names SET \"names\" = \(value: .text(other))")
      }
      try use(url, "\(number) in the names")
    }
  }

  @Test func numbersInTheRecordedSchema() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let template = file("template.store")
    try fill(template)
    for (index, number) in ["-1", "9223372036854775807", "-9223372036854775808", "1e300", "null", "\"x\""].enumerated()
    {
      for key in ["schema", "tables", "columns"] {
        let url = file("\(key) \(index).store")
        try copy(template, to: url)
        do {
          let connection = try Connection(url.path, .existing)
          let rows = try connection.rows(
            "SELECT \"value\" FROM trellis_metadata WHERE \"key\" = \(value: .text(key))")
          guard case .text(let text)? = rows.first?.first else {
            Issue.record("there is no \(key)")
            return
          }
          let other = text.replacingOccurrences(
            of: #"(?<=[:\[,])-?\d+(?=[,\]}])"#, with: number, options: .regularExpression)
          try connection.execute(
            "UPDATE trellis_metadata SET \"value\" = \(value: .text(other)) WHERE \"key\" = \(value: .text(key))")
          // Force the store to read the value.
          try connection.execute("UPDATE trellis_metadata SET \"value\" = 'x' WHERE \"key\" = 'fingerprint'")
          try connection.execute("UPDATE trellis_metadata SET \"value\" = 0 WHERE \"key\" = 'definitions'")
        }
        try use(url, "\(number) in \(key)")
        remove(url)
      }
    }
  }

  /// Transactions need increasing numbers, and there is none after the highest.
  @Test(arguments: [(Int64.max, 0), (Int64.max - 1, 0), (Int64.max - 2, 1)] as [(Int64, Int)])
  func aHistoryWithTheHighestNumberRejectsTransactions(highest: Int64, saves: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = file("end.store")
    try fill(url)
    do {
      let connection = try Connection(url.path, .existing)
      try connection.execute(
        """
        UPDATE trellis_history SET "id" = \(value: .integer(highest))
        WHERE "id" = (SELECT max("id") FROM trellis_history)
        """)
    }
    let context = try open(url)
    let before = try context.fetchCount(FetchDescriptor<Item>())
    for number in 0..<saves {
      context.insert(Item(name: "\(number)"))
      try context.save()
    }
    for isDeletion in [false, true] {
      if isDeletion {
        for parcel in try context.fetch(FetchDescriptor<Parcel>()) { context.delete(parcel) }
      } else {
        context.insert(Item(name: "more"))
      }
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error?.storeProblem == .damaged && error?.path == url.path)
      #expect(error?.explanation?.contains("the highest possible transaction number") == true)
      context.rollback()
    }
    let tokens = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.token)
    #expect(tokens == tokens.sorted() && tokens.count == 5 + saves)
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Item>()) == before + saves)
  }

  @Test(arguments: [Int64.min, -5, .max]) func anInvalidEpochIsReportedAsDamage(epoch: Int64) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = file("epoch.store")
    try fill(url)
    do {
      let connection = try Connection(url.path, .existing)
      try connection.execute(
        "UPDATE trellis_metadata SET \"value\" = \(value: .integer(epoch)) WHERE \"key\" = 'history epoch'")
    }
    let error = #expect(throws: SwiftDataError.self) { _ = try open(url) }
    #expect(error?.storeProblem == .damaged)
    #expect(error?.explanation?.contains("\(epoch) as its 'history epoch'") == true)
  }
}
