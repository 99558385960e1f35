/// Writes the schema of the delete rule matrix. For each pair of rules there is a family of models: the owner's
/// relationships have the first rule, their inverses the second.
enum MatrixSchema {
  static let rules = ["nullify", "cascade", "deny", "noAction"]

  /// The contents of the files by name.
  static var files: [String: String] {
    var files: [String: String] = [:]
    for own in rules {
      let families = rules.map { family(own, $0) } + [loner(own)]
      files["Matrix+\(own).schema"] =
        "schema DeleteRuleMatrix 1.0.0\n\n// Written by MatrixSchema.swift.\n\n"
        + families.joined(separator: "\n")
    }
    files["MatrixFamilies+All.swift"] = conformances
    return files
  }

  /// The protocol conformances of the models.
  static var conformances: String {
    var lines = ["// Written by MatrixSchema.swift."]
    for own in rules {
      for other in rules {
        let x = name(own, other)
        lines += [
          "",
          "extension \(x)A: OwningPiece {",
          "  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }",
          "}",
          "extension \(x)B: FreePiece {",
          "  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }",
          "}",
          "extension \(x)C: NeedyPiece {",
          "  convenience init(_ tag: Int, _ name: String, _ owner: \(x)A) {",
          "    self.init(tag: tag, name: name, one: owner)",
          "  }",
          "}",
          "extension \(x)D: NeedyMember {",
          "  convenience init(_ tag: Int, _ name: String, _ owner: \(x)A) {",
          "    self.init(tag: tag, name: name, owner: owner)",
          "  }",
          "}",
          "extension \(x)E: NeedyPartner {",
          "  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }",
          "}",
        ]
      }
      let x = capitalized(own)
      lines += [
        "",
        "extension \(x)Loner: LonerPiece {",
        "  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }",
        "}",
        "extension \(x)Follower: FollowingPiece {",
        "  convenience init(_ tag: Int, _ name: String, _ target: \(x)Target) {",
        "    self.init(tag: tag, name: name, target: target)",
        "  }",
        "}",
        "extension \(x)Target: TargetPiece {",
        "  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }",
        "}",
      ]
    }
    lines += ["", "extension MatrixFamilies {", "  static let all: [any MatrixFamily] = ["]
    for own in rules {
      for other in rules {
        lines.append("    PairFamily<\(name(own, other))A>(\"\(own)\", \"\(other)\"),")
      }
      lines.append("    LonerFamily<\(capitalized(own))Follower, \(capitalized(own))Loner>(\"\(own)\"),")
    }
    return (lines + ["  ]", "}", ""]).joined(separator: "\n")
  }

  static func name(_ own: String, _ other: String) -> String {
    capitalized(own) + capitalized(other)
  }

  private static func capitalized(_ rule: String) -> String {
    rule.prefix(1).uppercased() + rule.dropFirst()
  }

  /// `A` owns; `B` does not require it; `C`, `D` and `E` do.
  private static func family(_ own: String, _ other: String) -> String {
    let x = name(own, other)
    return """
      @Model
      class \(x)A {
          var tag: Int
          var name: String
          @Relationship(deleteRule: .\(own), inverse: \\\(x)B.one) var one: \(x)B?
          @Relationship(deleteRule: .\(own), inverse: \\\(x)B.owner) var many: [\(x)B] = []
          @Relationship(deleteRule: .\(own), inverse: \\\(x)B.pairs) var pairs: [\(x)B] = []
          @Relationship(deleteRule: .\(own), inverse: \\\(x)C.one) var needyOne: \(x)C?
          @Relationship(deleteRule: .\(own), inverse: \\\(x)D.owner) var needyMany: [\(x)D] = []
          @Relationship(deleteRule: .\(own), inverse: \\\(x)E.pairs) var needyPairs: [\(x)E] = []
          @Relationship(deleteRule: .\(own), inverse: \\\(x)A.parent) var children: [\(x)A] = []
          @Relationship(deleteRule: .\(other)) var parent: \(x)A?
          @Relationship(deleteRule: .\(own), inverse: \\\(x)A.previous) var next: \(x)A?
          @Relationship(deleteRule: .\(other)) var previous: \(x)A?
      }

      @Model
      class \(x)B {
          var tag: Int
          var name: String
          @Relationship(deleteRule: .\(other)) var one: \(x)A?
          @Relationship(deleteRule: .\(other)) var owner: \(x)A?
          @Relationship(deleteRule: .\(other)) var pairs: [\(x)A] = []
      }

      @Model
      class \(x)C {
          var tag: Int
          var name: String
          @Relationship(deleteRule: .\(other)) var one: \(x)A
      }

      @Model
      class \(x)D {
          var tag: Int
          var name: String
          @Relationship(deleteRule: .\(other)) var owner: \(x)A
      }

      @Model
      class \(x)E {
          var tag: Int
          var name: String
          @Relationship(deleteRule: .\(other), minimumModelCount: 1) var pairs: [\(x)A] = []
      }

      """
  }

  /// Relationships that are their own inverse, and relationships without an inverse.
  private static func loner(_ rule: String) -> String {
    let x = capitalized(rule)
    return """
      @Model
      class \(x)Loner {
          var tag: Int
          var name: String
          @Relationship(deleteRule: .\(rule), inverse: \\\(x)Loner.spouse) var spouse: \(x)Loner?
          @Relationship(deleteRule: .\(rule), inverse: \\\(x)Loner.friends) var friends: [\(x)Loner] = []
          @Relationship(deleteRule: .\(rule), inverse: nil) var target: \(x)Target?
          @Relationship(deleteRule: .\(rule), inverse: nil) var targets: [\(x)Target] = []
      }

      @Model
      class \(x)Follower {
          var tag: Int
          var name: String
          @Relationship(deleteRule: .\(rule), inverse: nil) var target: \(x)Target
      }

      @Model
      class \(x)Target {
          var tag: Int
          var name: String
      }

      """
  }
}
