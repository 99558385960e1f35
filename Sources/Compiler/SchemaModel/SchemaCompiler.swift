package import SchemaDiagnostics
package import SchemaSyntax

/// The result of a compilation: diagnostics, and schemas that are usable even if there are errors.
package struct SchemaCompilation: Sendable {
  /// Sorted by name and folder.
  package var schemas: [ResolvedSchema]
  /// Sorted by source location, with duplicates removed.
  package var diagnostics: [Diagnostic]
  /// The syntax trees, in the order of the given files.
  package var trees: [SyntaxTree]

  package var hasErrors: Bool { diagnostics.hasErrors }
}

/// Compiles schema files to resolved schemas.
package enum SchemaCompiler {
  /// Compiles files. Ranges in the result identify files by index in `files`.
  ///
  /// - Parameters:
  ///   - isTarget: True if a target is generated from the files. A target has a single version of each
  ///     schema, and no name may be declared in two schemas.
  ///   - types: The declarations in the target's Swift files.
  ///   - firstIndex: The first file's index in the result's ranges. Compilations that are reported together must not
  ///     use the same indices.
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
