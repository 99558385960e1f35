extension DeclarationSyntax {
  /// The module that an `import` names; of `import struct Foundation.Date` what it is imported from.
  package var importedModule: String? {
    guard let keyword = keywordToken else { return nil }
    for index in keyword + 1..<max(keyword + 1, node.tokenEnd) {
      let token = node.tree.tokens[index]
      if token.kind == .identifier, !(index == keyword + 1 && token.keyword != nil) {
        return node.tree.name(ofToken: index)
      }
    }
    return nil
  }
}
