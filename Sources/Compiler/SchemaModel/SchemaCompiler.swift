package import SchemaDiagnostics
package import SchemaSyntax

/// What came of compiling some files: schemas that can be used whatever was wrong, and what was.
package struct SchemaCompilation: Sendable {
  /// In the order of their names and folders.
  package var schemas: [ResolvedSchema]
  /// In the order of the source, each one once.
  package var diagnostics: [Diagnostic]
  /// One per file, in the order of the files given.
  package var trees: [SyntaxTree]

  package var hasErrors: Bool { diagnostics.hasErrors }
}

/// From the text of schema files to resolved schemas.
package enum SchemaCompiler {
  /// Ranges in the result name files by their index in `files`.
  ///
  /// - Parameters:
  ///   - isTarget: whether the files are what one target is generated from. Then there is one version
  ///     of each schema, and no name is declared in two schemas.
  ///   - types: what the Swift files of the target declare.
  ///   - firstIndex: what the ranges of the first file name it by, where more than one compilation is
  ///     reported together.
  package static func compile(
    _ files: [SourceFile], isTarget: Bool = false, types: SwiftTypes = SwiftTypes(), firstIndex: Int = 0
  ) -> SchemaCompilation {
    var diagnostics: [Diagnostic] = []
    var trees: [SyntaxTree] = []
    var outlines: [FileOutline] = []
    for (index, file) in files.enumerated() {
      let (tree, problems) = Parser.parse(file, index: firstIndex + index)
      trees.append(tree)
      diagnostics += problems
      let (outline, refusals) = FileOutline.read(tree)
      outlines.append(outline)
      diagnostics += refusals
    }
    let (groups, disagreements) = SchemaGroup.group(outlines)
    diagnostics += disagreements
    if isTarget { diagnostics += TargetChecks.check(groups) }
    let schemas = groups.map { group in
      let others = Set(groups.lazy.filter { $0.key != group.key }.flatMap(\.declaredNames))
      let (schema, problems) = SchemaResolver.resolve(group, namesElsewhere: others, types: types)
      diagnostics += problems
      return schema
    }
    return SchemaCompilation(
      schemas: schemas, diagnostics: diagnostics.sortedAndUnique(), trees: trees)
  }
}
