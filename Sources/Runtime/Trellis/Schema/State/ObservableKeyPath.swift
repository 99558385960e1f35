import Observation

/// A key path of a model whose value type is known only at run time.
protocol ObservableKeyPath {
  func access(_ model: any PersistentModel, _ registrar: ObservationRegistrar)
  func willSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar)
  func didSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar)
}

extension KeyPath: ObservableKeyPath where Root: PersistentModel {
  func access(_ model: any PersistentModel, _ registrar: ObservationRegistrar) {
    guard let model = model as? Root else { return }
    registrar.access(model, keyPath: self)
  }

  func willSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar) {
    guard let model = model as? Root else { return }
    registrar.willSet(model, keyPath: self)
  }

  func didSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar) {
    guard let model = model as? Root else { return }
    registrar.didSet(model, keyPath: self)
  }
}
