package import SchemaDiagnostics
package import SchemaModel

/// The consequences of deleting an object of a model. They follow from the delete rules of the runtime, applied to
/// models instead of objects.
package struct DeleteConsequences: Sendable, Equatable, Encodable {
  /// Increase on incompatible changes of the JSON form.
  package var schemaVersion = 1
  package var deletion: Deletion

  /// Returns nil if the schema does not contain the model.
  ///
  /// - Parameter files: The files of the schema, at the indices that source ranges use.
  package init?(of model: String, in schema: ResolvedSchema, files: [SourceFile]) {
    var reader = DeletionReader(index: ModelIndex(schema, files: files))
    guard let deletion = reader.deletion(of: model) else { return nil }
    self.deletion = deletion
    let dying = models
    self.deletion.noteWhoDiesToo(dying)
  }

  /// The models with deleted objects, and the maximum number of deleted objects.
  package var models: [String: Deletion.Amount] {
    var result: [String: Deletion.Amount] = [:]
    deletion.collect(&result, isMany: false)
    return result
  }

  /// All changes of objects that stay, and all conditions that block the save.
  package var effects: [DeletionEffect] { deletion.allEffects }
}

/// The deletion of an object, with its consequences.
package struct Deletion: Sendable, Equatable, Encodable {
  package enum Amount: String, Sendable, Encodable {
    /// The deleted object, or the destination of a to-one relationship.
    case one
    /// All members of a list.
    case all
  }

  package var model: Declaration
  package var amount: Amount
  /// The relationship with the rule `.cascade`; nil for the first deletion.
  package var cause: Declaration?
  /// The submodel with the relationship, if it is not declared for all objects.
  package var condition: String?
  /// True for the other members of the list through which the cascade reached the object.
  package var isOthers = false
  /// True if the consequences are listed elsewhere.
  package var isRepeated = false
  package var deletions: [Deletion] = []
  package var effects: [DeletionEffect] = []
  /// The attributes that the history preserves, including those of submodels.
  package var preserved: [String] = []
  /// The attributes with values in external files.
  package var files: [String] = []
  /// The submodels, which are deleted equally.
  package var submodels: [String] = []
}

/// The effect of a deletion on an object that stays.
package struct DeletionEffect: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// A to-one relationship becomes nil.
    case nullified
    /// The object is removed from a list.
    case removedFromList
    /// The inverse is not written; it reads nil.
    case readsNil
    /// The inverse is not written; it is not optional and reads a placeholder.
    case readsPlaceholder
    /// `.deny`: the save throws if the relationship has a destination.
    case denied
    /// The inverse is required: the save throws.
    case required
    /// A list would have too few members: the save throws.
    case tooFew
  }

  package var kind: Kind
  /// The property that changes or blocks the save.
  package var property: Declaration
  /// The relationship with the rule; nil for a reference without an inverse.
  package var cause: Declaration?
  /// The minimum number of list members, for `tooFew`.
  package var minimum: Int?
  package var condition: String?
  /// True if the effect concerns other objects than the one whose deletion led here.
  package var isOthers = false
  /// True if objects of the affected model can be deleted in the same save. Such objects do not block it.
  package var mayDieToo = false

  /// True if the effect can make the save throw.
  package var isBlocking: Bool {
    switch kind {
    case .denied, .required, .tooFew: true
    case .nullified, .removedFromList, .readsNil, .readsPlaceholder: false
    }
  }

  /// The model that declares the property.
  package var model: String {
    property.name.lastIndex(of: ".").map { String(property.name[..<$0]) } ?? property.name
  }
}

extension Deletion {
  fileprivate func collect(_ result: inout [String: Amount], isMany: Bool) {
    let own: Amount = isMany || amount == .all ? .all : .one
    for name in [model.name] + submodels {
      // Two deletions of one object can be two objects.
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
