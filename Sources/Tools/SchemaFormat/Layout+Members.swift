import SchemaSyntax

extension Layout {
  /// Lays out a property or a `case`, with attributes on the same line if they fit, otherwise above it.
  mutating func member(_ node: SyntaxNode, indent: Int) -> Bool {
    var attributes: [SyntaxNode] = []
    var elements: [SyntaxNode] = []
    for child in node.children {
      switch child.kind {
      case .attribute: attributes.append(child)
      case .binding, .enumCase: elements.append(child)
      default: break
      }
    }
    let head = attributes.last?.tokenEnd ?? node.firstToken
    var isLong = false
    for (index, element) in elements.enumerated() {
      isLong = self.element(element, in: node, head: head, isFirst: index == 0, indent: indent) || isLong
    }
    isLong = wrap(elements, from: head, indent: indent) || isLong
    isLong = place(attributes, before: head, to: node.tokenEnd, indent: indent) || isLong
    return isLong
  }

  private mutating func place(
    _ attributes: [SyntaxNode], before head: Int, to end: Int, indent: Int
  ) -> Bool {
    guard let first = attributes.first?.firstToken else { return false }
    for attribute in attributes { arguments(of: attribute) }
    let limit = SchemaFormatter.attributeLineLimit
    if fits(first..<head + 1, at: indent), fits(first..<end, at: indent, limit: limit, toBreak: true) {
      return false
    }
    set(.tight, at: head, column: indent)
    if fits(first..<head, at: indent) { return true }
    for node in attributes {
      attribute(node, indent: indent)
      if node.firstToken > first { set(.tight, at: node.firstToken, column: indent) }
    }
    return true
  }

  @discardableResult
  mutating func element(_ node: SyntaxNode, in declaration: SyntaxNode, indent: Int) -> Bool {
    element(node, in: declaration, head: node.firstToken, isFirst: false, indent: indent)
  }

  /// Lays out a declared name with its type and value. Returns true if it takes several lines.
  private mutating func element(
    _ node: SyntaxNode, in declaration: SyntaxNode, head: Int, isFirst: Bool, indent: Int
  ) -> Bool {
    var isLong = false
    for child in node.children {
      switch child.kind {
      case .initializerClause:
        isLong = value(child, in: declaration, from: isFirst ? head : node.firstToken, indent: indent) || isLong
      case .accessorBlock:
        isLong = carry(child.firstToken..<child.tokenEnd, from: declaration.firstToken) || isLong
      case .payloadField:
        for part in child.children {
          if part.kind.isType { keepText(of: part) }
          if part.kind == .initializerClause {
            isLong = value(part, in: declaration, from: node.firstToken, indent: indent) || isLong
          }
        }
        if tokens[child.tokenEnd].kind == .comma, tokens[child.tokenEnd + 1].kind == .rightParen {
          set(.leftOut, at: child.tokenEnd)
          set(.nothing, at: child.tokenEnd + 1)
        }
      default:
        if child.kind.isType { keepText(of: child) }
      }
    }
    return isLong
  }

  /// Lays out `= value`. A value on a separate line remains there unless it fits on the previous line.
  private mutating func value(
    _ clause: SyntaxNode, in declaration: SyntaxNode, from start: Int, indent: Int
  ) -> Bool {
    let first = clause.firstToken + 1
    guard first < clause.tokenEnd else { return false }
    let isBelow = facts[first].contains(.lineBreak)
    let column = isBelow ? indent + SchemaFormatter.indentation : indent
    var isLong = carry(first..<clause.tokenEnd, from: declaration.firstToken)
    if isBelow, isLong || !fits(start..<clause.tokenEnd, at: indent) {
      set(.tight, at: first, column: column)
      isLong = true
    } else if isBelow {
      set(.space, at: first)
    }
    return isLong
  }

  /// Lays out the names in a declaration. Existing line breaks are kept; a line that is too long is broken.
  private mutating func wrap(_ elements: [SyntaxNode], from head: Int, indent: Int) -> Bool {
    let inner = indent + SchemaFormatter.indentation
    let limit = SchemaFormatter.lineLimit
    var isLong = false
    var start = head
    for (index, element) in elements.enumerated() {
      let end = index + 1 < elements.count ? element.tokenEnd + 1 : element.tokenEnd
      let column = start == head ? indent : inner
      if index > 0 {
        let breaks = facts[element.firstToken].contains(.lineBreak)
        if breaks || !fits(start..<end, at: column, limit: limit, toBreak: true) {
          set(.tight, at: element.firstToken, column: inner)
          start = element.firstToken
          isLong = true
        }
      }
      if element.kind == .enumCase, !fits(start..<end, at: start == head ? indent : inner, toBreak: true) {
        isLong = payload(element, indent: start == head ? indent : inner) || isLong
      }
    }
    return isLong
  }

  /// Puts each of a case's associated values on a separate line.
  private mutating func payload(_ node: SyntaxNode, indent: Int) -> Bool {
    let fields = node.children(.payloadField)
    guard let first = fields.first, let last = fields.last else { return false }
    for field in fields {
      set(.tight, at: field.firstToken, column: indent + SchemaFormatter.indentation)
    }
    var closer = last.tokenEnd
    if tokens[closer].kind == .comma { closer += 1 }
    guard tokens[closer].kind == .rightParen, first.firstToken > 0 else { return true }
    set(.lineBeforeCloser, at: closer, column: indent)
    return true
  }
}
