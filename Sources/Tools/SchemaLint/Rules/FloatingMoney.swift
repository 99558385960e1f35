import SchemaDiagnostics
import SchemaModel

/// TYP012
struct FloatingMoney: AttributeRule {
  static let id = DiagnosticID("TYP012", "floating-money")
  static let severity = Severity.info
  static let summary = "Money is a Decimal, or a whole number of its smallest unit."
  static let why = """
    Most amounts have no exact value as Float or Double: 0.1 and 0.2 do not make 0.3, and totals are off \
    by a cent where somebody compares them.
    """
  static let remedy = "Use 'Decimal', or an 'Int' of cents; 'words' sets what names of money contain."
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [
    RuleOption(
      "words",
      .words([
        "balance", "budget", "cost", "costs", "credit", "debit", "deposit", "discount", "dues", "earnings", "expense",
        "expenses", "fee", "fees", "fine", "income", "money", "payment", "payout", "price", "profit", "refund",
        "revenue", "salary", "tax", "turnover", "wage", "wages",
      ]), "Words in names of money.")
  ]
  static let example: RuleExample? = RuleExample(
    bad: "schema Shop 1.0.0\n@Model class Item { var price: Double }\n",
    good: "schema Shop 1.0.0\n@Model class Item { var price: Decimal }\n")

  /// Words for a fraction of an amount of money, which can be a floating-point number.
  private static let shares: Set<String> = [
    "factor", "percent", "percentage", "rate", "ratio", "share", "index", "score",
  ]

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard case .scalar(let scalar) = attribute.type.unwrapped, scalar == .float || scalar == .double else { return }
    let words = Set(CamelCase.words(attribute.name))
    guard !words.isDisjoint(with: context.words("words", of: Self.self)), words.isDisjoint(with: Self.shares)
    else { return }
    let edit = context.sources.property(attribute.range)?.renamingType(scalar.rawValue, to: "Decimal")
    context.report(.floatingMoney(attribute, scalar, context.choice("make it a 'Decimal'", edit)))
  }
}

extension Diagnostic {
  fileprivate static func floatingMoney(
    _ attribute: ResolvedAttribute, _ scalar: ScalarType, _ choices: [FixIt]
  ) -> Self {
    Self(
      FloatingMoney.id, FloatingMoney.severity, at: attribute.range,
      "'\(attribute.name)' sounds like money, and '\(scalar.rawValue)' rounds it", help: "use 'Decimal'",
      fixIts: choices)
  }
}
