extension SchemaShape {
  /// Nested brackets, closed or not.
  static let nesting = [
    value("lists in lists", "[", "]"), value("calls in calls", "f(", ")"), value("closures in closures", "{ ", " }"),
    type("types in types", "[", "]"), type("generic types in generic types", "Set<", ">"),
    open("open lists", "["), open("open calls", "("), open("open blocks", "{"),
    SchemaShape(
      "arguments in arguments", .once("schema Large 1.0.0\n@Model class A {\n  @Attribute(.a"), .each { _ in "(.a" },
      .each { _ in ")  " }, .once(") var a: Int\n}\n")),
    SchemaShape("open classes", .once("schema Large 1.0.0\n"), .each { "@Model class M\($0) {\n" }),
    SchemaShape(
      "conditions in conditions", .once("schema Large 1.0.0\n"), .each { _ in "#if A \n" }, .each { _ in "#endif\n" }),
    SchemaShape(
      "texts in texts", .once("schema Large 1.0.0\n@Model class A {\n  var a = "), .each { _ in "\"\\(" },
      .each { _ in ")\" " },
      .once("\n}\n")),
    SchemaShape(
      "a long text", .once("schema Large 1.0.0\n@Model class A {\n  var a = \""), .each { "\($0) " }, .once("\"\n}\n")),
    SchemaShape(
      "a long name", .once("schema Large 1.0.0\n@Model class A"), .each { _ in "bC" }, .once(" { var a: Int }\n")),
    SchemaShape(
      "long values", .once("schema Large 1.0.0\n@Model class A {\n  var a: [Int] = ["), .each { "\($0), " },
      .once("0]\n}\n")),
  ]

  private static func value(_ name: String, _ opener: String, _ closer: String) -> SchemaShape {
    SchemaShape(
      name, .once("schema Large 1.0.0\n@Model class A {\n  var a = "), .each { _ in opener }, .each { _ in closer },
      .once("\n}\n"))
  }

  private static func type(_ name: String, _ opener: String, _ closer: String) -> SchemaShape {
    SchemaShape(
      name, .once("schema Large 1.0.0\n@Model class A {\n  var a: "), .each { _ in opener }, .once("Int"),
      .each { _ in closer }, .once("\n}\n"))
  }

  private static func open(_ name: String, _ opener: String) -> SchemaShape {
    SchemaShape(name, .once("schema Large 1.0.0\n@Model class A {\n  func f() { "), .each { _ in opener })
  }
}
