/// Schemas for the rows that measure the generator and the compiler.
enum SyntheticSchema {
  /// Ten properties a model: eight attributes, a reference to the model before it, a list of the next.
  static func large(models: Int) -> String {
    text(models) { number in
      """
        var parent: Model\((number + models - 1) % models)?
        @Relationship(deleteRule: .cascade, inverse: \\Model\((number + 1) % models).parent)
        var children: [Model\((number + 1) % models)] = []
      """
    }
  }

  /// Nine columns a model, the last of them a reference.
  static func plain(models: Int) -> String {
    text(models) { number in
      "  @Relationship(inverse: nil) var parent: Model\((number + models - 1) % models)?"
    }
  }

  /// One model with ten attributes.
  static let tenAttributes = """
    schema Large 1.0.0

    @Model
    class Journey {
      @Attribute(.unique) var code: String
      var title: String
      var summary: String?
      var created: Date
      var amount: Double = 0
      var position: Int = 0
      var isActive: Bool = true
      var payload: Data?
      var identifier: UUID
      var address: URL?
    }
    """

  private static func text(_ models: Int, _ relationships: (Int) -> String) -> String {
    var text = "schema Large 1.0.0\n"
    for number in 0..<models {
      text += """

        /// Model number \(number).
        @Model
        class Model\(number) {
          @Attribute(.unique) var code: String
          var title: String
          var summary: String?
          var created: Date
          var amount: Double = 0
          var position: Int = 0
          var isActive: Bool = true
          var payload: Data?
        \(relationships(number))
        }

        """
    }
    return text
  }
}
