import CSQLiteRaw
import Foundation

extension RawStore {
  @inline(__always)
  func trip(_ row: RawStatement) -> RawTrip {
    RawTrip(
      id: row.integer(0), name: row.text(1), destination: row.text(2), startDate: row.date(3),
      endDate: row.date(4), budget: row.real(5), isFavorite: row.integer(6) != 0,
      notes: row.optionalText(7))
  }

  @inline(__always)
  func item(_ row: RawStatement) -> RawItem {
    RawItem(
      id: row.integer(0), title: row.text(1), isInPlan: row.integer(2) != 0, trip: row.integer(3))
  }

  func trips(_ statement: RawStatement) throws -> [RawTrip] {
    var trips: [RawTrip] = []
    while try statement.step() { trips.append(trip(statement)) }
    return trips
  }

  func items(_ statement: RawStatement) throws -> [RawItem] {
    var items: [RawItem] = []
    while try statement.step() { items.append(item(statement)) }
    return items
  }

  /// All trips, in a single read transaction.
  func fetchAll() throws -> [RawTrip] { try transaction { try trips(allTrips) } }

  func insert(_ trip: RawTrip) throws {
    try bind(trip, to: insertTrip) { try insertTrip.run() }
    trip.id = sqlite3_last_insert_rowid(connection)
  }

  func update(_ trip: RawTrip) throws {
    updateTrip.bind(8, trip.id)
    try bind(trip, to: updateTrip) { try updateTrip.run() }
  }

  func insert(_ values: ItemValues, trip: Int64) throws {
    var title = values.title
    try title.withUTF8 { title in
      insertItem.bind(1, title)
      insertItem.bind(2, values.isInPlan ? 1 : 0 as Int64)
      insertItem.bind(3, trip)
      try insertItem.run()
    }
  }

  /// Binds the values, starting at position 1, and runs the body while the strings are valid.
  @inline(__always)
  private func bind(_ trip: RawTrip, to statement: RawStatement, _ body: () throws -> Void) throws {
    var name = trip.name
    var destination = trip.destination
    statement.bind(3, trip.startDate)
    statement.bind(4, trip.endDate)
    statement.bind(5, trip.budget)
    statement.bind(6, trip.isFavorite ? 1 : 0 as Int64)
    try name.withUTF8 { name in
      statement.bind(1, name)
      try destination.withUTF8 { destination in
        statement.bind(2, destination)
        if var notes = trip.notes {
          try notes.withUTF8 { notes in
            statement.bind(7, notes)
            try body()
          }
        } else {
          statement.bindNull(7)
          try body()
        }
      }
    }
  }
}
