public import Foundation

// Every initialiser fetches once and throws what the fetch throws. The observer lives in the isolation
// of the caller, which must be the one of the context.

extension ResultsObserver where SectionTitle == Never {
  /// Observes a fetch.
  ///
  /// - Throws: what ``ModelContext/fetch(_:isolation:)`` throws.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, nil, modelContext, isolation)
  }

  /// Observes a fetch, in a separate context.
  ///
  /// - Throws: what ``ModelContext/fetch(_:isolation:)`` throws.
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
  /// - Throws: what ``ModelContext/fetch(_:isolation:)`` throws.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, modelContext, isolation)
  }

  /// Observes the models that match a predicate, in a separate context.
  ///
  /// - Throws: what ``ModelContext/fetch(_:isolation:)`` throws.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, ModelContext(modelContainer), isolation)
  }
}

// The text may be optional. Models without a text are in the section with the empty title, before those whose text is
// empty.

extension ResultsObserver where SectionTitle == String {
  /// Observes a fetch, grouped by a text.
  ///
  /// - Throws: what ``ModelContext/fetch(_:isolation:)`` throws.
  public convenience init<Text: OrderedValue>(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, Text>,
    modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws where Text.Ordered == String {
    try self.init(
      fetchDescriptor, Sectioning(sectionBy), modelContext, isolation)
  }

  /// Observes a fetch, grouped by a text, in a separate context.
  ///
  /// - Throws: what ``ModelContext/fetch(_:isolation:)`` throws.
  public convenience init<Text: OrderedValue>(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, Text>,
    modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws where Text.Ordered == String {
    try self.init(
      fetchDescriptor, Sectioning(sectionBy), ModelContext(modelContainer), isolation)
  }

  /// Observes the models that match a predicate, grouped by a text.
  ///
  /// - Throws: what ``ModelContext/fetch(_:isolation:)`` throws.
  public convenience init<Text: OrderedValue>(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, Text>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws where Text.Ordered == String {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), Sectioning(sectionBy), modelContext, isolation)
  }

  /// Observes the models that match a predicate, grouped by a text, in a separate context.
  ///
  /// - Throws: what ``ModelContext/fetch(_:isolation:)`` throws.
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
