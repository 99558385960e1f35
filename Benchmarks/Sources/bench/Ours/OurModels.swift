import Foundation
import Trellis

extension Trip {
  convenience init(_ values: TripValues) {
    self.init(
      name: values.name, destination: values.destination, startDate: values.startDate,
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

extension IndexedTrip {
  convenience init(_ values: TripValues) {
    self.init(
      name: values.name, destination: values.destination, startDate: values.startDate,
      endDate: values.endDate, budget: values.budget, isFavorite: values.isFavorite,
      notes: values.notes)
  }

  var values: TripValues {
    TripValues(
      name: name, destination: destination, startDate: startDate, endDate: endDate, budget: budget,
      isFavorite: isFavorite, notes: notes)
  }
}

extension BucketListItem {
  var values: ItemValues { ItemValues(title: title, isInPlan: isInPlan) }
}
