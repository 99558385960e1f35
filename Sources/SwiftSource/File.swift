import Dispatch

/// One Swift file.
package struct File {
  package struct Import: Hashable, Sendable {
    package var module: String
    package var access: Access?
    /// Whether the module may be absent on this platform.
    package var isConditional: Bool
    package var isPreconcurrency: Bool

    package init(
      _ module: String, access: Access? = nil, isConditional: Bool = false,
      isPreconcurrency: Bool = false
    ) {
      self.module = module
      self.access = access
      self.isConditional = isConditional
      self.isPreconcurrency = isPreconcurrency
    }
  }

  /// Comment lines at the top.
  package var header: [String]
  package var imports: [Import]
  package var declarations: [Declaration]
  /// What stands after the declarations: each part is made and laid out by itself, several at a time,
  /// and forgotten once it is text.
  package var parts: [() -> [Declaration]] = []

  package init(
    header: [String], imports: [Import],
    @DeclarationBuilder declarations: () -> [Declaration] = { [] }
  ) {
    self.header = header
    self.imports = imports
    self.declarations = declarations()
  }

  /// The text of the file.
  package var text: String {
    var renderer = Renderer()
    renderer.render(self)
    return parts.isEmpty ? renderer.text : renderer.text + textOfParts.joined()
  }

  /// Few parts are not worth a thread.
  private static let partsAtATime = 16

  private var textOfParts: [String] {
    let size = Self.partsAtATime
    var texts = [String](repeating: "", count: (parts.count + size - 1) / size)
    texts.withUnsafeMutableBufferPointer { texts in
      // Each iteration writes one element that no other one looks at.
      nonisolated(unsafe) let texts = texts
      nonisolated(unsafe) let parts = parts
      DispatchQueue.concurrentPerform(iterations: texts.count) { index in
        var renderer = Renderer()
        for part in parts[index * size..<min((index + 1) * size, parts.count)] {
          renderer.render(part())
        }
        texts[index] = renderer.text
      }
    }
    return texts
  }
}
