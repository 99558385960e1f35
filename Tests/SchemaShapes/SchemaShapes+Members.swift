extension SchemaShape {
  /// One declaration with many parts.
  static let members = [
    SchemaShape(
      "properties", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "    /// One.\n    @Attribute(originalName: \"b\($0)\") var a\($0): String = \"\"\n" }, .once("}\n")),
    SchemaShape(
      "cases and their uses", .once("schema Large 1.0.0\nenum E: String, Codable {\n"), .each { "  case c\($0)\n" },
      .once("}\n@Model class A {\n"), .each { "  var a\($0): E = .c\($0)\n" }, .once("}\n")),
    SchemaShape(
      "payloads", .once("schema Large 1.0.0\n@Model class A { var e: E? }\nenum E: Codable { case a(\n"),
      .each { "  b\($0): Int,\n" }, .once("c: Int)\n"), .each { "  case c\($0)\n" }, .once("}\n")),
    SchemaShape(
      "fields", .once("schema Large 1.0.0\nstruct S: Codable {\n"), .each { "  var a\($0): Int\n" },
      .once("}\n@Model class A { @Attribute(.flattened) var s: S; #Index<A>([\\.s.a0]"), .each { ",[\\.s.a\($0)]" },
      .once(") }\n")),
    SchemaShape(
      "relationships between two", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  @Relationship(deleteRule: .cascade, inverse: \\B.a\($0)) var b\($0): [B] = []\n" },
      .once("}\n@Model class B {\n"),
      .each { "  var a\($0): A?\n" }, .once("}\n")),
    SchemaShape(
      "relationships that could be pairs", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  var b\($0): [B] = []\n" },
      .once("}\n@Model class B {\n"), .each { "  var a\($0): A?\n" }, .once("}\n")),
    SchemaShape(
      "relationships of one to itself", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  @Relationship(deleteRule: .cascade) var a\($0): A?\n" }, .once("}\n")),
    SchemaShape(
      "indexes", .once("schema Large 1.0.0\n@Model class A {\n  var a: Int\n"),
      .each { "  var a\($0): Int\n  #Index<A>([\\.a\($0)], [\\.a\($0), \\.a])\n" }, .once("}\n")),
    SchemaShape(
      "equal indexes", .once("schema Large 1.0.0\n@Model class A {\n  var a: Data\n  var b: Bool\n"),
      .each { _ in "  #Index<A>([\\.a], [\\.b, \\.a])\n" }, .once("}\n")),
    SchemaShape(
      "unique keys", .once("schema Large 1.0.0\n@Model class A {\n  var a: Int\n"),
      .each { "  @Attribute(.unique) var a\($0): Int?\n  #Unique<A>([\\.a, \\.a\($0)])\n" }, .once("}\n")),
    SchemaShape(
      "a long key", .once("schema Large 1.0.0\n@Model class A {\n"), .each { "  var a\($0): Double?\n" },
      .once("  var a: Int\n  #Unique<A>([\\.a"), .each { ", \\.a\($0)" }, .once("])\n}\n")),
    SchemaShape(
      "code", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  func f\($0)() { print(\"\($0)\", self) }\n  init(a\($0): Int) { f\($0)() }\n" }, .once("}\n")),
    SchemaShape(
      "code that codes", .once("schema Large 1.0.0\n@Model class A { var s: S }\nstruct S: Codable {\n"),
      .each { "  var a\($0): Int\n  func f\($0)() { f\($0 + 1)() }\n" },
      .once("  init(from decoder: any Decoder) throws { f0() }\n}\n")),
    SchemaShape(
      "keys of cases", .once("schema Large 1.0.0\n@Model class A { var e: E }\nenum E: Codable {\n"),
      .each { "  case c\($0)(a: Int)\n  enum C\($0)CodingKeys: String, CodingKey { case a }\n" }, .once("}\n")),
    SchemaShape(
      "types inside of one", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { "  enum E\($0): Int, Codable { case a }\n  var e\($0): E\($0)\n" }, .once("}\n")),
    SchemaShape(
      "names of one declaration", .once("schema Large 1.0.0\n@Model class A {\n  @Attribute(.unique) var a"),
      .each { ", a\($0)" }, .once(": Int\n}\n")),
    SchemaShape(
      "names and attributes of one declaration", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { _ in "  @available(macOS 1, *)\n" }, .once("  var a"), .each { ", a\($0)" }, .once(": Int?\n}\n")),
    SchemaShape(
      "attributes of one property", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { _ in "  @Attribute(.unique)\n" }, .once("  var a: Int\n}\n")),
    SchemaShape(
      "options of one attribute", .once("schema Large 1.0.0\n@Model class A {\n  @Attribute(.unique"),
      .each { ", .option\($0), originalName: \"a\"" }, .once(") var a: Int\n}\n")),
    SchemaShape(
      "attributes of one function", .once("schema Large 1.0.0\n@Model class A {\n"),
      .each { _ in "  @Attribute @Other\n" }, .once("  func f() {}\n}\n")),
    SchemaShape(
      "conformances", .once("schema Large 1.0.0\n@Model class A: P"), .each { ", P\($0)" }, .once(" { var a: Int }\n")),
  ]
}
