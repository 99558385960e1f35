public import Foundation

// Every initializer fetches once and rethrows fetch errors. The observer uses the caller's isolation, which must match
// the context's isolation.

extension ResultsObserver where SectionTitle == Never {
  /// Observes a fetch.
  ///
  /// ```swift
  /// var next = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
  /// next.fetchLimit = 10
  /// let observer = try ResultsObserver(fetchDescriptor: next, modelContext: context)
  /// for trip in observer.results { print(trip.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, sort order and limits. By default, all models.
  ///   - modelContext: The observed context. Unsaved changes are included.
  ///   - isolation: The actor to which the context belongs and on which the observer updates. Defaults to the caller's
  ///     isolation; `nil` in code that runs on no actor.
  /// - Throws: The same errors as ``ModelContext/fetch(_:isolation:)``.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, nil, modelContext, isolation)
  }

  /// Observes a fetch in a separate context.
  ///
  /// ```swift
  /// var booked = FetchDescriptor<LivingAccommodation>(predicate: #Predicate { $0.isConfirmed })
  /// booked.relationshipKeyPathsForPrefetching = [\.trip]
  /// let observer = try ResultsObserver(fetchDescriptor: booked, modelContainer: container)
  /// for await change in observer.changes { print(change.results.count, "confirmed bookings") }
  /// ```
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, sort order and limits. By default, all models.
  ///   - modelContainer: The container in which the observer creates a context. The results contain saved models.
  ///   - isolation: The actor on which the observer updates. Defaults to the caller's isolation; `nil` in code that
  ///     runs on no actor.
  /// - Throws: The same errors as ``ModelContext/fetch(_:isolation:)``.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, nil, ModelContext(modelContainer), isolation)
  }

  /// Observes the models that match a predicate.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(
  ///   filterBy: #Predicate<BucketListItem> { !$0.isInPlan }, sortBy: [SortDescriptor(\.title)], modelContext: context)
  /// withObservationTracking {
  ///   print(observer.results.map(\.title))
  /// } onChange: { … }
  /// ```
  ///
  /// - Parameters:
  ///   - filterBy: The predicate; `nil` for all models.
  ///   - sortBy: The sort order; `nil` for no particular order.
  ///   - modelContext: The observed context. Unsaved changes are included.
  ///   - isolation: The actor to which the context belongs and on which the observer updates. Defaults to the caller's
  ///     isolation; `nil` in code that runs on no actor.
  /// - Throws: The same errors as ``ModelContext/fetch(_:isolation:)``.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, modelContext, isolation)
  }

  /// Observes the models that match a predicate in a separate context.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(
  ///   filterBy: #Predicate<Trip> { $0.destination == "Oslo" }, modelContainer: container)
  /// for await change in observer.changes { print(change.results.map(\.name)) }
  /// ```
  ///
  /// - Parameters:
  ///   - filterBy: The predicate; `nil` for all models.
  ///   - sortBy: The sort order; `nil` for no particular order.
  ///   - modelContainer: The container in which the observer creates a context. The results contain saved models.
  ///   - isolation: The actor on which the observer updates. Defaults to the caller's isolation; `nil` in code that
  ///     runs on no actor.
  /// - Throws: The same errors as ``ModelContext/fetch(_:isolation:)``.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, ModelContext(modelContainer), isolation)
  }
}

// The text property may be optional. Models whose text is nil or empty share a section that has an empty title; those
// with nil come first.

extension ResultsObserver where SectionTitle == String {
  /// Observes a fetch, grouped by a text property.
  ///
  /// ```swift
  /// var saved = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
  /// saved.includePendingChanges = false   // update after saves only
  /// let observer = try ResultsObserver(fetchDescriptor: saved, sectionBy: \.destination, modelContext: context)
  /// print(observer.sections?.sectionTitles ?? [])   // ["Bergen", "Oslo"]
  /// ```
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, sort order and limits. By default, all models.
  ///   - sectionBy: The text property that provides the section titles. It may be optional.
  ///   - modelContext: The observed context. Unsaved changes are included.
  ///   - isolation: The actor to which the context belongs and on which the observer updates. Defaults to the caller's
  ///     isolation; `nil` in code that runs on no actor.
  /// - Throws: The same errors as ``ModelContext/fetch(_:isolation:)``.
  public convenience init<Text: OrderedValue>(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, Text>,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws where Text.Ordered == String {
    try self.init(
      fetchDescriptor, Sectioning(sectionBy), modelContext, isolation)
  }

  /// Observes a fetch in a separate context, grouped by a text property.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(
  ///   fetchDescriptor: FetchDescriptor<LivingAccommodation>(sortBy: [SortDescriptor(\.placeName)]),
  ///   sectionBy: \.bookingReference, modelContainer: container)
  /// print(observer.sections?[sectionTitle: ""]?.count ?? 0, "accommodations are not booked")
  /// ```
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, sort order and limits. By default, all models.
  ///   - sectionBy: The text property that provides the section titles. It may be optional.
  ///   - modelContainer: The container in which the observer creates a context. The results contain saved models.
  ///   - isolation: The actor on which the observer updates. Defaults to the caller's isolation; `nil` in code that
  ///     runs on no actor.
  /// - Throws: The same errors as ``ModelContext/fetch(_:isolation:)``.
  public convenience init<Text: OrderedValue>(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, Text>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws where Text.Ordered == String {
    try self.init(
      fetchDescriptor, Sectioning(sectionBy), ModelContext(modelContainer), isolation)
  }

  /// Observes the models that match a predicate, grouped by a text property.
  ///
  /// ```swift
  /// let now = Date.now
  /// let observer = try ResultsObserver(
  ///   filterBy: #Predicate<Trip> { $0.endDate > now }, sortBy: [SortDescriptor(\.startDate)],
  ///   sectionBy: \.destination, modelContext: context)
  /// if let sections = observer.sections {
  ///   for section in sections { print(section.title, section.map(\.name)) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - filterBy: The predicate; `nil` for all models.
  ///   - sortBy: The sort order within sections; `nil` for no particular order.
  ///   - sectionBy: The text property that provides the section titles. It may be optional.
  ///   - modelContext: The observed context. Unsaved changes are included.
  ///   - isolation: The actor to which the context belongs and on which the observer updates. Defaults to the caller's
  ///     isolation; `nil` in code that runs on no actor.
  /// - Throws: The same errors as ``ModelContext/fetch(_:isolation:)``.
  public convenience init<Text: OrderedValue>(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, Text>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws where Text.Ordered == String {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), Sectioning(sectionBy), modelContext, isolation)
  }

  /// Observes the models that match a predicate in a separate context, grouped by a text property.
  ///
  /// ```swift
  /// let observer = try ResultsObserver(
  ///   sortBy: [SortDescriptor(\Trip.destination, order: .reverse)], sectionBy: \.destination,
  ///   modelContainer: container)
  /// print(observer.sections?.sectionTitles ?? [])   // ["Oslo", "Bergen"]
  /// ```
  ///
  /// - Parameters:
  ///   - filterBy: The predicate; `nil` for all models.
  ///   - sortBy: The sort order within sections; `nil` for no particular order.
  ///   - sectionBy: The text property that provides the section titles. It may be optional.
  ///   - modelContainer: The container in which the observer creates a context. The results contain saved models.
  ///   - isolation: The actor on which the observer updates. Defaults to the caller's isolation; `nil` in code that
  ///     runs on no actor.
  /// - Throws: The same errors as ``ModelContext/fetch(_:isolation:)``.
  public convenience init<Text: OrderedValue>(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, Text>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws where Text.Ordered == String {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), Sectioning(sectionBy), ModelContext(modelContainer),
      isolation)
  }
}
