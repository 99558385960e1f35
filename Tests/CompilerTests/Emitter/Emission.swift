import SchemaDiagnostics
import SchemaEmitter
import SchemaModel
import Testing

/// Generates Swift code from a schema's source text.
func emitted(
  _ text: String, access: EmissionInput.DefaultAccess = .internal, declares: [String] = [],
  swiftFiles: [String] = [], file: String = "App+Models.swift",
  sourceLocation: SourceLocation = #_sourceLocation
) -> String {
  let source = SourceFile(path: "/package/App.schema", text: "schema App 1.0.0\n" + text)
  let compilation = SchemaCompiler.compile([source])
  if compilation.hasErrors {
    Issue.record(
      "\(CompilerRenderer(files: [source]).render(compilation.diagnostics))",
      sourceLocation: sourceLocation)
  }
  let files = SchemaEmitter.emit(
    EmissionInput(
      schemas: compilation.schemas, files: [source], module: "App", target: "App", access: access,
      root: "/package", declares: declares, swiftFiles: swiftFiles))
  return files.first { $0.name == file }?.text ?? ""
}

/// Returns the declaration that starts with the given line, without its indentation.
func declaration(_ start: String, in text: String) -> String {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  guard let first = lines.firstIndex(where: { $0.drop { $0 == " " }.hasPrefix(start) }) else {
    return "no '\(start)'"
  }
  let indentation = lines[first].prefix { $0 == " " }
  var end = first
  if !(lines[first].hasSuffix("}") || !lines[first].hasSuffix("{") && !lines[first].hasSuffix("(")) {
    end += 1
    while end < lines.count - 1, !(lines[end].hasPrefix(indentation + "}")) { end += 1 }
  }
  return lines[first...end].map { String($0.dropFirst(indentation.count)) }.joined(separator: "\n")
}
