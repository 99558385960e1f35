/// The names of models in the older versions of a plan. Identifiers that a program has stored contain them.
package final class FormerNames: Sendable {
  private let schema: Schema
  private let plan: any SchemaMigrationPlan.Type
  private let names = LazyReference<Names>()

  private final class Names: Sendable {
    /// Former name to present one.
    let current: [String: String]

    init(_ current: [String: String]) { self.current = current }
  }

  /// The versions are read with the first call of ``current(_:)``.
  package init(_ plan: any SchemaMigrationPlan.Type, of schema: Schema) {
    self.plan = plan
    self.schema = schema
  }

  /// The present name of the model that had a name in some version; nil if there is none, or several.
  package func current(_ name: String) -> String? {
    let names = names.load() ?? names.storeIfNil(Names(read()))
    return names.current[name]
  }

  private func read() -> [String: String] {
    let types = plan.schemas
    let last = plan.version(of: schema)
    guard let current = types.firstIndex(where: { type in last.map { $0 == type } ?? false }) else { return [:] }
    let stages = StagePlan.all(of: plan)
    var versions = [current: schema]
    var found: [String: String?] = [:]
    // The present names of the models of each version.
    var names = [
      current: Dictionary(schema.entities.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
    ]
    for index in (0..<current).reversed() {
      let next = stages.next(after: index, in: types).index
      guard let new = versions[next], let today = names[next] else { continue }
      let old = Schema(versionedSchema: types[index])
      let pairing = NamePairing(from: old.entities.map(\.item), to: new.entities.map(\.item))
      var before: [String: String] = [:]
      for (name, origin) in pairing.origins {
        guard let current = today[name] else { continue }
        before[origin] = current
        guard origin != current else { continue }
        // Two models may have had one name, one after the other.
        if let other = found[origin], other != current {
          found[origin] = .some(nil)
        } else {
          found[origin] = current
        }
      }
      versions[index] = old
      names[index] = before
    }
    return found.compactMapValues { $0 }
  }
}
