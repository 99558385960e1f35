import SchemaDiagnostics
import SchemaSyntax

extension SyntaxTree {
  /// The lines of the member of a type that a range is in; nil for a place outside of all members.
  func lines(around range: SourceRange, _ table: LineTable) -> ClosedRange<Int>? {
    for type in root.children where type.range.start <= range.start && range.start < type.range.end {
      guard let member = DeclarationSyntax(type).members.first(where: {
        $0.range.start <= range.start && range.start < max($0.range.end, $0.range.start + 1)
      }) else { continue }
      return table.line(at: member.range.start)...table.line(at: max(member.range.start, member.range.end - 1))
    }
    return nil
  }
}
