import SchemaDiagnostics

/// Finds value types that contain themselves, which would have no size.
///
/// Arrays, sets and dictionaries hold their elements elsewhere and end a cycle, and so does an
/// `indirect` enum.
struct CompositeCycles {
  private var edges: [String: [String]] = [:]
  private var ranges: [String: SourceRange] = [:]

  static func check(_ schema: ResolvedSchema) -> [Diagnostic] {
    CompositeCycles(schema).cycles()
  }

  private init(_ schema: ResolvedSchema) {
    for value in schema.structs {
      ranges[value.name] = value.range
      edges[value.name] = value.fields.compactMap { Self.contained($0.type) }
    }
    for value in schema.enums {
      ranges[value.name] = value.range
      let text = value.declaration.text
      let isIndirect = text.split(whereSeparator: { !$0.isLetter }).contains("indirect")
      edges[value.name] =
        isIndirect ? [] : value.cases.flatMap { $0.payload.compactMap { Self.contained($0.type) } }
    }
  }

  private static func contained(_ type: ValueType) -> String? {
    switch type {
    case .structure(let name), .enumeration(let name): name
    case .optional(let wrapped): contained(wrapped)
    default: nil
    }
  }

  private func cycles() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    var finished: Set<String> = []
    for start in edges.keys.sorted() where !finished.contains(start) {
      // Depth first with a path of its own: a chain of types may be long.
      var path = [start]
      var next = [0]
      while let current = path.last {
        let targets = edges[current] ?? []
        guard let step = next.last, step < targets.count else {
          finished.insert(current)
          path.removeLast()
          next.removeLast()
          continue
        }
        next[next.count - 1] += 1
        let target = targets[step]
        if let entry = path.firstIndex(of: target) {
          diagnostics.append(cycle(Array(path[entry...])))
        } else if !finished.contains(target) {
          path.append(target)
          next.append(0)
        }
      }
    }
    return diagnostics
  }

  private func cycle(_ names: [String]) -> Diagnostic {
    // The same cycle begins with the same type wherever it was entered.
    let first = names.min().flatMap { names.firstIndex(of: $0) } ?? 0
    let ordered = Array(names[first...] + names[..<first])
    let range = ranges[ordered[0]] ?? SourceRange(file: 0, start: 0, end: 0)
    return Diagnostic.compositeCycle(ordered + [ordered[0]], range)
  }
}

extension Diagnostic {
  fileprivate static func compositeCycle(_ names: [String], _ range: SourceRange) -> Self {
    Self(
      .compositeCycle, at: range,
      "a value cannot contain itself: \(names.joined(separator: " > "))",
      help: "hold it in an array, or make the enum 'indirect'")
  }
}
