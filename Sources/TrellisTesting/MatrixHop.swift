import Foundation
import Synchronization
import Trellis

/// One pair of versions.
struct MatrixHop {
  let plan: any SchemaMigrationPlan.Type
  let from: any VersionedSchema.Type
  let to: any VersionedSchema.Type
  let rows: Int
  let changing: Set<String>
  let url: URL

  var title: String { "\(from.versionIdentifier) → \(to.versionIdentifier)" }

  /// Everything that is not as it should be.
  func run(_ report: inout MigrationMatrix.Report) throws -> [String] {
    try StoreFixture(from, rowsPerModel: rows).write(to: url)
    let before = try contents(of: from, try container(from, nil))
    guard before.values.contains(where: { !$0.isEmpty }) else { return ["\(title): the store has no rows"] }
    let heard = Heard()
    let after = try contents(of: to, try container(to, heard))
    var problems = compare(before, after, &report)
    heard.reset()
    let again = try contents(of: to, try container(to, heard))
    if heard.isAnything { problems.append("\(title): opening the store again migrates it again") }
    for (model, rows) in after where again[model]?.keys.sorted() != rows.keys.sorted() {
      problems.append("\(title): opening the store again changes the rows of '\(model)'")
    }
    return problems
  }

  private func container(_ version: any VersionedSchema.Type, _ heard: Heard?) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: url)
    configuration.migration.keepsBackup = false
    if let heard { configuration.migration.observer = { _ in heard.note() } }
    return try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan, configurations: configuration)
  }

  /// The values of all rows: by model, key and property.
  private func contents(
    of version: any VersionedSchema.Type, _ container: ModelContainer
  ) throws -> [String: [String: [String: String]]] {
    let context = ModelContext(container)
    var contents: [String: [String: [String: String]]] = [:]
    func read<M: PersistentModel>(_ type: M.Type) throws {
      let name = Schema.entityName(for: type)
      let properties = type.attributes
      for model in try context.fetch(FetchDescriptor<M>()) {
        var values: [String: String] = [:]
        for (name, path) in properties { values[name] = ValueText.text(model[keyPath: path] as Any) }
        contents[name, default: [:]][Self.key(of: model)] = values
      }
    }
    for type in version.models { try read(type) }
    return contents
  }

  /// A row keeps its key, whatever its model is called.
  private static func key(of model: some PersistentModel) -> String {
    // Of a default store, which is what is opened here.
    model.persistentModelID.row.map { "\($0)" } ?? "\(model.persistentModelID)"
  }

  private func compare(
    _ before: [String: [String: [String: String]]], _ after: [String: [String: [String: String]]],
    _ report: inout MigrationMatrix.Report
  ) -> [String] {
    let lineage = Lineage(plan: plan, from: from, to: to)
    var problems: [String] = []
    for (model, rows) in before.sorted(by: { $0.key < $1.key }) {
      guard let name = lineage.model(model), !changing.contains(name) else { continue }
      let now = after[name] ?? [:]
      let kept = lineage.properties(of: model).filter { !changing.contains("\(name).\($0.new)") }
      var missing = 0
      for (key, values) in rows {
        guard let found = now[key] else {
          missing += 1
          continue
        }
        report.rows += 1
        for property in kept
        where !ValueText.isKept(values[property.old] ?? "", in: found[property.new] ?? "") {
          problems.append(
            "\(title): '\(name).\(property.new)' of row \(key) was \(values[property.old] ?? "nothing") and is "
              + (found[property.new] ?? "nothing"))
        }
        report.values += kept.count
      }
      if missing > 0, !lineage.loses(model) {
        problems.append("\(title): \(missing) of \(rows.count) rows of '\(name)' are gone")
      }
    }
    return problems
  }
}

/// Whether a migration was heard of.
private final class Heard: Sendable {
  private let count = Mutex(0)

  func note() { count.withLock { $0 += 1 } }
  func reset() { count.withLock { $0 = 0 } }
  var isAnything: Bool { count.withLock { $0 > 0 } }
}

/// Values as text that is the same exactly when they are.
enum ValueText {
  static func text(_ value: Any) -> String {
    if let value = value as? any Encodable {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      if let data = try? encoder.encode([AnyEncodable(value)]) { return String(decoding: data, as: UTF8.self) }
    }
    return "\(value)"
  }

  /// Whether a value is still there. A struct or enum of another version may have more than it had.
  static func isKept(_ old: String, in new: String) -> Bool {
    if old == new { return true }
    guard let before = try? JSONSerialization.jsonObject(with: Data(old.utf8)),
      let after = try? JSONSerialization.jsonObject(with: Data(new.utf8))
    else { return false }
    return isKept(before, in: after)
  }

  private static func isKept(_ old: Any, in new: Any) -> Bool {
    switch (old, new) {
    case (let old as [String: Any], let new as [String: Any]):
      return old.allSatisfy { key, value in new[key].map { isKept(value, in: $0) } ?? false }
    case (let old as [Any], let new as [Any]):
      return old.count == new.count && zip(old, new).allSatisfy { isKept($0, in: $1) }
    default:
      return (old as? NSObject) == (new as? NSObject)
    }
  }

  private struct AnyEncodable: Encodable {
    let value: any Encodable
    init(_ value: any Encodable) { self.value = value }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }
}
