import SchemaDiagnostics
import SchemaSyntax

extension EntityLinker {
  /// A relationship, identified by the declaring entity and an index into `relationships`.
  struct End: Hashable {
    var entity: Int
    var relationship: Int
  }

  /// Pairs written inverses first, then infers the remaining pairs that have only a single candidate.
  func pairInverses() {
    var pairs = InversePairs(drafts.map { $0.relationships.count })
    for end in pairs.ends {
      switch draft(end).written {
      case .absent: break
      case .none: pairs.settle(end)
      case .keyPath(let root, let path, let range):
        pairs.settle(end)
        if !follow(end, root, path, range, &pairs) { resolveCounterparts(of: end, &pairs) }
      }
    }
    inferInverses(&pairs)
    apply(pairs)
  }

  private func draft(_ end: End) -> EntityDraft.Relationship {
    drafts[end.entity].relationships[end.relationship]
  }

  private func resolved(_ end: End) -> ResolvedRelationship? {
    drafts[end.entity].relationship(at: draft(end).property)
  }

  /// Returns the relationship's destination model.
  private func target(_ end: End) -> String? {
    guard case .relationship(let relationship) = drafts[end.entity].entity.properties[draft(end).property]
    else { return nil }
    return relationship.destination
  }

  private func title(_ end: End) -> String {
    "\(drafts[end.entity].entity.name).\(resolved(end)?.name ?? "")"
  }

  /// Follows a written inverse. Returns false if it does not resolve.
  private func follow(
    _ end: End, _ root: [String], _ path: [String], _ range: SourceRange,
    _ pairs: inout InversePairs
  ) -> Bool {
    guard let written = target(end), let destination = indices[written], let name = path.first
    else { return false }
    var start = destination
    if let type = root.last {
      guard let named = indices[type] else {
        diagnostics.append(.unknownModel(type, path, range, nearest: names.nearestModel(to: type)))
        return false
      }
      start = named
      guard named == destination || lineage(of: destination).contains(named) || lineage(of: named).contains(destination)
      else {
        diagnostics.append(
          .otherDestination(title(end), written, type, range, candidates: candidates(for: end)))
        return false
      }
    }
    guard path.count == 1, let found = property(name, of: start) else {
      if !isPoisoned(name, of: start) { reportUnknownInverse(path, of: start, from: end, range) }
      return false
    }
    guard let other = self.end(of: found) else {
      diagnostics.append(
        .inverseIsValue(name, drafts[start].entity.name, range, candidates: candidates(for: end)))
      return false
    }
    connect(end, other, range, &pairs)
    return true
  }

  private func reportUnknownInverse(_ path: [String], of model: Int, from end: End, _ range: SourceRange) {
    let name = path.joined(separator: ".")
    let nearest = names.suggestions.nearest(to: name, in: relationshipNames(of: model))
    // The name tells which form is meant.
    let isPlural = name.hasSuffix("s") && !name.hasSuffix("ss")
    let additions =
      path.count == 1
      ? [isPlural, !isPlural].compactMap { addition(name, to: model, of: end, isList: $0) } : []
    diagnostics.append(
      .unknownInverse(name, of: drafts[model].entity.name, range, nearest: nearest, additions: additions))
  }

  /// Returns an inverse declaration, and the edit that adds the declaration to a model.
  private func addition(
    _ name: String, to model: Int, of end: End, isList: Bool
  ) -> (text: String, edit: TextEdit)? {
    let owner = Keyword.name(drafts[end.entity].entity.name)
    let property = "var \(Keyword.name(name)): " + (isList ? "[\(owner)] = []" : "\(owner)?")
    return drafts[model].declaration.addingMember(property).map { (property, $0) }
  }

  /// Returns a missing inverse, named after the model: `orders`, or `order`.
  private func missingSide(of end: End, in model: Int) -> (text: String, edit: TextEdit)? {
    let owner = drafts[end.entity].entity.name
    let singular = owner.prefix { $0.isUppercase }.count == 1 ? owner.prefix(1).lowercased() + owner.dropFirst() : owner
    let name = isToOne(end) ? Self.plural(of: singular) : singular
    guard end.entity != model, draft(end).withoutInverse == nil, property(name, of: model) == nil else { return nil }
    return addition(name, to: model, of: end, isList: isToOne(end))
  }

  private static func plural(of name: String) -> String {
    if let last = name.last, last == "y", !(name.dropLast().last.map("aeiou".contains) ?? true) {
      return name.dropLast() + "ies"
    }
    return name + (["s", "x", "z", "ch", "sh"].contains(where: name.hasSuffix) ? "es" : "s")
  }

  /// Returns the key paths of the destination's relationships back to this model.
  private func candidates(for end: End) -> [String] {
    guard let destination = target(end).flatMap({ indices[$0] }) else { return [] }
    return drafts[destination].relationships.indices.map { End(entity: destination, relationship: $0) }
      .filter { $0 != end && target($0) == drafts[end.entity].entity.name }
      .map { "\\" + title($0) }
  }

  /// Marks relationships back to this model as settled, because any of them may be the intended inverse.
  private func resolveCounterparts(of end: End, _ pairs: inout InversePairs) {
    guard let destination = target(end).flatMap({ indices[$0] }) else { return }
    let name = drafts[end.entity].entity.name
    for owner in lineage(of: destination) {
      for index in drafts[owner].relationships.indices {
        let other = End(entity: owner, relationship: index)
        if case .absent = draft(other).written, target(other) == name { pairs.settle(other) }
      }
    }
  }

  private func relationshipNames(of index: Int) -> [String] {
    lineage(of: index).flatMap { owner in
      drafts[owner].relationships.compactMap { drafts[owner].relationship(at: $0.property)?.name }
    }
  }

  private func end(of found: (owner: Int, property: Int)) -> End? {
    // Relationships are in property order.
    let relationships = drafts[found.owner].relationships
    var (low, high) = (0, relationships.count)
    while low < high {
      let middle = (low + high) / 2
      if relationships[middle].property < found.property { low = middle + 1 } else { high = middle }
    }
    guard low < relationships.count, relationships[low].property == found.property else { return nil }
    return End(entity: found.owner, relationship: low)
  }

  private func connect(
    _ end: End, _ other: End, _ range: SourceRange, _ pairs: inout InversePairs
  ) {
    guard let here = target(end), let there = target(other) else { return }
    // The opposite side was meant even if the pair is not valid, so no missing inverse is reported there as well.
    if case .absent = draft(other).written { pairs.settle(other) }
    let place = draft(other).range
    // Each side's destination must be the model that declares the opposite side.
    guard there == drafts[end.entity].entity.name else {
      diagnostics.append(
        .inverseOfOtherType(
          title(other), there, drafts[end.entity].entity.name, range, place, candidates: candidates(for: end)))
      return
    }
    guard here == drafts[other.entity].entity.name else {
      diagnostics.append(
        .inverseDeclaredElsewhere(
          title(end), here, title(other), owner: drafts[other.entity].entity.name,
          range, place))
      return
    }
    if let partner = pairs[other], partner != end {
      guard let edit = draft(end).withoutInverse, let otherEdit = draft(partner).withoutInverse else {
        diagnostics.append(.inverseTaken(title(other), title(partner), range, draft(partner).range))
        return
      }
      // The result does not depend on declaration order.
      let isKept = names(partner, in: other) || !names(end, in: other) && title(partner) < title(end)
      let (winner, loser) = isKept ? (partner, end) : (end, partner)
      names.swift.spell((isKept ? edit : otherEdit).replacement, at: (isKept ? edit : otherEdit).range)
      diagnostics.append(
        .inverseTaken(title(other), title(winner), draft(loser).range, draft(winner).range, loser: title(loser)))
      if !isKept {
        pairs.separate(partner)
        pairs.join(end, other)
      }
      return
    }
    if pairs[end] == other { return }
    if case .none = draft(other).written {
      diagnostics.append(.inverseRefused(title(other), range, place))
      return
    }
    if pairs[end] != nil { return }
    pairs.join(end, other)
  }

  /// True if `other` names `end` as its inverse.
  private func names(_ end: End, in other: End) -> Bool {
    guard case .keyPath(_, let path, _) = draft(other).written else { return false }
    return path == [resolved(end)?.name]
  }

  private func inferInverses(_ pairs: inout InversePairs) {
    let open = pairs.ends.filter { !pairs.isSettled($0) }
    struct Edge: Hashable {
      var from: Int
      var to: Int
    }
    var byEdge: [Edge: [End]] = [:]
    for end in open {
      guard let destination = target(end).flatMap({ indices[$0] }) else { continue }
      byEdge[Edge(from: end.entity, to: destination), default: []].append(end)
    }
    var reported: Set<Edge> = []
    for end in open {
      guard pairs[end] == nil, let relationship = resolved(end),
        let destination = indices[relationship.destination]
      else { continue }
      let here = byEdge[Edge(from: end.entity, to: destination)] ?? []
      let there = (byEdge[Edge(from: destination, to: end.entity)] ?? []).prefix(9).filter {
        $0 != end
      }
      guard let first = there.first else {
        // A property with an invalid type may be the inverse.
        guard drafts[destination].poisoned.isEmpty, !drafts[destination].isIncomplete else { continue }
        diagnostics.append(
          .missingInverse(
            relationship, end: title(end), draft(end).range, addition: missingSide(of: end, in: destination)))
        continue
      }
      let isPair =
        there.count == 1 && (here.count == 1 || end.entity == destination && here.count == 2)
      if isPair {
        pairs.join(end, first)
        if end.entity == destination, end != first, isToOne(end), isToOne(first) {
          diagnostics.append(.guessedInverse((title(end), draft(end).range), (title(first), draft(first).range)))
        }
        continue
      }
      // Each pair of models is reported once, at a side with several candidates.
      let edge = Edge(from: min(end.entity, destination), to: max(end.entity, destination))
      guard there.count > 1, reported.insert(edge).inserted else { continue }
      // An app that declares its models in Swift needs no change: the relationship has no inverse. The frozen copy
      // states this, so that properties added later do not change it.
      let edits = (here + (byEdge[Edge(from: destination, to: end.entity)] ?? [])).map { draft($0).withoutInverse }
      for edit in Set(edits.compactMap(\.self)) { names.swift.spell(edit.replacement, at: edit.range) }
      diagnostics.append(
        .ambiguousInverse(
          title(end), draft(end).range,
          candidates: there.map { (title($0), draft($0).range) }, isSwift: !edits.contains(nil)))
    }
  }

  private func isToOne(_ end: End) -> Bool {
    if case .toOne? = resolved(end)?.cardinality { true } else { false }
  }

  private func apply(_ pairs: InversePairs) {
    for end in pairs.ends {
      guard let other = pairs[end], let name = resolved(other)?.name else { continue }
      let declares = end == other || isDeclaringSide(end, other)
      drafts[end.entity].connect(draft(end).property, to: name, declares: declares)
    }
  }

  /// True for exactly one side of a pair, regardless of the order of the arguments.
  private func isDeclaringSide(_ end: End, _ other: End) -> Bool {
    let isFirst = (end.entity, end.relationship) < (other.entity, other.relationship)
    let wrote = isWritten(end)
    if wrote != isWritten(other) { return wrote }
    if wrote { return isFirst }
    guard let here = resolved(end), let there = resolved(other) else { return isFirst }
    let hasRule = here.deleteRule != .nullify
    if hasRule != (there.deleteRule != .nullify) { return hasRule }
    let (isToMany, otherIsToMany) = (here.isToMany, there.isToMany)
    return isToMany != otherIsToMany ? isToMany : isFirst
  }

  private func isWritten(_ end: End) -> Bool {
    if case .keyPath = draft(end).written { true } else { false }
  }
}
