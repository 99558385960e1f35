import Foundation

/// Compares a store's rows before and after a migration.
struct MatrixComparison {
  private let hop: MatrixHop
  private let before: StoreContents
  private let after: StoreContents
  private let lineage: Lineage

  init(hop: MatrixHop, before: StoreContents, after: StoreContents) {
    self.hop = hop
    self.before = before
    self.after = after
    lineage = Lineage(plan: hop.plan, from: hop.from, to: hop.to)
  }

  func problems(_ report: inout MigrationMatrix.Report) -> [MatrixHop.Problem] {
    var problems: [MatrixHop.Problem] = []
    for (model, rows) in before.rows.sorted(by: { $0.key < $1.key }) {
      guard let name = lineage.model(model), !hop.changing.contains(name) else { continue }
      let now = after.rows[name] ?? [:]
      problems += counts(model, name, rows, now)
      for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
        guard let found = now[key] else { continue }
        report.rows += 1
        problems += values(model, name, key, row, found, &report)
        problems += links(model, name, key, row, found, &report)
      }
    }
    return problems
  }

  private func counts(
    _ model: String, _ name: String, _ rows: [String: StoreContents.Row], _ now: [String: StoreContents.Row]
  ) -> [MatrixHop.Problem] {
    var problems: [MatrixHop.Problem] = []
    let missing = rows.keys.filter { now[$0] == nil }
    let isLosing = lineage.loses(model)
    if !missing.isEmpty, !isLosing {
      var problem = hop.problem(
        "\(missing.count) of \(rows.count) rows of '\(name)' are missing",
        "keep them in the migration; if a step removes them intentionally, add changing: [\"\(name)\"]")
      problem.model = name
      problem.key = missing.sorted().first
      problems.append(problem)
    }
    let added = now.keys.filter { rows[$0] == nil }
    if !added.isEmpty, !lineage.mayHaveNewRows {
      var problem = hop.problem(
        "\(added.count) rows of '\(name)' are unexpected", MatrixHop.report)
      problem.model = name
      problem.key = added.sorted().first
      problems.append(problem)
    }
    return problems
  }

  private func values(
    _ model: String, _ name: String, _ key: String, _ row: StoreContents.Row, _ found: StoreContents.Row,
    _ report: inout MigrationMatrix.Report
  ) -> [MatrixHop.Problem] {
    lineage.values(of: model).compactMap { kept in
      guard !hop.changing.contains("\(name).\(kept.new)"), let was = row.values[kept.old],
        let now = found.values[kept.new], !kept.isRequiredNow || was != ValueText.none
      else { return nil }
      report.values += 1
      guard !ValueText.isKept(was, in: now) else { return nil }
      return difference(name, key, kept.new, was, now)
    }
  }

  /// Checks that a relationship refers to all previous destinations that still exist. Additional new rows are
  /// permitted.
  private func links(
    _ model: String, _ name: String, _ key: String, _ row: StoreContents.Row, _ found: StoreContents.Row,
    _ report: inout MigrationMatrix.Report
  ) -> [MatrixHop.Problem] {
    lineage.links(of: model).compactMap { kept in
      guard !hop.changing.contains("\(name).\(kept.new)"), let all = row.links[kept.old],
        let now = found.links[kept.new]
      else { return nil }
      report.links += 1
      let was = all.filter { after.contains($0, of: kept.newDestination) }
      // Deduplication merges equal rows and their relationships.
      if lineage.loses(model) || lineage.loses(kept.oldDestination) {
        let isSame = Set(was).isSubset(of: now)
        return isSame ? nil : difference(name, key, kept.new, was.description, now.description)
      }
      let rest = now.filter { before.contains($0, of: kept.oldDestination) }
      let isSame = kept.isOrdered ? rest == was : Set(rest) == Set(was) && rest.count == was.count
      return isSame ? nil : difference(name, key, kept.new, was.description, now.description)
    }
  }

  private func difference(
    _ model: String, _ key: String, _ property: String, _ was: String, _ now: String
  ) -> MatrixHop.Problem {
    var problem = hop.problem(
      "'\(model).\(property)' of row \(key) has changed",
      "a fill or a custom step sets this value; if the change is intended, add changing: [\"\(model).\(property)\"]")
    problem.model = model
    problem.key = key
    problem.property = property
    problem.expected = was
    problem.found = now
    return problem
  }
}
