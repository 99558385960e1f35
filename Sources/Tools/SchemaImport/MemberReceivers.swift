import SchemaSyntax

/// Infers the type before the period in `trip.name` from names in the surrounding code.
struct MemberReceivers {
  let tree: SyntaxTree
  /// The classes to search for.
  let owners: Set<String>
  /// The members of the class that contains the code.
  let members: [DraftSchema.Member]

  /// Returns true if the receiver has a type in `owners`.
  ///
  /// - Parameter tokens: The tokens of the member that contains the code.
  func isOwner(_ token: Int, in tokens: Range<Int>) -> Bool {
    var before = token - 2
    while before >= tokens.lowerBound, [.question, .exclamation].contains(tree.tokens[before].kind) { before -= 1 }
    guard before >= tokens.lowerBound else { return false }
    // Depending on context, the lexer emits `$0` as a name.
    let name = tree.name(ofToken: before)
    return references.contains(name) || isDeclared(name, tokens) || isOfClosure(name, at: before, tokens)
  }

  private var references: Set<String> { properties { !$0.hasPrefix("[") } }
  private var lists: Set<String> { properties { $0.hasPrefix("[") } }

  private func properties(_ isWanted: (String) -> Bool) -> Set<String> {
    Set(
      members.filter { !$0.isCode }.flatMap { member in
        member.declaration.bindings.compactMap { binding -> String? in
          guard let name = binding.nameToken, let type = binding.type?.text, isWanted(type),
            owners.contains(type.filter { !"?![]".contains($0) })
          else { return nil }
          return tree.name(ofToken: name)
        }
      })
  }

  /// Returns true for declarations such as `trip: Trip` and `for trip in trips`.
  private func isDeclared(_ name: String, _ tokens: Range<Int>) -> Bool {
    tokens.dropLast(2).contains { token in
      guard tree.tokens[token].kind == .identifier, tree.name(ofToken: token) == name else { return false }
      let next = tree.text(ofToken: token + 1)
      let last = tree.name(ofToken: token + 2)
      if next == ":" { return owners.contains(last) }
      return next == "in" && token > tokens.lowerBound && tree.text(ofToken: token - 1) == "for" && lists.contains(last)
    }
  }

  /// Returns true for closures such as `trips.filter { $0.name }`, `trips.map { trip in trip.name }` and
  /// `#Predicate<Trip> { … }`.
  private func isOfClosure(_ name: String, at token: Int, _ tokens: Range<Int>) -> Bool {
    var depth = 0
    var open = token - 1
    while open > tokens.lowerBound {
      switch tree.tokens[open].kind {
      case .rightBrace: depth += 1
      case .leftBrace where depth > 0: depth -= 1
      case .leftBrace:
        let isNamed =
          open + 2 < tokens.upperBound && tree.name(ofToken: open + 1) == name && tree.text(ofToken: open + 2) == "in"
        guard name.hasPrefix("$") || isNamed else { return false }
        return isOverOwners(open, name, tokens)
      default: break
      }
      open -= 1
    }
    return false
  }

  private func isOverOwners(_ open: Int, _ name: String, _ tokens: Range<Int>) -> Bool {
    var before = open - 1
    if before > tokens.lowerBound, tree.tokens[before].kind == .leftParen { before -= 1 }
    // Skip call arguments, as in `reduce(0) {`.
    if before > tokens.lowerBound, tree.tokens[before].kind == .rightParen {
      while before > tokens.lowerBound, tree.tokens[before].kind != .leftParen { before -= 1 }
      before -= 1
    }
    guard before - 2 >= tokens.lowerBound else { return false }
    let words = ((before - 2)...before).map { tree.name(ofToken: $0) }
    if words[2] == ">", words[0] == "<" { return owners.contains(words[1]) }
    if words[2] == "reduce", name != "$1" { return false }
    return words[1] == "." && lists.contains(words[0])
  }
}
