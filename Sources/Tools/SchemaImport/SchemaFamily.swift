import SchemaModel
import SchemaSyntax

/// Consecutive versions with a shared migration plan or a shared name.
struct SchemaFamily {
  struct Version {
    var source: SwiftVersions.Version
    /// The version number, greater than all previous numbers.
    var number: SchemaVersion
  }

  /// The versions, oldest first.
  private(set) var versions: [Version]
  /// The migration plan, or nil if there is none.
  let plan: MigrationPlans.Plan?

  /// The common name of the versions or enclosing types, minus any version suffix.
  var name: String? {
    let names = Set(versions.map { Self.stem($0.source.name) })
    if names.count == 1, let name = names.first, !name.isEmpty { return name }
    let scopes = Set(versions.map { $0.source.path.dropLast().last.map(Self.stem) ?? "" })
    if scopes.count == 1, let scope = scopes.first, !scope.isEmpty { return scope }
    let planned = plan.map { Self.stem($0.name).replacing("MigrationPlan", with: "").replacing("Plan", with: "") }
    return planned.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Removes version suffixes: `NotesSchemaV2` becomes `Notes`, and `SchemaV1_0_1` becomes an empty string.
  static func stem(_ name: String) -> String {
    var words = ""
    for character in name {
      guard character.isASCII && character.isNumber || character == "_" else {
        words.append(character)
        continue
      }
      for suffix in ["Version", "version", "V", "v"] where words.hasSuffix(suffix) {
        words.removeLast(suffix.count)
        break
      }
    }
    return words.replacing("Versioned", with: "").replacing("Schema", with: "")
  }

  /// - Returns: The families, with notes about omitted versions and changed numbers.
  static func find(
    _ found: SwiftVersions, _ plans: [MigrationPlans.Plan], _ library: TypeLibrary
  ) -> (families: [SchemaFamily], notes: [ImportNote]) {
    var notes: [ImportNote] = []
    var groups = planned(plans)
    var open = found.versions.filter { version in !groups.contains { $0.versions.contains(version.path) } }
    open.removeAll { version in
      guard let group = groups.first(where: { group in group.versions.contains { isAlike($0, version.path) } })
      else { return false }
      notes.append(
        library.note(
          .check, version.declaration,
          "'\(version.title)' is not listed in '\(group.plan.name).schemas' and is omitted, as in SwiftData"))
      return true
    }
    var loose: [[SwiftVersions.Version]] = []
    for version in open {
      if let index = loose.firstIndex(where: { group in group.contains { isAlike($0.path, version.path) } })
        ?? loose.firstIndex(where: { isOneModel($0, version) })
      {
        loose[index].append(version)
      } else {
        loose.append([version])
      }
    }
    groups.removeAll { group in !found.versions.contains { group.versions.contains($0.path) } }
    let byPath = Dictionary(found.versions.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let families =
      groups.map { SchemaFamily($0.versions.compactMap { byPath[$0] }, $0.plan, library, &notes) }
      + loose.map { SchemaFamily($0, nil, library, &notes) }
    return (families, notes)
  }

  private init(
    _ sources: [SwiftVersions.Version], _ plan: MigrationPlans.Plan?, _ library: TypeLibrary,
    _ notes: inout [ImportNote]
  ) {
    versions = []
    self.plan = plan
    for source in sources {
      guard let before = versions.last, source.number <= before.number else {
        versions.append(Version(source: source, number: source.number))
        continue
      }
      let number = before.number.next
      notes.append(
        library.note(
          .check, source.declaration,
          source.number == before.source.number
            ? "'\(before.source.title)' and '\(source.title)' both have version \(source.number); "
              + "'\(source.title)' becomes \(number)"
            : "'\(source.title)' has version \(source.number) but follows '\(before.source.title)' "
              + "with version \(before.number); it becomes \(number)"))
      versions.append(Version(source: source, number: number))
    }
  }

  /// Merges plans that share a version into a single schema. The longest plan determines the order.
  private static func planned(_ plans: [MigrationPlans.Plan]) -> [(versions: [[String]], plan: MigrationPlans.Plan)] {
    var groups: [(versions: [[String]], plan: MigrationPlans.Plan)] = []
    let sorted = plans.enumerated().sorted { first, second in
      let (left, right) = (first.element.versions?.count ?? 0, second.element.versions?.count ?? 0)
      return left == right ? first.offset < second.offset : left > right
    }.map(\.element)
    for plan in sorted {
      guard let versions = plan.versions else { continue }
      if let index = groups.firstIndex(where: { group in versions.contains(where: group.versions.contains) }) {
        groups[index].versions += versions.filter { !groups[index].versions.contains($0) }
      } else {
        groups.append((versions, plan))
      }
    }
    return groups
  }

  private static func isAlike(_ first: [String], _ second: [String]) -> Bool {
    first.dropLast() == second.dropLast() && stem(first.last ?? "") == stem(second.last ?? "")
  }

  /// Returns true if a version with a different name and number contains any of these models.
  private static func isOneModel(_ group: [SwiftVersions.Version], _ version: SwiftVersions.Version) -> Bool {
    func models(_ version: SwiftVersions.Version) -> Set<String> {
      Set(version.models.compactMap { $0.split(separator: ".").last.map(String.init) })
    }
    return !group.contains { $0.number == version.number }
      && group.allSatisfy { $0.path.dropLast() == version.path.dropLast() }
      && group.contains { !models($0).isDisjoint(with: models(version)) }
  }
}

extension SchemaVersion {
  /// The next higher version number.
  fileprivate var next: SchemaVersion {
    if patch < Int.max { return SchemaVersion(major, minor, patch + 1) }
    if minor < Int.max { return SchemaVersion(major, minor + 1, 0) }
    return major < Int.max ? SchemaVersion(major + 1, 0, 0) : self
  }
}
