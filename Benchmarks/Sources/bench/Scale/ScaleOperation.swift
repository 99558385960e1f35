import Trellis

/// Work whose cost for each row is measured at growing numbers of rows.
struct ScaleOperation: Sendable {
  /// What the cost of a row should do as the number of rows grows.
  enum Shape: String, Codable, Sendable {
    /// The work is about all rows: a row costs the same.
    case linear
    /// The work is about a few rows among many: it costs the same.
    case flat
  }

  /// What is in the store beforehand.
  enum Source: String, CaseIterable, Sendable {
    case nothing
    /// As many trips, and as many items in lists of four.
    case trips
    /// As many places, each with a code of its own.
    case places
  }

  var name: String
  var title: String
  var shape = Shape.linear
  var source: Source
  /// Whether the work changes the store, so that it gets a copy.
  var changes = true
  /// Does the work at a size.
  var body: @Sendable (ModelContainer, Int) throws -> Cost

  /// Milliseconds for a number of rows.
  struct Cost: Sendable {
    var time: Double
    var rows: Int

    var nanoseconds: Double { time * 1_000_000 / Double(max(1, rows)) }
  }

  static let all: [ScaleOperation] = [
    .init(name: "insert", title: "insert, 10,000 a save", source: .nothing, body: ScaleWrites.insert),
    .init(name: "save", title: "insert, one save", source: .nothing, body: ScaleWrites.save),
    .init(name: "update", title: "change all, one save", source: .trips, body: ScaleWrites.update),
    .init(name: "delete", title: "delete with rules, one save", source: .trips, body: ScaleWrites.delete),
    .init(name: "upsert", title: "upsert all", source: .places, body: ScaleWrites.upsert),
    .init(name: "unique", title: "insert unique values", source: .nothing, body: ScaleWrites.unique),
    .init(name: "add", title: "lead all to one list", source: .nothing, body: ScaleRelations.add),
    .init(name: "assign", title: "assign one list", source: .nothing, body: ScaleRelations.assign),
    // A list is an array: appending to it compares the old one with the new one, as cheaply as can be.
    .init(
      name: "append", title: "append one, for each member there", source: .nothing,
      body: ScaleRelations.append),
    .init(name: "to-one", title: "lead every item elsewhere", source: .trips, body: ScaleRelations.move),
    .init(name: "leave", title: "take all out of one list", source: .nothing, body: ScaleRelations.leave),
    .init(
      name: "fetch", title: "fetch all", source: .trips, changes: false, body: ScaleReads.fetch),
    .init(
      name: "refetch", title: "fetch all, registered", source: .trips, changes: false,
      body: ScaleReads.refetch),
    .init(
      name: "enumerate", title: "enumerate all", source: .trips, changes: false,
      body: ScaleReads.enumerate),
    .init(
      name: "key", title: "fetch by key", shape: .flat, source: .trips, changes: false,
      body: ScaleReads.byKey),
    .init(
      name: "model", title: "model(for:)", shape: .flat, source: .trips, changes: false,
      body: ScaleReads.model),
    .init(
      name: "registered", title: "model(for:), registered", shape: .flat, source: .trips,
      changes: false, body: ScaleReads.registered),
    .init(
      name: "code", title: "fetch by a unique value", shape: .flat, source: .places, changes: false,
      body: ScaleReads.byCode),
    .init(
      name: "index", title: "indexed, sorted, 20 of 100", shape: .flat, source: .places,
      changes: false, body: ScaleReads.indexed),
    .init(
      name: "save-one", title: "change one of all registered", shape: .flat, source: .trips,
      body: ScaleWrites.saveOne),
    .init(
      name: "insert-one", title: "insert one beside all registered", shape: .flat, source: .trips,
      body: ScaleWrites.insertOne),
    .init(
      name: "upsert-one", title: "upsert one", shape: .flat, source: .places,
      body: ScaleWrites.upsertOne),
    .init(
      name: "delete-one", title: "delete one with its list", shape: .flat, source: .trips,
      body: ScaleWrites.deleteOne),
  ]
}
