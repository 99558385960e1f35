extension SchemaShape {
  /// Many declarations.
  static let models = [
    SchemaShape(
      "models", .once("schema Large 1.0.0\n"),
      .each { index in
        """

        /// One of many.
        @Model
        class Trip\(index) {
            #Unique<Trip\(index)>([\\.code])
            #Index<Trip\(index)>([\\.name], [\\.start, \\.name])

            var code: String
            var name: String = ""
            var start: Date
            var end: Date?
            var budget: Decimal?
            var kind: Kind\(index) = .work
            var tags: [String] = []
            @Attribute(.externalStorage) var photo: Data?
            @Relationship(deleteRule: .cascade, inverse: \\Stop\(index).trip) var stops: [Stop\(index)] = []
            @Relationship(inverse: \\Note\(index).trip) var notes: [Note\(index)] = []
            @Relationship(inverse: nil) var previous: Trip\(max(index - 1, 0))?
        }

        @Model
        class Stop\(index) {
            var title: String = ""
            var order: Int = 0
            var trip: Trip\(index)?
        }

        @Model
        class Note\(index) {
            var text: String = ""
            var trip: Trip\(index)?
        }

        enum Kind\(index): String, Codable { case work, leisure, other }

        """
      }),
    SchemaShape(
      "small models", .once("schema Large 1.0.0\n"),
      .each { "@Model class M\($0) { var a: Int; var next: M\($0 + 1)? }\n" }, .last { "@Model class M\($0) {}\n" }),
    SchemaShape(
      "enums", .once("schema Large 1.0.0\n@Model class A {\n"), .each { "  var e\($0): E\($0)\n" }, .once("}\n"),
      .each { "enum E\($0): Int, Codable { case a, b = 7, c }\n" }),
    SchemaShape(
      "structs, each inside of the next",
      .once("schema Large 1.0.0\n@Model class A { var s: S0 }\nstruct S0: Codable { var a: Int }\n"),
      .each { "struct S\($0 + 1): Codable { var s: S\($0) }\n" }),
    SchemaShape(
      "structs, each around the next", .once("schema Large 1.0.0\n@Model class A { var s: S0 }\n"),
      .each { "struct S\($0): Codable { var s: S\($0 + 1) }\n" }, .last { "struct S\($0): Codable { var a: Int }\n" }),
    SchemaShape(
      "structs around themselves", .once("schema Large 1.0.0\n@Model class A { var s: S0 }\n"),
      .each { "struct S\($0): Codable { var s: S\($0 + 1); var first: S0 }\n" },
      .last { "struct S\($0): Codable { var a: Int }\n" }),
    SchemaShape(
      "a chain of heirs", .once("schema Large 1.0.0\n@Model class M0 { var a: Int }\n"),
      .each { "@Model class M\($0 + 1): M\($0) { var a\($0): Int; #Index<M\($0 + 1)>([\\.a\($0)]) }\n" }),
    SchemaShape(
      "heirs of one", .once("schema Large 1.0.0\n@Model class M {\n"),
      .each { "  var a\($0): Int\n" }, .once("}\n"), .each { "@Model class M\($0): M { var b\($0): Int }\n" }),
    SchemaShape(
      "a chain of cascades", .once("schema Large 1.0.0\n@Model class M0 { var up: M1? }\n"),
      .each {
        """
        @Model class M\($0 + 1) { @Relationship(deleteRule: .cascade, inverse: \\M\($0).up) var down: M\($0)?; var up: M\($0 + 2)? }

        """
      }, .last { "@Model class M\($0 + 1) { @Relationship(inverse: \\M\($0).up) var down: M\($0)? }\n" }),
    SchemaShape(
      "cascades into one chain", .once("schema Large 1.0.0\n"),
      .each {
        """
        @Model class M\($0) { @Relationship(deleteRule: .cascade, inverse: nil) var down: M\($0 + 1)? }
        @Model class T\($0) { @Relationship(deleteRule: .cascade, inverse: nil) var down: M0? }

        """
      }, .last { "@Model class M\($0) { var a: Int }\n" }),
    SchemaShape(
      "cascades in a circle", .once("schema Large 1.0.0\n"),
      .each { "@Model class M\($0) { @Relationship(deleteRule: .cascade, inverse: nil) var down: M\($0 + 1)? }\n" },
      .last { "@Model class M\($0) { @Relationship(deleteRule: .cascade, inverse: nil) var down: M0? }\n" }),
    SchemaShape(
      "required, all around", .once("schema Large 1.0.0\n@Model class Z { @Relationship(inverse: nil) var m: M0 }\n"),
      .each {
        "@Model class M\($0) { @Relationship(inverse: nil) var m: M\($0 + 1); @Relationship(inverse: nil) var z: Z }\n"
      },
      .last { "@Model class M\($0) { var a: Int }\n" }),
    SchemaShape(
      "heirs of one with many keys", .once("schema Large 1.0.0\n@Model class M {\n  var a: Int\n"),
      .each { "  @Attribute(.unique, .preserveValueOnDeletion) var a\($0): Int; #Index<M>([\\.a\($0), \\.a])\n" },
      .once("}\n"),
      .each { "@Model class M\($0): M { @Attribute(.unique) var b\($0): Int; #Index<M\($0)>([\\.b\($0), \\.a]) }\n" }),
    SchemaShape("imports", .once("schema Large 1.0.0\n"), .each { "import Module\($0)\n" }),
    SchemaShape(
      "migration", .once("schema Large 2.0.0\n@Model class A { var a: Int }\nmigration from 1.0.0 {\n"),
      .each { "  fill A.a\($0) = old.b\($0)\n  accept MIG011 A.c\($0) -- \"gone\"\n" }, .once("}\n")),
  ]
}
