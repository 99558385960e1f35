/// Lays out declarations: access, braces, indentation, blank lines and source locations.
struct Renderer {
  private(set) var text = Text()
  private var indentation = 0

  /// The maximum width of a declaration or accessor on a single line.
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
      text.endLine()
      render(declaration)
    }
  }

  private mutating func render(_ declaration: Declaration) {
    switch declaration {
    case .type(let type): render(type)
    case .property(let property): render(property)
    case .function(let function): render(function)
    case .alias(let alias):
      begin(alias.heading)
      text.write("typealias ")
      put(alias.name)
      text.write(" = ")
      put(alias.type)
      text.endLine()
    case .carried(let carried): render(carried)
    case .located(let path, let line, let declaration):
      located(path, line) { $0.render(declaration) }
    }
  }

  private mutating func located(_ path: String, _ line: Int, _ render: (inout Renderer) -> Void) {
    guard !path.isEmpty else { return render(&self) }
    self.line("#sourceLocation(file: " + StringLiteral.quoted(path) + ", line: \(line))")
    render(&self)
    self.line("#sourceLocation()")
  }

  private mutating func render(_ carried: CarriedText) {
    for line in carried.documentation { documentation(line) }
    guard !carried.members.isEmpty else {
      return located(carried.path, carried.line) { $0.line(carried.text) }
    }
    let open = carried.text.dropLast().reversed().drop { $0.isWhitespace }.reversed()
    located(carried.path, carried.line) { $0.line(String(open)) }
    indented { renderer in
      for member in carried.members {
        renderer.text.endLine()
        renderer.render(member)
      }
    }
    line("}")
  }

  private mutating func render(_ type: TypeDeclaration) {
    begin(type.heading)
    text.append(type.kind.rawValue)
    text.write(" ")
    put(type.name)
    for (index, inherited) in type.inheritance.enumerated() {
      text.write(index == 0 ? ": " : ", ")
      put(inherited)
    }
    if type.members.isEmpty { return close(" {}") }
    close(" {")
    indented { renderer in
      var wasTall = true
      for (index, member) in type.members.enumerated() {
        let isTall = member.isTall
        if index > 0, isTall || wasTall { renderer.text.endLine() }
        renderer.render(member)
        wasTall = isTall
      }
    }
    line("}")
  }

  private mutating func render(_ property: Property) {
    begin(property.heading)
    text.write(property.isLet ? "let " : "var ")
    put(property.name)
    if let type = property.type {
      text.write(": ")
      put(type)
    }
    if let value = property.value {
      text.write(" = ")
      put(value)
    }
    finish(property.accessors)
  }

  private mutating func render(_ function: Function) {
    begin(function.heading)
    put(function.name)
    if let parameters = function.parameters {
      let list = parameters.reduce(2 * max(parameters.count - 1, 0)) { $0 + $1.count }
      if parameters.isEmpty || column + list + function.suffix.count + 4 <= Self.width {
        text.write("(")
        for (index, parameter) in parameters.enumerated() {
          if index > 0 { text.write(", ") }
          put(parameter)
        }
      } else {
        close("(")
        indented { renderer in
          for (index, parameter) in parameters.enumerated() {
            renderer.begin()
            renderer.put(parameter)
            renderer.close(index == parameters.count - 1 ? "" : ",")
          }
        }
        begin()
      }
      text.write(")")
    }
    put(function.suffix)
    if function.isRequirement {
      text.endLine()
    } else if function.accessors.isEmpty {
      finish(body: function.body)
    } else {
      finish(function.accessors)
    }
  }

  private mutating func documentation(_ line: String) {
    begin()
    text.write(line.isEmpty ? "///" : "/// ")
    text.append(line)
    text.endLine()
  }

  /// Writes documentation and attributes, then begins a line with the modifiers.
  private mutating func begin(_ heading: Heading) {
    for line in heading.documentation { documentation(line) }
    for attribute in heading.attributes where !attribute.isShort { code(attribute) }
    begin()
    for attribute in heading.attributes where attribute.isShort {
      put(attribute)
      text.write(" ")
    }
    if let access = heading.access, access != .internal {
      text.append(access.rawValue)
      text.write(" ")
    }
    if let setter = heading.setterAccess, setter != heading.access {
      text.append(setter.rawValue)
      text.write("(set) ")
    }
    for modifier in heading.modifiers {
      text.append(modifier.rawValue)
      text.write(" ")
    }
  }

  /// Completes a line with accessors, if there are any.
  private mutating func finish(_ accessors: [Property.Accessor]) {
    if accessors.isEmpty { return text.endLine() }
    if accessors.count == 1, case .get(let body) = accessors[0] { return finish(body: body) }
    close(" {")
    indented { renderer in
      for accessor in accessors {
        renderer.begin()
        switch accessor {
        case .get(let body): renderer.finish("get", body: body, statements: 2)
        case .throwingGet(let body): renderer.finish("get throws", body: body)
        case .set(let body): renderer.finish("set", body: body)
        case .modify(let body): renderer.finish("_modify", body: body)
        case .calledSet(let body): renderer.finish("@inline(never) set", body: body)
        case .initialize(let restrictions, let body):
          renderer.text.write("@storageRestrictions(")
          renderer.put(restrictions)
          renderer.close(")")
          renderer.begin()
          renderer.finish("init(newValue)", body: body)
        }
      }
    }
    line("}")
  }

  /// Completes a line with a body, on the same line if the body is short.
  ///
  /// - Parameter statements: The maximum number of statements on the line.
  private mutating func finish(_ head: StaticString = "", body: [Code], statements: Int = 1) {
    text.write(head)
    if body.isEmpty { return close(" {}") }
    let width = body.reduce(3 + 2 * body.count) { $0 + $1.count }
    if body.count <= statements, column + width <= Self.width, !body.contains(where: \.hasLineBreak) {
      text.write(" { ")
      for (index, statement) in body.enumerated() {
        if index > 0 { text.write("; ") }
        text.append(statement)
      }
      return close(" }")
    }
    close(" {")
    indented { renderer in
      for statement in body { renderer.code(statement) }
    }
    line("}")
  }

  private mutating func indented(_ render: (inout Renderer) -> Void) {
    indentation += 2
    render(&self)
    indentation -= 2
  }

  /// The width of the current line so far.
  private var column: Int { text.bytes.count - text.lineStart }

  private mutating func begin() { text.append(spaces: indentation) }

  /// Writes a fragment. Lines after the first begin at the declaration's indentation.
  private mutating func put(_ code: Code) { text.append(code, indentedBy: indentation) }

  private mutating func close(_ end: StaticString) {
    text.write(end)
    text.endLine()
  }

  private mutating func line(_ line: StaticString) {
    begin()
    close(line)
  }

  private mutating func line(_ line: String) {
    begin()
    text.append(line)
    text.endLine()
  }

  /// Writes lines with indentation. Blank lines remain empty.
  private mutating func code(_ code: Code) {
    if code.startsWithText { begin() }
    put(code)
    text.endLine()
  }
}

extension Declaration {
  /// True if blank lines separate the declaration from adjacent ones.
  fileprivate var isTall: Bool {
    switch self {
    case .type, .carried, .located: true
    case .function(let function):
      !function.heading.documentation.isEmpty || !function.accessors.isEmpty
        || !function.body.fitsOneLine(function.name.count + (function.parameters ?? []).reduce(0) { $0 + $1.count })
    case .property(let property):
      !property.heading.documentation.isEmpty || !property.accessors.isEmpty && !property.isShort
    case .alias(let alias): !alias.heading.documentation.isEmpty
    }
  }
}

extension [Code] {
  /// True if a body fits on the declaration's line.
  ///
  /// - Parameter head: The width of the declaration before the body, excluding access and attributes.
  fileprivate func fitsOneLine(_ head: Int) -> Bool {
    isEmpty || count == 1 && !self[0].hasLineBreak && head + self[0].count <= 80
  }
}

extension Property {
  /// True if the only accessor is a getter that fits on the declaration's line.
  fileprivate var isShort: Bool {
    guard accessors.count == 1, case .get(let body) = accessors[0] else { return false }
    return body.fitsOneLine(name.count + (type?.count ?? 0))
  }
}

extension Code {
  /// True if an attribute fits on the declaration's line.
  fileprivate var isShort: Bool { count <= 24 && !hasLineBreak }
}
