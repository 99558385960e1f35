package import SchemaDiff
import SchemaModel

extension SchemaChange {
  /// The axes that the change breaks, in axis order. They depend only on the change.
  package var axes: [BreakingAxis] {
    var axes = meaning
    // A change that requires a fill, code or a decision is not applied automatically.
    if effect > .automatic { axes.insert(.store) }
    return axes.sorted()
  }

  private var meaning: Set<BreakingAxis> {
    switch self {
    case .schema(let change): change.axes
    case .entity(let change): change.axes
    case .attribute(let change): change.axes
    case .relationship(let change): change.axes
    case .unique(let change): change.axes
    case .index: []
    case .enumeration(let change): change.axes
    case .structure(let change): change.axes
    }
  }
}

extension WholeSchemaChange {
  fileprivate var axes: Set<BreakingAxis> {
    switch self {
    // The names of stores and generated types contain the schema name.
    case .renamed: [.store, .readback, .source]
    case .importAdded, .importRemoved: []
    }
  }
}

extension EntityChange {
  fileprivate var axes: Set<BreakingAxis> {
    switch self {
    case .added: []
    case .removed: [.readback, .codec, .history, .sync, .source]
    case .renamed: [.readback, .codec, .history, .sync, .source]
    case .superentityChanged: [.readback, .codec, .history, .sync, .source]
    // Affects only stores that skip versions: their old names are no longer found.
    case .originalNameChanged: []
    case .conformancesChanged(let old, let new):
      Set(old.conformances).isSubset(of: new.conformances) ? [] : [.source]
    case .accessChanged(let old, let new): AccessLevel.isNarrower(new.access, than: old.access) ? [.source] : []
    // Initializer arguments follow the property order.
    case .propertiesReordered: [.source]
    }
  }
}

extension AttributeChange {
  fileprivate var axes: Set<BreakingAxis> {
    let isKept = (old?.options ?? []).contains(.preserveValueOnDeletion)
    let preserved: Set<BreakingAxis> = isKept ? [.history] : []
    switch aspect {
    // The previous app inserts rows that lack the value, and callers must pass the value to the initializer.
    case .added:
      return new?.fillsItself ?? true ? [] : [.readback, .codec, .sync, .source]
    case .becameStored: return new?.fillsItself ?? true ? [] : [.readback, .codec, .sync]
    case .removed:
      return old?.isTransient ?? false ? [.source] : preserved.union([.readback, .codec, .sync, .source])
    case .becameTransient: return preserved.union([.readback, .codec, .sync])
    case .renamed:
      return old?.isTransient ?? false ? [.source] : preserved.union([.readback, .codec, .sync, .source])
    case .type:
      if old?.isTransient ?? false { return [.source] }
      let isWider = effect == .automatic
      return preserved.union(isWider ? [.readback, .sync, .source] : [.readback, .codec, .sync, .source])
    // Callers must pass an argument for an initializer parameter that has no default.
    case .defaultValue: return new?.defaultValue == nil && old?.defaultValue != nil ? [.source] : []
    case .optionAdded(.ephemeral): return [.readback, .codec, .sync]
    case .optionRemoved(.ephemeral): return new?.fillsItself ?? true ? [] : [.readback, .codec, .sync]
    case .optionRemoved(.preserveValueOnDeletion): return [.history]
    case .optionAdded(.allowsCloudEncryption), .optionRemoved(.allowsCloudEncryption): return [.sync]
    case .optionAdded(.externalStorage), .optionRemoved(.externalStorage): return [.readback]
    case .optionAdded(.codable), .optionRemoved(.codable): return [.readback]
    case .optionAdded, .optionRemoved: return []
    case .transformer: return [.readback, .codec, .sync]
    case .storage: return [.readback, .sync]
    case .hashModifier: return [.readback]
    case .unknown, .originalName: return []
    case .access: return AccessLevel.isNarrower(new?.access, than: old?.access) ? [.source] : []
    case .setterAccess: return AccessLevel.isNarrower(new?.setterAccess, than: old?.setterAccess) ? [.source] : []
    case .mutability: return new?.isLet ?? false ? [.source] : []
    }
  }
}

extension RelationshipChange {
  fileprivate var axes: Set<BreakingAxis> {
    switch aspect {
    case .added: effect == .automatic ? [] : [.readback, .codec, .sync, .source]
    case .removed, .renamed, .destination, .cardinality: [.readback, .codec, .sync, .source]
    // When an object is deleted, the two versions apply different rules to related objects.
    case .deleteRule: [.sync]
    case .inverse: [.readback, .sync]
    case .minimumCount: new?.minimumCount ?? 0 > old?.minimumCount ?? 0 ? [.readback, .sync] : []
    case .maximumCount: effect > .automatic ? [.readback, .sync] : []
    case .order: [.readback, .sync]
    case .hashModifier: [.readback]
    case .originalName: []
    case .defaultValue: new?.defaultValue == nil && old?.defaultValue != nil ? [.source] : []
    case .access: AccessLevel.isNarrower(new?.access, than: old?.access) ? [.source] : []
    case .setterAccess: AccessLevel.isNarrower(new?.setterAccess, than: old?.setterAccess) ? [.source] : []
    }
  }
}

extension UniqueChange {
  fileprivate var axes: Set<BreakingAxis> {
    switch self {
    // The previous app and other devices may write duplicate rows.
    case .added: [.readback, .sync]
    case .removed: [.sync]
    case .policyChanged: [.sync]
    }
  }
}

extension EnumChange {
  fileprivate var axes: Set<BreakingAxis> {
    switch aspect {
    case .added: []
    case .removed: [.source]
    case .rawType, .rawValue: [.readback, .codec, .sync, .source]
    case .conformances where effect > .automatic: [.readback, .codec, .sync, .source]
    case .conformances(let old, let new): Set(old).isSubset(of: new) ? [] : [.source]
    case .access(let old, let new): AccessLevel.isNarrower(new, than: old) ? [.source] : []
    // The previous app has no such case, and an exhaustive `switch` does not compile.
    case .caseRenamed: [.source]
    case .caseAdded: [.readback, .sync, .source]
    case .coding: [.readback, .codec, .sync]
    case .caseRemoved, .payload: [.readback, .codec, .sync, .source]
    case .reordered: []
    }
  }
}

extension StructChange {
  fileprivate var axes: Set<BreakingAxis> {
    switch aspect {
    case .added: []
    case .removed: [.source]
    case .conformances where effect > .automatic: [.readback, .codec, .sync, .source]
    case .conformances(let old, let new): Set(old).isSubset(of: new) ? [] : [.source]
    case .access(let old, let new): AccessLevel.isNarrower(new, than: old) ? [.source] : []
    // The previous app ignores a field that is not required, and loses its value when it writes the row.
    case .fieldAdded: effect == .automatic ? [.readback] : [.readback, .codec, .sync, .source]
    case .fieldRemoved: effect == .automatic ? [.source] : [.readback, .codec, .sync, .source]
    case .fieldRenamed: [.source]
    case .fieldKey, .coding: [.readback, .codec, .sync]
    case .fieldType: effect == .automatic ? [.readback, .sync, .source] : [.readback, .codec, .sync, .source]
    case .fieldDefault(let old, let new): new.defaultValue == nil && old.defaultValue != nil ? [.source] : []
    case .fieldMutability(let field): field.isLet ? [.source] : []
    // Initializer arguments follow the field order.
    case .reordered: [.source]
    }
  }
}

extension AccessLevel {
  /// Returns true if an access level is narrower than the old level. A level that is not written counts as `internal`,
  /// even if the configuration sets a different default.
  fileprivate static func isNarrower(_ new: AccessLevel?, than old: AccessLevel?) -> Bool {
    rank(new) < rank(old)
  }

  private static func rank(_ level: AccessLevel?) -> Int {
    switch level {
    case .private: 0
    case .fileprivate: 1
    case .internal, nil: 2
    case .package: 3
    case .public: 4
    case .open: 5
    }
  }
}
