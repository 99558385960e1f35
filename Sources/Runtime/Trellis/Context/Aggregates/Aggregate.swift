/// One number, or one value, made of many rows: a count, a sum, an average, the smallest, the
/// largest.
///
///     let total = try context.aggregate(.sum(\Item.cost))
///     // SELECT sum("t0"."cost") FROM "Item" AS "t0"
///
/// nil counts as no value, as in SQL: of no values at all a sum is 0, and an average, a minimum and
/// a maximum are nil. The answer is the same in every store, saved or not. Not in SwiftData.
///
/// - Note: an optional chain inside one of *several* aggregates needs the name of the model:
///   `.sum(\Item.trip?.budget)`. Swift cannot infer it there.
public struct Aggregate<Model: PersistentModel, Value> {
  let source: any AggregateSource<Model, Value>

  init(_ source: any AggregateSource<Model, Value>) { self.source = source }
}

extension Aggregate where Value == Int {
  /// How many rows there are.
  public static var count: Self { Self(CountSource()) }

  /// How many rows have a value: `count("t0"."nickname")`.
  public static func count<V>(_ keyPath: KeyPath<Model, V?>) -> Self {
    Self(PresenceSource(keyPath: keyPath))
  }

  /// How many different values there are, nil not among them.
  ///
  /// Values are different as in Swift: text by its canonical form, and −0 equals 0. All NaN are one.
  ///
  ///     .countDistinct(\.city)   // count(DISTINCT "t0"."city")
  public static func countDistinct<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(DistinctSource(keyPath: keyPath))
  }
}

extension Aggregate {
  /// The sum of the values; 0 without any.
  ///
  /// Exact, in whatever order rows come: integers are added up in 128 bits, `Decimal` digit by
  /// digit, and floating-point numbers without rounding until the end. NaN, and infinities of both
  /// signs, make the sum NaN. A sum that is zero is +0.
  ///
  /// Running it throws ``AggregateOverflow`` when an integer or a `Decimal` cannot hold the sum.
  public static func sum<V: SummableValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Total {
    Self(SumSource(keyPath: keyPath))
  }

  /// The exact sum over the number of values; nil without any.
  ///
  /// `Double`, of a `Decimal` `Decimal`. The average of finite numbers is finite.
  public static func average<V: SummableValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Mean? {
    Self(MeanSource(keyPath: keyPath))
  }

  /// The smallest value, as Swift compares them; nil without any. NaN is passed over unless there is
  /// nothing else.
  public static func minimum<V: OrderedValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Ordered? {
    Self(ExtremeSource(keyPath: keyPath, isLargest: false))
  }

  /// The largest value, as Swift compares them; nil without any. NaN is passed over unless there is
  /// nothing else.
  public static func maximum<V: OrderedValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Ordered? {
    Self(ExtremeSource(keyPath: keyPath, isLargest: true))
  }
}
