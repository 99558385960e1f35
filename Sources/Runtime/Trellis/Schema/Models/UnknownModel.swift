import Observation

/// Stands for a model whose entity is not in the schema: it has an identifier and nothing else.
final class UnknownModel: PersistentModel {
  var _$state = ModelState()
  var _$identifier: PersistentIdentifier

  init(identifier: PersistentIdentifier) { self._$identifier = identifier }

  func _$adopt(_ identifier: PersistentIdentifier) { _$identifier = identifier }

  init(backingData: any BackingData<UnknownModel>) {
    self._$identifier =
      backingData.persistentModelID ?? UnknownModel._$definition.temporaryIdentifier()
  }

  static var schemaMetadata: [Schema.PropertyMetadata] { [] }
  static let _$definition = ModelDefinition(Snapshot.self, name: "", codec: 1)

  struct Snapshot: ModelSnapshot {
    typealias Model = UnknownModel
    var persistentIdentifier: PersistentIdentifier

    init(from row: inout StatementRow) { persistentIdentifier = row.identifier }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: UnknownModel) { persistentIdentifier = model._$identifier }
    func write(to row: inout StatementBinder) {}
    func makeModel() -> UnknownModel { UnknownModel(identifier: persistentIdentifier) }
    func restore(_ model: UnknownModel) { model._$identifier = persistentIdentifier }
  }
}
