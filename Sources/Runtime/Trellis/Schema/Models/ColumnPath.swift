import Observation

/// The key path of a column as accessors and observers spell it.
struct ColumnPath {
  let path: AnyKeyPath
  /// The same, able to tell observers.
  let observable: (any ObservableKeyPath)?

  init(_ path: AnyKeyPath) {
    self.path = path
    observable = path as? any ObservableKeyPath
  }
}

final class ColumnPaths: @unchecked Sendable {  // key paths are never written
  let bySlot: [ColumnPath]

  init(_ columns: [ModelProperty]) { bySlot = columns.map { ColumnPath($0.accessedKeyPath) } }
}

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
