import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension DraftSchema {
  /// Removes code that uses removed declarations: the statement if it is an assignment, otherwise the member. Returns
  /// false if no code was removed.
  mutating func cutUses(_ compiled: Compiled) -> Bool {
    guard !gone.isEmpty, let tree = compiled.compilation.trees.first else { return false }
    let members = Self.members(tree)
    var done: Set<Section> = []
    for (owner, names) in gone.sorted(by: { $0.key < $1.key }) {
      let owners = Self.heirs(of: owner, tree)
      let mentions = MemberMentions(tree: tree, owners: owners)
      for member in members where member.isCode {
        let isInside = owners.contains(member.ownerName)
        guard let (section, _) = compiled.place(at: member.declaration.node.range.start), !done.contains(section) else {
          continue
        }
        for name in names.sorted() {
          let known = mentions.find(name, in: member.tokens, isInside: isInside)
          // `trip.name`, if the type of `trip` is known.
          let receivers = MemberReceivers(
            tree: tree, owners: owners, members: members.filter { $0.ownerName == member.ownerName })
          let elsewhere = mentions.unclear(name, in: member.tokens, besides: known).first {
            receivers.isOwner($0, in: member.tokens)
          }
          .map { Int(tree.tokens[$0].start)..<Int(tree.tokens[$0].end) }
          guard let place = known.first ?? elsewhere else { continue }
          if cut(place, name, owner, member, tree, compiled) { done.insert(section) }
          break
        }
      }
    }
    return !done.isEmpty
  }

  /// Reports code that may use removed declarations.
  func unclearUses(_ compiled: Compiled, _ tree: SyntaxTree) -> [Change] {
    let members = Self.members(tree)
    let there = Set(members.flatMap(\.names))
    return gone.sorted { $0.key < $1.key }.flatMap { owner, names in
      let mentions = MemberMentions(tree: tree, owners: [])
      return members.filter(\.isCode).flatMap { member in
        names.subtracting(there).sorted().compactMap { name -> Change? in
          guard let token = mentions.unclear(name, in: member.tokens, besides: []).first else { return nil }
          return Change(
            kind: .check, origin: origin(at: Int(tree.tokens[token].start), compiled),
            message:
              "'.\(name)' in '\(member.ownerName).\(member.title)' may refer to '\(owner).\(name)', "
              + "which is not carried over")
        }
      }
    }
  }

  private mutating func cut(
    _ place: Range<Int>, _ name: String, _ owner: String, _ member: Member, _ tree: SyntaxTree, _ compiled: Compiled
  ) -> Bool {
    let statement = Self.assignment(at: place.lowerBound, member, tree)
    let node = member.declaration.node.range
    let range = statement ?? node.start..<node.end
    guard let (section, start) = compiled.place(at: range.lowerBound),
      let (other, end) = compiled.place(at: range.upperBound),
      section == other
    else { return false }
    let origin = origin(at: range.lowerBound, compiled)
    let title =
      member.declaration.keyword == .`init`
      ? "'init' of '\(member.ownerName)'" : "'\(member.ownerName).\(member.title)'"
    let what = "'\(owner).\(name)', which is not carried over"
    add(
      Refusal(
        origin: origin,
        message: statement == nil
          ? "\(title) uses \(what)" : "\(title) assigns \(what); the assignment is commented out"))
    if statement == nil, member.declaration.keyword != .`init` {
      gone[member.ownerName, default: []].formUnion(member.names)
    }
    self[section].cut(from: start, to: end, why: "it uses '\(name)'")
    return true
  }

  /// Returns the range of an assignment `self.name = value` or `name = value`.
  private static func assignment(at offset: Int, _ member: Member, _ tree: SyntaxTree) -> Range<Int>? {
    guard let token = member.tokens.first(where: { Int(tree.tokens[$0].start) == offset }),
      token + 1 < member.tokens.upperBound, tree.tokens[token + 1].kind == .equal
    else { return nil }
    var start = token
    if token >= 2, tree.tokens[token - 1].kind == .period { start = token - 2 }
    guard start > member.tokens.lowerBound,
      tree.tokens[start].startsLine || [.leftBrace, .semicolon].contains(tree.tokens[start - 1].kind)
    else { return nil }
    var last = token + 1
    var depth = 0
    let joins: [TokenKind] = [.period, .operatorSign, .question, .colon, .equal, .comma, .leftAngle, .rightAngle]
    while last + 1 < member.tokens.upperBound {
      let next = tree.tokens[last + 1]
      if depth == 0 {
        if [.rightBrace, .semicolon].contains(next.kind) { break }
        if next.startsLine, !joins.contains(next.kind), !joins.contains(tree.tokens[last].kind) { break }
      }
      switch next.kind {
      case .leftBrace, .leftParen, .leftBracket: depth += 1
      case .rightBrace, .rightParen, .rightBracket: depth -= 1
      default: break
      }
      last += 1
    }
    return Int(tree.tokens[start].start)..<Int(tree.tokens[last].end)
  }
}
