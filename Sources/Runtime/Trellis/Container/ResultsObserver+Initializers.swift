public import Foundation

// Every initializer fetches once and rethrows fetch errors. The observer uses the caller's isolation, which must match
// the context's isolation.

extension ResultsObserver where SectionTitle == Never {
  /// Observes a fetch.
  ///
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

// The text property may be optional. Models with a nil text form a section with an empty title, before models whose
// text is empty.

extension ResultsObserver where SectionTitle == String {
  /// Observes a fetch, grouped by a text property.
  ///
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
