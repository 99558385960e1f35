import Observation

/// A key path of a model whose value type is known only at run time.
protocol ObservableKeyPath {
  func willSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar)
  func didSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar)
}

extension KeyPath: ObservableKeyPath where Root: PersistentModel {
  func willSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar) {
    guard let model = model as? Root else { return }
    registrar.willSet(model, keyPath: self)
  }

  func didSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar) {
    guard let model = model as? Root else { return }
    registrar.didSet(model, keyPath: self)
  }
}

/// Tells observers of changes the library makes, where no typed accessor is at hand.
enum PropertyNotification {
  static func will(_ model: any PersistentModel, _ property: ModelProperty) {
    guard let registrar = model._$state.side?.registrar else { return }
    (property.accessedKeyPath as? any ObservableKeyPath)?.willSet(model, registrar)
  }

  static func did(_ model: any PersistentModel, _ property: ModelProperty) {
    guard let registrar = model._$state.side?.registrar else { return }
    (property.accessedKeyPath as? any ObservableKeyPath)?.didSet(model, registrar)
  }

  /// Runs a change that may touch every property of the model.
  static func all(_ model: any PersistentModel, _ change: () -> Void) {
    guard model._$state.side?.registrar != nil else { return change() }
    let properties = type(of: model)._$definition.layout.properties
    for property in properties { will(model, property) }
    change()
    for property in properties { did(model, property) }
  }
}
