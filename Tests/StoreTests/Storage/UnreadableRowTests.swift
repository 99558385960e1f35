import Foundation
import Testing
import Trellis

/// All ways to read an unreadable value throw an equal error. Only the first error of a row is reported.
@Suite struct UnreadableRowTests {
  /// A store whose table accepts any value, like a store that another program edited.
  private func damaged(_ change: String) throws -> (StorageFixture, ModelContainer) {
    let fixture = try StorageFixture()
    do {
      let context = ModelContext(try container(fixture))
      context.insert(Gauge(label: "first", mark: UUID(), bytes: Data([1])))
      context.insert(WideGauge(label: "wide", mark: UUID(), bytes: Data([2])))
      try context.save()
    }
    let output = try fixture.shell(
      """
      PRAGMA writable_schema = ON; UPDATE sqlite_schema
      SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '') WHERE name = 'Gauge';
      PRAGMA writable_schema = RESET; UPDATE Gauge SET \(change);
      """)
    #expect(output == "")
    return (fixture, try container(fixture))
  }

  private func container(_ fixture: StorageFixture) throws -> ModelContainer {
    try fixture.container(Gauge.self, DeepGauge.self, WideGauge.self)
  }

  private func errors(_ container: ModelContainer) -> [StoredValueError?] {
    func error(_ body: (ModelContext) throws -> Void) -> StoredValueError? {
      do {
        try body(ModelContext(container))
        return nil
      } catch {
        return error as? StoredValueError
      }
    }
    return [
      error { _ = try $0.fetch(FetchDescriptor<Gauge>()) },
      error { _ = try $0.fetch(FetchDescriptor<WideGauge>()) },
      error { try $0.enumerate(FetchDescriptor<Gauge>()) { _ in } },
      error { _ = try $0.fetchSnapshots(as: Gauge.Snapshot.self) },
      error { _ = try $0.fetchSnapshots(as: WideGauge.Snapshot.self) },
      error { try $0.enumerateSnapshots(as: Gauge.Snapshot.self) { _ in } },
      error { try $0.enumerateSnapshots(as: WideGauge.Snapshot.self) { _ in } },
      error { context in
        var partial = FetchDescriptor<Gauge>()
        partial.propertiesToFetch = [
          \.label, \.count, \.isOn, \.level, \.date, \.mark, \.bytes, \.small, \.note, \.many,
          \.depth, \.until, \.blob, \.mode, \.other, \.spot, \.place,
        ]
        _ = try context.fetch(partial)
      },
    ]
  }

  @Test(arguments: [
    ("label", "NULL", "NULL", "String"), ("label", "x'00'", "<1 bytes>", "String"),
    ("count", "NULL", "NULL", "Int"), ("count", "'x'", "'x'", "Int"),
    ("count", "1.5", "1.5", "Int"), ("isOn", "2", "2", "Bool"), ("isOn", "NULL", "NULL", "Bool"),
    ("level", "'many'", "'many'", "Double"), ("level", "NULL", "NULL", "Double"),
    ("date", "'x'", "'x'", "Date"), ("date", "NULL", "NULL", "Date"),
    ("mark", "'no'", "'no'", "UUID"), ("mark", "NULL", "NULL", "UUID"),
    ("bytes", "'text'", "'text'", "Data"), ("bytes", "NULL", "NULL", "Data"),
    ("small", "128", "128", "Int8"), ("note", "x'01'", "<1 bytes>", "String"),
    ("many", "'x'", "'x'", "Int"), ("depth", "'x'", "'x'", "Double"),
    ("until", "x'01'", "<1 bytes>", "Date"), ("blob", "5", "5", "Data"),
    ("mode", "'z'", "'z'", "Mode"), ("mode", "NULL", "NULL", "String"),
    ("other", "'z'", "'z'", "Mode"), ("spot", "'{}'", "'{}'", "Bearing"),
    ("spot", "NULL", "NULL", "Bearing"), ("place", "'{'", "'{'", "Bearing"),
  ]) func theErrorNamesTheValue(
    _ property: String, _ sql: String, _ value: String, _ type: String
  ) throws {
    let (fixture, container) = try damaged("\(property) = \(sql)")
    let errors = errors(container)
    for (way, error) in errors.enumerated() {
      #expect(error?.property == property, "way \(way)")
      #expect(error?.value == value, "way \(way)")
      #expect(error?.type == type, "way \(way)")
      #expect(error?.entity == ([1, 4, 6].contains(way) ? "WideGauge" : "Gauge"), "way \(way)")
    }
    #expect(errors[0]?.identifier == errors[3]?.identifier && errors[0] != errors[1])
    withExtendedLifetime(fixture) {}
  }

  /// Of two errors, the first one in declaration order is reported.
  @Test(arguments: [
    ("label = NULL, mode = 'z'", "label"), ("label = NULL, spot = '{}'", "label"),
    ("place = '{', spot = '{}'", "spot"), ("words = '{}', spot = '{}'", "spot"),
    ("other = 'z', count = 'x'", "count"), ("many = 'x', bytes = NULL, words = '{'", "bytes"),
  ]) func theFirstErrorOfARowIsReported(_ change: String, _ property: String) throws {
    let (fixture, container) = try damaged(change)
    for error in errors(container) { #expect(error?.property == property) }
    withExtendedLifetime(fixture) {}
  }

  /// A failed row does not affect the next row, and its model is not registered.
  @Test func theNextRowIsRead() throws {
    let (fixture, container) = try damaged("label = NULL, spot = '{}' WHERE label = 'first'")
    let context = ModelContext(container)
    let error = #expect(throws: StoredValueError.self) {
      try context.fetch(FetchDescriptor<Gauge>())
    }
    let identifier = try #require(error?.identifier)
    #expect(context.registeredModel(for: identifier) as Gauge? == nil)
    let wide = try context.fetch(FetchDescriptor<WideGauge>())
    #expect(wide.map(\.label) == ["wide"] && wide[0].width == 3)
    #expect(try context.fetchSnapshots(as: WideGauge.Snapshot.self).count == 1)
    let mending = "UPDATE Gauge SET label = 'a', spot = '{\"x\":1}' WHERE label IS NULL"
    #expect(try fixture.shell(mending) == "")
    let all = try context.fetch(FetchDescriptor<Gauge>(sortBy: [SortDescriptor(\.label)]))
    #expect(all.map(\.label) == ["a", "wide"] && all[0].spot == Bearing(x: 1))
  }

  /// Unusual storage types of valid values.
  @Test func unusualStorageTypesAreValid() throws {
    let (fixture, container) = try damaged("level = 2, date = 3, depth = 'NaN', until = 4")
    for snapshot in try ModelContext(container).fetchSnapshots(as: Gauge.Snapshot.self) {
      #expect(snapshot.level == 2 && snapshot.depth?.isNaN == true)
      #expect(snapshot.date == Date(timeIntervalSinceReferenceDate: 3))
      #expect(snapshot.until == Date(timeIntervalSinceReferenceDate: 4))
    }
    #expect(try ModelContext(container).fetch(FetchDescriptor<Gauge>()).map(\.level) == [2, 2])
    withExtendedLifetime(fixture) {}
  }

  /// Decoding a snapshot, as custom stores do, reports the first failing field.
  @Test func codedSnapshotsNameTheFirstField() throws {
    let good = try JSONEncoder().encode(Gauge.Snapshot(label: "a", mark: UUID(), bytes: Data()))
    let fields = try #require(JSONSerialization.jsonObject(with: good) as? [String: Any])
    func error(_ changes: [String: Any?]) throws -> DecodingError? {
      var fields = fields
      for (name, value) in changes { fields[name] = value }
      let data = try JSONSerialization.data(withJSONObject: fields)
      return #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Gauge.Snapshot.self, from: data)
      }
    }
    func path(_ error: DecodingError?) -> String? {
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        context.codingPath.first?.stringValue
      case .keyNotFound(let key, _): key.stringValue
      default: nil
      }
    }
    #expect(path(try error(["label": 5, "count": "x"])) == "label")
    #expect(path(try error(["count": "x", "mode": "z"])) == "count")
    #expect(path(try error(["mode": "z", "spot": ["y": 1]])) == "mode")
    #expect(path(try error(["label": nil, "words": 5])) == "label")
  }
}
