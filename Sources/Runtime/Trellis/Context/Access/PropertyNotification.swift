import Observation

/// Notifies observers of changes made by the library, where no typed accessor is available.
///
/// If the context defers notifications, they are sent after all changes have been made.
enum PropertyNotification {
  /// - Parameter context: The context to use if the model has none before or after the change.
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

  /// Notifies observers of a property whose value depends on other models.
  static func changed(_ model: any PersistentModel, _ property: ModelProperty) {
    will(model, property)
    did(model, property)
  }

  /// Runs a change that replaces a model's values with a row, and notifies observers of the differing values.
  ///
  /// - Parameters:
  ///   - lists: The to-many slots that also change.
  ///   - context: The context to use if the model has none before or after the change.
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

  /// Runs a change that makes a model's related models unavailable.
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
