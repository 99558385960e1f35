/// One Swift file.
package struct File: Sendable {
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
    return renderer.text
  }
}
