import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension DraftSchema {
  /// A syntax change that loses no information.
  struct Change {
    var kind: ImportNote.Kind
    var origin: ImportedText.Origin?
    var message: String
  }

  /// Naming problems, which are fixed by a rename.
  static let namingProblems: Set<DiagnosticID> = [.reservedMember, .generatedNameClash, .caseOnlyDifference]

  /// Rewrites source that a schema expresses differently. Returns false if nothing changed.
  ///
  /// - Parameter kinds: The problems to fix; nil for all.
  mutating func mend(_ compiled: Compiled, only kinds: Set<DiagnosticID>? = nil) -> Bool {
    guard let tree = compiled.compilation.trees.first else { return false }
    var edits: [TextEdit] = []
    for problem in compiled.compilation.diagnostics where kinds?.contains(problem.id) ?? true {
      guard problem.severity == .error || problem.id == .missingInverse else { continue }
      // Other errors can cause a missing inverse.
      if problem.id == .missingInverse, compiled.compilation.hasErrors { continue }
      let more = self.edits(problem, tree, compiled)
      guard !more.isEmpty else { continue }
      edits += more
      // A rename shifts all following ranges in the file.
      if Self.namingProblems.contains(problem.id) { break }
    }
    return !edits.isEmpty && apply(edits, compiled)
  }

  private mutating func edits(_ problem: Diagnostic, _ tree: SyntaxTree, _ compiled: Compiled) -> [TextEdit] {
    let offset = problem.range.start
    guard let member = Self.member(at: offset, tree) else { return conformance(problem, tree, compiled) }
    let title = "\(member.ownerName).\(member.title)"
    switch problem.id {
    case .ambiguousInverse, .inverseMismatch, .missingInverse, .unresolvedReference:
      guard member.declaration.node.kind == .propertyDeclaration, mended.insert("inverse \(title)").inserted else {
        return []
      }
      let relationship = member.declaration.attribute(named: "Relationship")
      let inverse = relationship?.arguments.first { $0.label == "inverse" }
      if problem.id == .unresolvedReference {
        guard let inverse, inverse.range.start <= offset, offset < inverse.range.end else { return [] }
      }
      changes.append(
        Change(
          kind: problem.id == .missingInverse ? .hint : .check, origin: origin(at: offset, compiled),
          message: "'\(title)' now has 'inverse: nil': \(problem.message)"))
      if let relationship { return [relationship.edit(setting: "inverse", to: "nil", before: ["hashModifier"])] }
      let start = member.declaration.node.range.start
      return [TextEdit(SourceRange(file: tree.fileIndex, start: start, end: start), "@Relationship(inverse: nil) ")]
    case .reservedMember, .generatedNameClash, .caseOnlyDifference:
      return rename(at: problem.range, why: problem.message, member, tree, compiled)
    default: return []
    }
  }

  /// Removes a conformance such as `Sendable` or `NSObject` and keeps the class.
  private mutating func conformance(_ problem: Diagnostic, _ tree: SyntaxTree, _ compiled: Compiled) -> [TextEdit] {
    guard problem.id == .unsupportedDeclaration,
      let node = tree.root.children.first(where: {
        $0.range.start <= problem.range.start && problem.range.start < $0.range.end
      })
    else { return [] }
    let types = DeclarationSyntax(node).inherited
    guard let index = types.firstIndex(where: { $0.range == problem.range }) else { return [] }
    func start(_ index: Int) -> Int {
      var token = types[index].node.firstToken
      // Include the `@` of `@unchecked Sendable`.
      while token >= 2, tree.tokens[token - 2].kind == .at { token -= 2 }
      return token
    }
    var range = problem.range
    let first = start(index)
    if index + 1 < types.count {
      range.start = Int(tree.tokens[first].start)
      range.end = Int(tree.tokens[start(index + 1)].start)
    } else if first > 0 {
      // Include the preceding comma or colon.
      range.start = Int(tree.tokens[first - 1].start)
    }
    changes.append(
      Change(
        kind: .check, origin: origin(at: problem.range.start, compiled),
        message: "the conformance to '\(types[index].text)' was removed: \(problem.message)"))
    return [TextEdit(range, "")]
  }

  /// Renames a property in the declaration, in key paths and in the class's code.
  private mutating func rename(
    at range: SourceRange, why: String, _ member: Member, _ tree: SyntaxTree, _ compiled: Compiled
  ) -> [TextEdit] {
    guard member.owner.node.kind == .classDeclaration, member.declaration.node.kind == .propertyDeclaration,
      !member.isCode,
      let token = member.declaration.bindings.compactMap(\.nameToken).first(where: { tree.range(ofToken: $0) == range })
    else { return [] }
    let old = tree.name(ofToken: token)
    let title = "\(member.ownerName).\(old)"
    guard mended.insert("name \(title)").inserted else { return [] }
    let members = Self.members(tree)
    let owners = Self.heirs(of: member.ownerName, tree)
    let taken = Set(members.flatMap(\.names).map { $0.lowercased() })
    let stem =
      "stored" + String(old.drop { $0 == "_" || $0 == "$" }.prefix(1)).uppercased()
      + String(old.drop { $0 == "_" || $0 == "$" }.dropFirst())
    let new = ([stem] + (2...99).map { "\(stem)\($0)" }).first { !taken.contains($0.lowercased()) } ?? stem
    given.insert("\(member.ownerName).\(new)")
    var edits = [TextEdit(range, new)]
    if let edit = originalName(old, member, tree) { edits.append(edit) }
    let mentions = MemberMentions(tree: tree, owners: owners)
    var places = 0
    for other in members {
      let isInside =
        owners.contains(other.ownerName) && (other.isCode || other.declaration.node.kind == .macroDeclaration)
      let found = mentions.find(old, in: other.tokens, isInside: isInside)
      let receivers = MemberReceivers(
        tree: tree, owners: owners, members: members.filter { $0.ownerName == other.ownerName })
      let unclear = mentions.unclear(old, in: other.tokens, besides: found)
      let sure = unclear.filter { receivers.isOwner($0, in: other.tokens) }
      places += found.count + sure.count
      edits += found.map { place in
        let token = other.tokens.first { Int(tree.tokens[$0].start) == place.lowerBound }
        let isShorthand = token.map(mentions.isShorthand) ?? false
        return TextEdit(
          SourceRange(file: range.file, start: place.lowerBound, end: place.upperBound),
          isShorthand ? "\(old) = \(new)" : new)
      }
      edits += sure.map { TextEdit(tree.range(ofToken: $0), new) }
      for token in unclear where !sure.contains(token) {
        let place = tree.range(ofToken: token)
        changes.append(
          Change(
            kind: .check, origin: origin(at: place.start, compiled),
            message: "'.\(old)' was not changed; write '.\(new)' if it refers to '\(title)'"))
      }
    }
    let follow = places == 0 ? "" : " (\(places == 1 ? "1 use" : "\(places) uses") updated)"
    changes.append(
      Change(
        kind: .check, origin: origin(at: range.start, compiled),
        message: "'\(title)' is renamed to '\(new)'\(follow): \(why); use the new name in other Swift files, too")
    )
    return edits
  }

  private func originalName(_ old: String, _ member: Member, _ tree: SyntaxTree) -> TextEdit? {
    guard member.declaration.attribute(named: "Transient") == nil else { return nil }
    let value = "\"\(old)\""
    let range = member.declaration.node.range
    for name in ["Attribute", "Relationship"] {
      guard let attribute = member.declaration.attribute(named: name) else { continue }
      if attribute.arguments.contains(where: { $0.label == "originalName" }) { return nil }
      return attribute.edit(setting: "originalName", to: value, before: ["inverse", "hashModifier"])
    }
    let models = Set(
      tree.root.children.filter { $0.kind == .classDeclaration }.compactMap { DeclarationSyntax($0).name })
    let words = member.declaration.bindings.compactMap { $0.type?.text }.flatMap {
      $0.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
    let name = words.contains { models.contains(String($0)) } ? "Relationship" : "Attribute"
    return TextEdit(
      SourceRange(file: range.file, start: range.start, end: range.start), "@\(name)(originalName: \(value)) ")
  }
}
