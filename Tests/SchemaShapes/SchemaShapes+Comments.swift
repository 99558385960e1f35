extension SchemaShape {
  /// Comments between tokens, and suppressions in them.
  static let comments = [
    SchemaShape(
      "documentation", .once("schema Large 1.0.0\n@Model class A {\n"), .each { "  /// Line \($0) of it.\n" },
      .once("  var a: Int\n}\n")),
    SchemaShape(
      "empty documentation", .once("schema Large 1.0.0\n/**\n"), .each { _ in "\n" },
      .once("*/\n@Model class A { var a: Int }\n")),
    SchemaShape(
      "comments in comments", .once("schema Large 1.0.0\n"), .each { _ in "/* " }, .each { _ in "*/ " },
      .once("\n@Model class A { var a: Int }\n")),
    SchemaShape(
      "comments in code", .once("schema Large 1.0.0\n@Model class A {\n  func f() {\n"),
      .each { "  // \($0)\n  /* TODO: it */ print()\n" }, .once("  }\n}\n")),
    SchemaShape(
      "comments on one line", .once("schema Large 1.0.0\n@Model class A { var a: Int"),
      .each { " /* \($0) */" }, .once("}\n")),
    SchemaShape(
      "suppressions", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  // schema:ignore NAM002 -- it was called so\n  var Name_\($0): Int\n" }, .once("}\n")),
    SchemaShape(
      "suppressions of nothing", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  // schema:ignore NAM002, REL010, unknown-rule\n  var name\($0): Int\n" }, .once("}\n")),
    SchemaShape(
      "suppressions for the file", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  // schema:ignore-file TYP010 -- no reason\n  var Name_\($0): Int\n" }, .once("}\n")),
    SchemaShape(
      "words of one suppression", .once("schema Large 1.0.0\n@Model class A {\n  // schema:ignore"),
      .each { _ in " NAM002 REL010" }, .once("\n  var Name: Int\n}\n")),
    SchemaShape(
      "blank lines", .once("schema Large 1.0.0\n@Model class A {\n"), .each { _ in "\n \t\n" }, .once("var a: Int\n}\n")
    ),
    SchemaShape(
      "one line", .once("schema Large 1.0.0; "),
      .each { "/* \($0) */ @Model class M\($0) { var Name_\($0): Int; var next: M\($0 + 1)? }; " }),
  ]
}
