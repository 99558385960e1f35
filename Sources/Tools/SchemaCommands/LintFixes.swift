import SchemaDiagnostics
import SchemaDriver
import SchemaLint
import SchemaModel
import SchemaSyntax

/// Applies safe fixes until no fix remains.
struct LintFixes {
  private(set) var project: SchemaProject
  /// The number of fixed findings.
  private(set) var count = 0
  private let original: [SourceFile]

  /// The maximum number of rounds. A fix can make another fix possible. If more rounds are needed, rules probably
  /// contradict each other.
  private static let rounds = 10

  init(_ linted: LintedFolder) {
    project = linted.folder.project
    original = project.heads.trees.map(\.file)
    for _ in 0..<Self.rounds {
      let heads = project.heads.trees.map(\.file)
      let fixes = linted.outcome(of: project).findings.filter(\.isOpen).compactMap { finding -> FixIt? in
        let rule = RuleCatalogue.rule(finding.diagnostic.id.code)
        // Swift files are edited by hand.
        guard rule?.fix == .auto, heads.indices.contains(finding.diagnostic.range.file),
          !heads[finding.diagnostic.range.file].isSwift
        else { return nil }
        return finding.diagnostic.fixIts.first
      }
      guard !fixes.isEmpty else { return }
      let (edits, applied) = Self.compatible(fixes)
      let fixed = heads.indices.map { heads[$0].applying(edits, file: $0) }
      let next = project.replacingHeads(fixed)
      // Discard fixes that break the schema, which are bugs in rules.
      guard Self.errors(next) <= Self.errors(project), fixed != heads else { return }
      project = next
      count += applied
    }
  }

  private static func errors(_ project: SchemaProject) -> Int {
    project.heads.diagnostics.count { $0.severity == .error }
  }

  /// Returns fixes that do not overlap. A fix that overlaps an earlier fix is deferred to the next round.
  private static func compatible(_ fixes: [FixIt]) -> (edits: [TextEdit], count: Int) {
    var taken: [Int: TakenRanges] = [:]
    var edits: [TextEdit] = []
    var known: Set<TextEdit> = []
    var count = 0
    for fix in fixes {
      let new = fix.edits.filter { !known.contains($0) }
      guard new.allSatisfy({ taken[$0.range.file]?.isFree($0.range) ?? true }) else { continue }
      count += 1
      for edit in new {
        taken[edit.range.file, default: TakenRanges()].insert(edit.range)
        known.insert(edit)
      }
      edits += new
    }
    return (edits, count)
  }

  /// The changed files.
  var changes: [(old: SourceFile, new: SourceFile)] {
    zip(original, project.heads.trees.map(\.file)).filter { $0.bytes != $1.bytes }.map { ($0, $1) }
  }
}
