import SchemaDiagnostics
import SchemaModel

/// TYP012
struct FloatingMoney: AttributeRule {
  static let id = DiagnosticID("TYP012", "floating-money")
  static let severity = Severity.info
  static let summary = "An amount of money is a Decimal, or an integer in the smallest unit."
  static let why =
    "Most amounts have no exact Float or Double value: 0.1 plus 0.2 is not 0.3, and compared totals differ by a cent."
  static let remedy = "Use 'Decimal', or an 'Int' with cents; 'words' sets the words that identify money."
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [
    RuleOption(
      "words",
      .words([
        "balance", "budget", "cost", "costs", "credit", "debit", "deposit", "discount", "dues", "earnings", "expense",
        "expenses", "fee", "fees", "fine", "income", "money", "payment", "payout", "price", "profit", "refund",
        "revenue", "salary", "tax", "turnover", "wage", "wages",
      ]), "Words that identify money in names.")
  ]
  static let example: RuleExample? = RuleExample(
    bad: "schema Shop 1.0.0\n@Model class Item { var price: Double }\n",
    good: "schema Shop 1.0.0\n@Model class Item { var price: Decimal }\n")

  /// Words for a fraction of an amount, which can be a floating-point number.
  private static let shares: Set<String> = [
    "factor", "percent", "percentage", "rate", "ratio", "share", "index", "score",
  ]

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard case .scalar(let scalar) = attribute.type.unwrapped, scalar == .float || scalar == .double else { return }
    let words = Set(CamelCase.words(attribute.name))
    guard !words.isDisjoint(with: context.words("words", of: Self.self)), words.isDisjoint(with: Self.shares)
    else { return }
    let edit = context.sources.property(attribute.range)?.renamingType(scalar.rawValue, to: "Decimal")
    context.report(.floatingMoney(attribute, scalar, context.choice("change the type to 'Decimal'", edit)))
  }
}

extension Diagnostic {
  fileprivate static func floatingMoney(
    _ attribute: ResolvedAttribute, _ scalar: ScalarType, _ choices: [FixIt]
  ) -> Self {
    Self(
      FloatingMoney.id, FloatingMoney.severity, at: attribute.range,
      "'\(attribute.name)' appears to be money, and '\(scalar.rawValue)' rounds it", help: "use 'Decimal'",
      fixIts: choices)
  }
}
