package import SchemaDiagnostics
package import SchemaModel

/// What a save does when an object of a model was deleted, as far as the schema says it: the rules of
/// the runtime, applied to models instead of objects.
package struct DeleteConsequences: Sendable, Equatable, Encodable {
  /// Raised when a reader of the JSON form would have to change.
  package var schemaVersion = 1
  package var deletion: Deletion

  /// Nil for a name that is no model's.
  ///
  /// - Parameter files: what ranges of the schema name by their place.
  package init?(of model: String, in schema: ResolvedSchema, files: [SourceFile]) {
    var reader = DeletionReader(index: ModelIndex(schema, files: files))
    guard let deletion = reader.deletion(of: model) else { return nil }
    self.deletion = deletion
    let dying = models
    self.deletion.noteWhoDiesToo(dying)
  }

  /// The models whose objects may go, and how many at most.
  package var models: [String: Deletion.Amount] {
    var result: [String: Deletion.Amount] = [:]
    deletion.collect(&result, isMany: false)
    return result
  }

  /// Everything that happens to objects that stay, and everything that stops the save.
  package var effects: [DeletionEffect] { deletion.allEffects }
}

/// An object that goes, with what its going leads to.
package struct Deletion: Sendable, Equatable, Encodable {
  package enum Amount: String, Sendable, Encodable {
    /// The one at the end of a to-one relationship, or the one it is all about.
    case one
    /// Everyone in a list.
    case all
  }

  package var model: Declaration
  package var amount: Amount
  /// The relationship whose `.cascade` it is; nil for the first one.
  package var cause: Declaration?
  /// The submodel that has the relationship, where not every object has it.
  package var condition: String?
  /// Whether it is the list the object was found by from the other end: the others in it.
  package var isOthers = false
  /// Its consequences were told before.
  package var isRepeated = false
  package var deletions: [Deletion] = []
  package var effects: [DeletionEffect] = []
  /// What the history keeps of it: attributes by name, those of submodels with it.
  package var preserved: [String] = []
  /// The attributes whose values are files of their own.
  package var files: [String] = []
  /// The models that inherit from this one, which go the same way.
  package var submodels: [String] = []
}

/// What a deletion does to an object that stays.
package struct DeletionEffect: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// A to-one relationship is nil from then on.
    case nullified
    /// A list is without it from then on.
    case removedFromList
    /// Nothing is written to the other end, which reads nil.
    case readsNil
    /// Nothing is written to the other end, which cannot be nil and reads a placeholder.
    case readsPlaceholder
    /// `.deny`: the save is refused while there is somebody at the other end.
    case denied
    /// The other end cannot be without it: the save is refused.
    case required
    /// A list at the other end may have too few members then: the save is refused.
    case tooFew
  }

  package var kind: Kind
  /// The property that changes, or stands in the way.
  package var property: Declaration
  /// The relationship with the rule; nil for a reference the deleted object knows nothing of.
  package var cause: Declaration?
  /// The least members of the list, for `tooFew`.
  package var minimum: Int?
  package var condition: String?
  /// Whether it is about other objects than the one whose deletion has led here.
  package var isOthers = false
  /// Whether objects of that model may go in the same save. Those stand in nobody's way.
  package var mayDieToo = false

  /// Whether the save can fail because of it.
  package var isBlocking: Bool {
    switch kind {
    case .denied, .required, .tooFew: true
    case .nullified, .removedFromList, .readsNil, .readsPlaceholder: false
    }
  }

  /// The model that has the property.
  package var model: String {
    property.name.lastIndex(of: ".").map { String(property.name[..<$0]) } ?? property.name
  }
}

extension Deletion {
  fileprivate func collect(_ result: inout [String: Amount], isMany: Bool) {
    let own: Amount = isMany || amount == .all ? .all : .one
    for name in [model.name] + submodels {
      // Twice one is more than one.
      result[name] = result[name] == nil ? own : .all
    }
    for deletion in deletions { deletion.collect(&result, isMany: own == .all) }
  }

  fileprivate var allEffects: [DeletionEffect] { effects + deletions.flatMap(\.allEffects) }

  fileprivate mutating func noteWhoDiesToo(_ models: [String: Amount]) {
    for index in effects.indices { effects[index].mayDieToo = models[effects[index].model] != nil }
    for index in deletions.indices { deletions[index].noteWhoDiesToo(models) }
  }
}
