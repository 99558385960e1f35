package import SchemaDiagnostics

/// Model classes in Swift files.
package enum SwiftModels {
  /// A Swift file as a schema file: its imports and its model classes, each byte at its place, and spaces for everything
  /// else. Nil without models.
  ///
  /// - Parameter schemaName: The schema that the models belong to.
  package static func schemaFile(of file: SourceFile, schemaName: String) -> SourceFile? {
    let source = SwiftFile(file)
    let declarations = SwiftScan(source, index: 0).declarations
    let models = declarations.filter { $0.kind == .model }
    guard !models.isEmpty else { return nil }
    // A type around a model stays, so that the compiler refuses it.
    let kept = declarations.filter { declaration in
      declaration.scopes.isEmpty && models.contains { declaration.range.contains($0.range.lowerBound) }
    }
    var bytes = file.bytes.map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
    let conditions = models.contains { $0.condition != nil } ? conditions(source) : []
    for range in kept.map(\.range) + imports(source) + conditions {
      bytes.replaceSubrange(range, with: file.bytes[range])
    }
    return SourceFile(path: file.path, bytes: bytes, schemaName: schemaName)
  }

  /// The directives of conditional compilation.
  private static func conditions(_ source: SwiftFile) -> [Range<Int>] {
    source.tokens.indices.filter { ["#if", "#elseif", "#else", "#endif"].contains(source.text($0)) }.map { index in
      var last = index
      while last + 1 < source.tokens.count - 1, !source.tokens[last + 1].startsLine { last += 1 }
      return Int(source.tokens[index].start)..<Int(source.tokens[last].end)
    }
  }

  /// The imports with their attributes and access levels.
  private static func imports(_ source: SwiftFile) -> [Range<Int>] {
    func begins(_ index: Int) -> Bool { source.tokens[index].startsLine || source.tokens[index].kind == .semicolon }
    return source.tokens.indices.filter { source.tokens[$0].keyword == .import }.compactMap { index in
      var (first, last) = (index, index)
      while first > 0, !source.tokens[first].startsLine, source.tokens[first - 1].kind != .semicolon { first -= 1 }
      while last + 1 < source.tokens.count - 1, !begins(last + 1) { last += 1 }
      guard source.tokens[first].kind != .period else { return nil }
      return Int(source.tokens[first].start)..<Int(source.tokens[last].end)
    }
  }
}
