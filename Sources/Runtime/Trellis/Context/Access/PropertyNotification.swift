import Observation

/// Tells observers of changes the library makes, where no typed accessor is at hand.
///
/// Where the context holds notifications back, they come after everything has changed.
enum PropertyNotification {
  /// - Parameter context: the context, where the model has none before or after the change.
  static func will(_ model: any PersistentModel, _ property: ModelProperty, in context: ModelContext? = nil) {
    guard let registrar = model._$state.side?.registrar else { return }
    guard let context = context ?? model.ownerContext, context.state.held != nil else {
      (property.accessedKeyPath as? any ObservableKeyPath)?.notify(registrar, .willSet, of: model)
      return
    }
    context.state.held?.add(model, property)
  }

  static func did(_ model: any PersistentModel, _ property: ModelProperty, in context: ModelContext? = nil) {
    guard let registrar = model._$state.side?.registrar, (context ?? model.ownerContext)?.state.held == nil else {
      return
    }
    (property.accessedKeyPath as? any ObservableKeyPath)?.notify(registrar, .didSet, of: model)
  }

  /// Notifies observers of a property that other models determine.
  static func changed(_ model: any PersistentModel, _ property: ModelProperty) {
    will(model, property)
    did(model, property)
  }

  /// Runs a change that gives a model the values of a row: tells the observers of those that differ.
  ///
  /// - Parameters:
  ///   - lists: the to-many slots that change with it.
  ///   - context: the context, where the model has none before or after the change.
  static func replacing(
    _ model: any PersistentModel, with buffer: SnapshotBuffer, _ index: Int,
    lists: PropertySet = PropertySet(), in context: ModelContext? = nil, _ change: () -> Void
  ) {
    guard model._$state.side?.registrar != nil else { return change() }
    let columns = try? model.capturedRow().differing(0, from: buffer, index)
    let changed = type(of: model)._$definition.layout.properties.filter { property in
      property.kind.isToMany
        ? lists.contains(property.slot)
        : property.slot >= 0 && columns?.contains(property.slot) ?? true
    }
    run(model, changed, context, change)
  }

  /// Runs a change after which the model finds none of the models it is related to.
  static func leaving(
    _ model: any PersistentModel, _ context: ModelContext, _ change: () -> Void
  ) {
    guard model._$state.side?.registrar != nil else { return change() }
    let properties = type(of: model)._$definition.layout.properties
    run(model, properties.filter(\.kind.isRelationship), context, change)
  }

  private static func run(
    _ model: any PersistentModel, _ properties: [ModelProperty], _ context: ModelContext?,
    _ change: () -> Void
  ) {
    for property in properties { will(model, property, in: context) }
    change()
    for property in properties { did(model, property, in: context) }
  }
}
