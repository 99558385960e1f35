import Foundation

extension PredicateTranslator {
  /// The terms of an ORDER BY; empty without sort descriptors.
  ///
  /// nil comes first, and last in reverse, as in Swift and in SQLite. The store adds the primary key
  /// behind them, so that pages do not overlap.
  func order<T: PersistentModel>(_ sort: [SortDescriptor<T>]) throws -> SQLFragment {
    var translation = Translation(self)
    return try sort.map { descriptor in
      guard let keyPath = descriptor.keyPath else {
        throw Untranslatable("a sort without a key path runs in memory")
      }
      if let comparator = descriptor.stringComparator, !comparator.isLexical {
        throw Untranslatable("localized sorting runs in memory")
      }
      let term = try translation.sortTerm(keyPath, of: root)
      return descriptor.order == .reverse ? "\(term) DESC" : "\(term)"
    }.joined(separator: ", ")
  }
}

extension String.StandardComparator {
  /// Swift's own order, in either direction.
  fileprivate var isLexical: Bool {
    var forward = self
    forward.order = .forward
    return forward == .lexical
  }
}

extension Translation {
  fileprivate mutating func sortTerm(
    _ keyPath: AnyKeyPath, of model: ModelTerm
  ) throws -> SQLFragment {
    let type = Swift.type(of: keyPath).valueType
    guard Scalar.ordered(type) != nil else {
      throw Untranslatable("\(type) has an order of its own")
    }
    let term: ScalarTerm
    do {
      term = try scalar(property(keyPath, of: model, type: type))
    } catch let error as Untranslatable {
      guard let found = try sortTermBehind(keyPath, of: model) else { throw error }
      term = found
    }
    guard term.scalar != .opaque else { throw Scalar.unreadable }
    guard !term.isIrregular else {
      // NaN has no place in an order, and Swift's order of text that is not NFC is not consistent.
      throw Untranslatable("\(keyPath) holds values that are sorted in memory")
    }
    return term.orderable
  }

  /// A sort through a to-one relationship: the key path made of the relationship and a property.
  private mutating func sortTermBehind(
    _ keyPath: AnyKeyPath, of model: ModelTerm
  ) throws -> ScalarTerm? {
    for property in model.entity.definition.layout.columns {
      guard case .toOne(let destination, false) = property.kind else { continue }
      for member in destination._$definition.layout.columns
      where property.keyPath.appending(path: member.keyPath) == keyPath {
        guard
          case .model(let target) = try self.property(
            property.keyPath, of: model, type: destination)
        else { return nil }
        let type = Swift.type(of: member.keyPath).valueType
        return try scalar(self.property(member.keyPath, of: target, type: type))
      }
    }
    return nil
  }
}
