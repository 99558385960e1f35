/// Schemas for generator and compiler measurements.
enum SyntheticSchema {
  /// Models with ten properties: eight attributes, a reference to the previous model, and a list of the next model's
  /// objects.
  static func large(models: Int) -> String {
    text(models) { number in
      """
        var parent: Model\((number + models - 1) % models)?
        @Relationship(deleteRule: .cascade, inverse: \\Model\((number + 1) % models).parent)
        var children: [Model\((number + 1) % models)] = []
      """
    }
  }

  /// Models with nine columns. The last column is a reference.
  static func plain(models: Int) -> String {
    text(models) { number in
      "  @Relationship(inverse: nil) var parent: Model\((number + models - 1) % models)?"
    }
  }

  /// A single model with ten attributes.
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
