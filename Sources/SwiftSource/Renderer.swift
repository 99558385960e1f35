/// Lays declarations out: access, braces, indentation, blank lines, source locations.
struct Renderer {
  private(set) var text = ""
  private var indentation = ""

  /// The longest line a declaration or an accessor is put on.
  private static let width = 100

  mutating func render(_ file: File) {
    for line in file.header { self.line("// " + line) }
    for item in file.imports {
      let statement =
        (item.isPreconcurrency ? "@preconcurrency " : "")
        + (item.access.map { $0.rawValue + " " } ?? "") + "import " + item.module
      if item.isConditional {
        line("#if canImport(" + item.module + ")")
        line("  " + statement)
        line("#endif")
      } else {
        line(statement)
      }
    }
    render(file.declarations)
  }

  mutating func render(_ declarations: [Declaration]) {
    for declaration in declarations {
      text += "\n"
      render(declaration)
    }
  }

  private mutating func render(_ declaration: Declaration) {
    switch declaration {
    case .type(let type): render(type)
    case .property(let property): render(property)
    case .function(let function): render(function)
    case .alias(let alias):
      let head = heading(alias.heading) + "typealias " + alias.name.text
      code(head + " = " + alias.type.text)
    case .carried(let carried): render(carried)
    case .located(let path, let line, let declaration):
      located(path, line) { $0.render(declaration) }
    }
  }

  private mutating func located(_ path: String, _ line: Int, _ render: (inout Renderer) -> Void) {
    self.line("#sourceLocation(file: " + StringLiteral.quoted(path) + ", line: \(line))")
    render(&self)
    self.line("#sourceLocation()")
  }

  private mutating func render(_ carried: CarriedText) {
    for line in carried.documentation { self.line(line.isEmpty ? "///" : "/// " + line) }
    guard !carried.members.isEmpty else {
      return located(carried.path, carried.line) { renderer in
        renderer.text += renderer.indentation + carried.text + "\n"
      }
    }
    let open = carried.text.dropLast().reversed().drop { $0.isWhitespace }.reversed()
    located(carried.path, carried.line) { renderer in
      renderer.text += renderer.indentation + String(open) + "\n"
    }
    indented { renderer in
      for member in carried.members {
        renderer.text += "\n"
        renderer.render(member)
      }
    }
    line("}")
  }

  private mutating func render(_ type: TypeDeclaration) {
    var head = heading(type.heading) + type.kind.rawValue + " " + type.name.text
    if !type.inheritance.isEmpty {
      head += ": " + type.inheritance.map(\.text).joined(separator: ", ")
    }
    if type.members.isEmpty { return line(head + " {}") }
    line(head + " {")
    indented { renderer in
      for (index, member) in type.members.enumerated() {
        if index > 0, member.isTall || type.members[index - 1].isTall { renderer.text += "\n" }
        renderer.render(member)
      }
    }
    line("}")
  }

  private mutating func render(_ property: Property) {
    var head = heading(property.heading) + (property.isLet ? "let " : "var ") + property.name.text
    if let type = property.type { head += ": " + type.text }
    if let value = property.value { head += " = " + value.text }
    block(head, accessors: property.accessors)
  }

  private mutating func render(_ function: Function) {
    let head = heading(function.heading) + function.name.text
    var signature = head
    if let parameters = function.parameters {
      let list = parameters.map(\.text).joined(separator: ", ")
      let length = head.utf8.count + list.utf8.count + function.suffix.text.utf8.count + 4
      if parameters.isEmpty || indentation.utf8.count + length <= Self.width {
        signature += "(" + list + ")"
      } else {
        line(head + "(")
        indented { renderer in
          for (index, parameter) in parameters.enumerated() {
            renderer.code(parameter.text + (index == parameters.count - 1 ? "" : ","))
          }
        }
        signature = ")"
      }
    }
    signature += function.suffix.text
    if function.accessors.isEmpty {
      block(signature, body: function.body)
    } else {
      block(signature, accessors: function.accessors)
    }
  }

  /// Writes documentation and attributes, gives back the modifiers.
  private mutating func heading(_ heading: Heading) -> String {
    for line in heading.documentation { self.line(line.isEmpty ? "///" : "/// " + line) }
    for attribute in heading.attributes { code(attribute.text) }
    var words = ""
    if let access = heading.access, access != .internal { words += access.rawValue + " " }
    if let setter = heading.setterAccess, setter != heading.access {
      words += setter.rawValue + "(set) "
    }
    for modifier in heading.modifiers { words += modifier.rawValue + " " }
    return words
  }

  private mutating func block(_ head: String, accessors: [Property.Accessor]) {
    if accessors.isEmpty { return code(head) }
    if accessors.count == 1, case .get(let body) = accessors[0] { return block(head, body: body) }
    line(head + " {")
    indented { renderer in
      for accessor in accessors {
        switch accessor {
        case .get(let body): renderer.block("get", body: body)
        case .set(let body): renderer.block("set", body: body)
        case .calledSet(let body): renderer.block("@inline(never) set", body: body)
        case .initialize(let restrictions, let body):
          renderer.line("@storageRestrictions(" + restrictions.text + ")")
          renderer.block("init(newValue)", body: body)
        }
      }
    }
    line("}")
  }

  private mutating func block(_ head: String, body: [Code]) {
    if body.isEmpty { return line(head + " {}") }
    if body.count == 1, let only = body.first, !only.text.hasLineBreak,
      indentation.utf8.count + head.utf8.count + only.text.utf8.count + 5 <= Self.width
    {
      return line(head + " { " + only.text + " }")
    }
    line(head + " {")
    indented { renderer in
      for statement in body { renderer.code(statement.text) }
    }
    line("}")
  }

  private mutating func indented(_ render: (inout Renderer) -> Void) {
    indentation += "  "
    render(&self)
    indentation.removeLast(2)
  }

  private mutating func line(_ line: String) {
    text += indentation
    text += line
    text += "\n"
  }

  /// One or more lines, each indented; blank ones stay empty.
  private mutating func code(_ code: String) {
    guard code.hasLineBreak else { return line(code) }
    for part in code.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if !part.isEmpty {
        text += indentation
        text += Substring(part)
      }
      text += "\n"
    }
  }
}

extension String {
  var hasLineBreak: Bool {
    let newline = UInt8(ascii: "\n")
    return utf8.withContiguousStorageIfAvailable { $0.contains(newline) } ?? utf8.contains(newline)
  }
}

extension Declaration {
  /// Whether blank lines set it off from its neighbours.
  fileprivate var isTall: Bool {
    switch self {
    case .type, .function, .carried, .located: true
    case .property(let property):
      !property.accessors.isEmpty || !property.heading.documentation.isEmpty
    case .alias(let alias): !alias.heading.documentation.isEmpty
    }
  }
}
