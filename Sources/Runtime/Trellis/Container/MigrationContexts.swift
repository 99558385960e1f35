extension SchemaMigrationPlan {
  public static func _$run<S: DataStore>(over store: S, _ body: (ModelContext) throws -> Void) throws {
    let context = ModelContext(ModelContainer(store))
    defer { context.rollback() }
    try body(context)
  }

  public static func _$run<S: DataStore>(
    from old: S, to new: S, report: @escaping () -> Void, _ body: (MigrationRows) throws -> Void
  ) throws {
    let rows = MigrationRows(
      old: ModelContext(ModelContainer(old)), new: ModelContext(ModelContainer(new)), report: report)
    defer {
      rows.new.rollback()
      rows.old.rollback()
    }
    try body(rows)
    if rows.new.hasChanges { try rows.new.save() }
  }
}

extension MigrationRows {
  /// Executes an SQL statement that writes new rows and can read old rows.
  ///
  /// This step adds a bucket list item to each trip whose hotel is not confirmed:
  ///
  /// ```swift
  /// let step = MigrationStep.custom("remindOfHotels") { rows in
  ///   typealias Old = SampleTripsSchema.V2_0_0.Trip
  ///   typealias New = SampleTripsSchema.V3_0_0.BucketListItem
  ///   try rows.execute(
  ///     """
  ///     INSERT INTO \(New.self) (\(\New.title), \(\New.details), \(\New.isInPlan), \(\New.priority), \(\New.trip))
  ///     SELECT 'Confirm ' || \(\Old.hotelName), '', \(true), \(Priority.essential), \(\Old.persistentModelID)
  ///     FROM \(Old.self) WHERE \(\Old.hotelName) IS NOT NULL AND NOT \(\Old.isHotelConfirmed)
  ///     """)
  /// }
  /// ```
  ///
  /// The old tables are renamed during the step, so interpolate the models instead of writing table names. The rules
  /// for ``ModelContext/execute(_:)`` apply. A statement is faster than ``forEach(_:count:_:)`` because no values are
  /// converted to Swift.
  ///
  /// - Parameter query: A statement that changes the new models' tables.
  /// - Returns: The number of inserted, changed or deleted rows.
  /// - Throws: The same errors as ``ModelContext/execute(_:)``.
  @discardableResult
  public func execute(_ query: SQLQuery) throws -> Int { try new.execute(query, besides: [old]) }

  /// Calls a closure with batches of an old model's rows, in insertion order.
  ///
  /// ```swift
  /// let step = MigrationStep.custom("moveHotels") { rows in
  ///   typealias New = SampleTripsSchema.V3_0_0
  ///   try rows.forEach(SampleTripsSchema.V2_0_0.Trip.Snapshot.self) { trips in
  ///     let hotels = trips.compactMap { trip in
  ///       trip.hotelName.map {
  ///         New.LivingAccommodation.Snapshot(
  ///           placeName: $0, address: New.Address(street: trip.hotelStreet ?? "", city: trip.destination),
  ///           trip: rows.identifier(of: trip, as: New.Trip.self))
  ///       }
  ///     }
  ///     try rows.new.insert(contentsOf: hotels)
  ///   }
  /// }
  /// ```
  ///
  /// Subclass rows are included with the inherited properties. To-many relationships are omitted. Migration progress
  /// is reported after each batch.
  ///
  /// - Parameters:
  ///   - snapshot: The old model's snapshot type.
  ///   - count: The maximum number of rows in a batch, and thereby in memory; at least 1. Stores on a server read all
  ///     of the model's rows before the first call.
  ///   - body: Receives each batch. Not called if there are no rows.
  /// - Throws: Errors from reading the rows and from the closure.
  public func forEach<S: ModelSnapshot>(
    _ snapshot: S.Type, count: Int = 4096, _ body: ([S]) throws -> Void
  ) throws {
    var batch: [S] = []
    let size = max(1, count)
    batch.reserveCapacity(min(size, 16_384))
    try old.enumerateSnapshots(as: S.self) { values in
      batch.append(values)
      guard batch.count == size else { return }
      try body(batch)
      report()
      batch.removeAll(keepingCapacity: true)
    }
    guard !batch.isEmpty else { return }
    try body(batch)
    report()
  }
}
