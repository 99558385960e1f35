import Foundation

/// A trip class, as an app that uses the C API would declare it.
final class RawTrip {
  var id: Int64
  var name: String
  var destination: String
  var startDate: Date
  var endDate: Date
  var budget: Double
  var isFavorite: Bool
  var notes: String?

  init(
    id: Int64, name: String, destination: String, startDate: Date, endDate: Date, budget: Double,
    isFavorite: Bool, notes: String?
  ) {
    self.id = id
    self.name = name
    self.destination = destination
    self.startDate = startDate
    self.endDate = endDate
    self.budget = budget
    self.isFavorite = isFavorite
    self.notes = notes
  }

  convenience init(_ values: TripValues) {
    self.init(
      id: 0, name: values.name, destination: values.destination, startDate: values.startDate,
      endDate: values.endDate, budget: values.budget, isFavorite: values.isFavorite,
      notes: values.notes)
  }

  func set(_ values: TripValues) {
    name = values.name
    destination = values.destination
    startDate = values.startDate
    endDate = values.endDate
    budget = values.budget
    isFavorite = values.isFavorite
    notes = values.notes
  }

  var values: TripValues {
    TripValues(
      name: name, destination: destination, startDate: startDate, endDate: endDate, budget: budget,
      isFavorite: isFavorite, notes: notes)
  }
}

/// An item in a trip's list.
final class RawItem {
  var id: Int64
  var title: String
  var isInPlan: Bool
  var trip: Int64

  init(id: Int64, title: String, isInPlan: Bool, trip: Int64) {
    self.id = id
    self.title = title
    self.isInPlan = isInPlan
    self.trip = trip
  }

  var values: ItemValues { ItemValues(title: title, isInPlan: isInPlan) }
}
