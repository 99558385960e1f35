import Foundation
import TestSupport
import Trellis

/// A captured key with the value types of ``DiffRow``.
struct DiffKey: Codable, Hashable, Sendable {
  var name: String
  var note: String?
  var count: Int
  var small: Int8
  var big: UInt64
  var optCount: Int?
  var flag: Bool
  var optFlag: Bool?
  var size: Double
  var optSize: Double?
  var ratio: Float
  var date: Date
  var optDate: Date?
  var price: Decimal
  var optPrice: Decimal?
  var uid: UUID
  var optUID: UUID?
  var link: URL?
  var data: Data
  var kind: DiffKind
  var optKind: DiffKind?
  var rank: DiffRank

  static let columns: [any DiffColumn] = [
    Column(key: \.name, row: \.name), Column(key: \.note, row: \.note), Column(key: \.count, row: \.count),
    Column(key: \.small, row: \.small), Column(key: \.big, row: \.big), Column(key: \.optCount, row: \.optCount),
    Column(key: \.flag, row: \.flag), Column(key: \.optFlag, row: \.optFlag), Column(key: \.size, row: \.size),
    Column(key: \.optSize, row: \.optSize), Column(key: \.ratio, row: \.ratio), Column(key: \.date, row: \.date),
    Column(key: \.optDate, row: \.optDate), Column(key: \.price, row: \.price),
    Column(key: \.optPrice, row: \.optPrice), Column(key: \.uid, row: \.uid), Column(key: \.optUID, row: \.optUID),
    Column(key: \.link, row: \.link), Column(key: \.data, row: \.data), Column(key: \.kind, row: \.kind),
    Column(key: \.optKind, row: \.optKind), Column(key: \.rank, row: \.rank),
  ]

  /// Keys with values from the pools.
  static func random(_ texts: [String], _ dice: inout SeededGenerator) -> [DiffKey] {
    (0..<dice.roll(40)).map { _ in
      DiffKey(
        name: dice.pick(texts), note: dice.perhaps(texts), count: dice.pick(DiffPool.numbers),
        small: dice.pick(DiffPool.small), big: dice.pick(DiffPool.big), optCount: dice.perhaps(DiffPool.calmNumbers),
        flag: dice.roll(2) == 0, optFlag: dice.perhaps([true, false]), size: dice.pick(DiffPool.reals),
        optSize: dice.perhaps(DiffPool.reals), ratio: dice.pick(DiffPool.floats), date: dice.pick(DiffPool.dates),
        optDate: dice.perhaps(DiffPool.dates), price: dice.pick(DiffPool.decimals),
        optPrice: dice.perhaps(DiffPool.decimals), uid: dice.pick(DiffPool.uuids),
        optUID: dice.perhaps(DiffPool.uuids), link: dice.perhaps(DiffPool.urls), data: dice.pick(DiffPool.blobs),
        kind: dice.pick(DiffKind.allCases), optKind: dice.perhaps(DiffKind.allCases),
        rank: dice.pick([.first, .second]))
    }
  }

  private struct Column<Value: Codable & Equatable & Sendable>: DiffColumn {
    let key: any KeyPath<DiffKey, Value> & Sendable
    let row: any KeyPath<DiffRow, Value> & Sendable
  }
}

/// A key property and a row property of the same type.
protocol DiffColumn<Value>: Sendable {
  associatedtype Value: Codable & Equatable & Sendable
  var key: any KeyPath<DiffKey, Value> & Sendable { get }
  var row: any KeyPath<DiffRow, Value> & Sendable { get }
}

extension DiffColumn {
  typealias Equality = PredicateExpressions.Equal<
    PredicateExpressions.KeyPath<PredicateExpressions.Variable<DiffKey>, Value>,
    PredicateExpressions.KeyPath<PredicateExpressions.Variable<DiffRow>, Value>
  >

  func equality(
    _ key: PredicateExpressions.Variable<DiffKey>, _ row: PredicateExpressions.Variable<DiffRow>
  ) -> Equality {
    PredicateExpressions.build_Equal(
      lhs: PredicateExpressions.build_KeyPath(root: key, keyPath: self.key),
      rhs: PredicateExpressions.build_KeyPath(root: row, keyPath: self.row))
  }
}
