extension SchemaShape {
  /// Texts with a diagnostic for each part.
  static let mistakes = [
    SchemaShape(
      "findings", .once("schema Large 1.0.0\n"),
      .each {
        "@Model class trip_\($0) { var Start_Date: Date? = Date(); var photo: Data; @Attribute(.unique) var code: Double? }\n"
      }),
    SchemaShape(
      "unknown options", .once("schema Large 1.0.0\n"),
      .each { "@Model class M\($0) { @Attribute(.uniqe) var a: Int }\n" }),
    SchemaShape(
      "broken declarations", .once("schema Large 1.0.0\n"),
      .each { "@Model class M\($0) { var a Int; vra b: = ; var c: ] }\n" }),
    SchemaShape(
      "unknown types", .once("schema Large 1.0.0\n"),
      .each { "@Model class M\($0) { var a: N\($0); var b: [Strnig] }\n" }),
    SchemaShape(
      "inverses of unknown models", .once("schema Large 1.0.0\n"),
      .each { "@Model class M\($0) { @Relationship(inverse: \\N\($0).b) var a: M\($0 + 1)? }\n" }),
    SchemaShape(
      "unknown inverses", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  @Relationship(inverse: \\A.b\($0)) var a\($0): A?\n" }, .once("}\n")),
    SchemaShape(
      "wrong inverses", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  @Relationship(inverse: \\A.a\($0 + 1)) var a\($0): A?\n" }, .once("}\n")),
    SchemaShape(
      "unknown properties", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  var a\($0): Int\n  #Index<A>([\\.b\($0)])\n" }, .once("}\n")),
    SchemaShape(
      "unknown cases", .once("schema Large 1.0.0\nenum E: String, Codable {\n"), .each { "  case c\($0)\n" },
      .once("}\n@Model class A {\n"), .each { "  var a\($0): E = .d\($0)\n" }, .once("}\n")),
    SchemaShape(
      "unknown fields", .once("schema Large 1.0.0\nstruct S: Codable {\n"), .each { "  var a\($0): Int\n" },
      .once("}\n@Model class A { @Attribute(.flattened) var s: S; #Index<A>(\n"), .each { "[\\.s.b\($0)]," },
      .once("[\\.s.a0]) }\n")),
    SchemaShape(
      "equal names", .once("schema Large 1.0.0\n"), .each { _ in "@Model class A { var a: Int; var a: Int }\n" }),
    SchemaShape(
      "names that differ in case", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  var aB\($0): Int; var Ab\($0): Int\n" },
      .once("}\n")),
    SchemaShape("schema lines", .each { "schema Large\($0) 1.0.\($0)\n" }),
    SchemaShape("classes that are no models", .once("schema Large 1.0.0\n"), .each { "class M\($0) { var a: Int }\n" }),
    SchemaShape(
      "conflict markers", .once("schema Large 1.0.0\n"),
      .each { "<<<<<<< HEAD\nimport A\($0)\n=======\n>>>>>>> other\n" }),
    SchemaShape("stray words", .once("schema Large 1.0.0\n"), .each { "word\($0) ) ] } , ; = \\ ? \u{2192} “a” `\n" }),
    SchemaShape(
      "letters of other scripts", .once("schema Large 1.0.0\n"),
      .each { "@Model class 旅\($0) { var größe: Strïng = \"🦊\" }\n" }),
  ]
}
