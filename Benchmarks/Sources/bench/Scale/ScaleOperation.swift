import Trellis

/// An operation whose cost per row is measured for increasing row counts.
struct ScaleOperation: Sendable {
  /// The expected cost for increasing row counts.
  enum Shape: String, Codable, Sendable {
    /// The operation processes all rows, with a constant cost per row.
    case linear
    /// The operation processes a few rows among many, with a constant total cost.
    case flat
  }

  /// The store's initial contents.
  enum Source: String, CaseIterable, Sendable {
    case nothing
    /// Trips and the same number of items, in lists with four items.
    case trips
    /// Places with unique codes.
    case places
  }

  var name: String
  var title: String
  var shape = Shape.linear
  var source: Source
  /// True if the operation changes the store and needs a copy.
  var changes = true
  /// Runs the operation for a size.
  var body: @Sendable (ModelContainer, Int) throws -> Cost

  /// The milliseconds for a number of rows.
  struct Cost: Sendable {
    var time: Double
    var rows: Int

    var nanoseconds: Double { time * 1_000_000 / Double(max(1, rows)) }
  }

  static let all: [ScaleOperation] = [
    .init(name: "insert", title: "insert, 10,000 per save", source: .nothing, body: ScaleWrites.insert),
    .init(name: "save", title: "insert, one save", source: .nothing, body: ScaleWrites.save),
    .init(name: "update", title: "change all, one save", source: .trips, body: ScaleWrites.update),
    .init(name: "delete", title: "delete with rules, one save", source: .trips, body: ScaleWrites.delete),
    .init(name: "upsert", title: "upsert all", source: .places, body: ScaleWrites.upsert),
    .init(name: "unique", title: "insert unique values", source: .nothing, body: ScaleWrites.unique),
    .init(name: "add", title: "add all to a list by inverse", source: .nothing, body: ScaleRelations.add),
    .init(name: "assign", title: "assign a list", source: .nothing, body: ScaleRelations.assign),
    // Appending to an array property compares the old array with the new array.
    .init(
      name: "append", title: "append one, per existing member", source: .nothing,
      body: ScaleRelations.append),
    .init(name: "to-one", title: "change every reference", source: .trips, body: ScaleRelations.move),
    .init(name: "leave", title: "move all out of a list", source: .nothing, body: ScaleRelations.leave),
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
      name: "save-one", title: "change one, all registered", shape: .flat, source: .trips,
      body: ScaleWrites.saveOne),
    .init(
      name: "insert-one", title: "insert one, all registered", shape: .flat, source: .trips,
      body: ScaleWrites.insertOne),
    .init(
      name: "upsert-one", title: "upsert one", shape: .flat, source: .places,
      body: ScaleWrites.upsertOne),
    .init(
      name: "delete-one", title: "delete one and its list", shape: .flat, source: .trips,
      body: ScaleWrites.deleteOne),
  ]
}
